# Properties side by side: the same words in the same order, each verifier compiled once, and nothing is left when it is stopped.
# SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
needs_spin
must cp "$project"/examples/alternating-bit/* "$project"/examples/models/* .

for harness in repaired lossy account; do
    verisoft verify $harness.harness --no-trial --json one.json > one 2> one.err
    is "$harness, one by one" $? "$(verisoft verify $harness.harness --no-trial -j 3 --json many.json > many 2> many.err; echo $?)"
    cmp one many || failed=1
    cmp one.err many.err || failed=1
    is "$harness: verifiers" "$(json one.json compiled)" "$(json many.json compiled)"
    is "$harness: runs" "$(json one.json properties.0.runs.0.states)" "$(json many.json properties.0.runs.0.states)"
done
[ -s one ] || { echo "nothing was printed"; failed=1; }

# What the quick search does not decide is told behind all others.
must cp "$project"/examples/ac-controller/main.c .
for jobs in 1 2; do
    verisoft verify main.c deadlock assertions --no-trial --form none --time-limit 4 -j $jobs > long 2> long.err
    is "some take long, -j $jobs" 1 $?
    is "their order, -j $jobs" "assertions failed deadlock not " "$(awk '/^(deadlock|assertions) / { printf "%s %s ", $1, $2 }' long)"
    grep -q 'of deadlock: larger searches follow' long.err || { cat long.err; failed=1; }
done

# A worker's mistake is ours: a compiler that refuses the verifiers of claims.
cat > refuses << 'END'
#!/bin/sh
case " $* " in *" -DNOCLAIM "*|*" -c "*|*" -E "*) exec gcc "$@" ;; esac
echo "error: no claims today" >&2
exit 1
END
chmod +x refuses
CC=$PWD/refuses verisoft verify repaired.harness -j 3 > said 2>&1
is "refused" 2 $?
grep -q 'the compiler refuses the verifier: error: no claims today' said || { cat said; failed=1; }

# Stopped in the middle: one verifier never ends.
cat > endless << 'END'
#!/bin/sh
out=
for word; do [ "$before" = -o ] && out=$word; before=$word; done
case " $* " in *" -c "*|*" -E "*) exec gcc "$@" ;; esac
printf '#!/bin/sh\necho started >> %s\nexec sleep 1000\n' "$PWD0/started" > "$out"
chmod +x "$out"
END
chmod +x endless
for signal in TERM KILL; do
    rm -f started
    PWD0=$PWD CC=$PWD/endless verisoft verify repaired.harness -j 3 > said 2>&1 &
    command=$!
    while [ "$(cat started 2> /dev/null | wc -l)" -lt 3 ]; do sleep 0.05; done
    kill -$signal $command
    wait $command
    is "$signal" "$([ $signal = TERM ] && echo 130 || echo 137)" $?
done
exit $failed
