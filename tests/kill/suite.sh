# A test of a black box is ended at random moments: no server, no driver, no folder is left. KILLS says how often. SPDX-License-Identifier: MIT
. "$project/tests/lib/kill.sh"
bring suite/acts.c
must ${CC:-cc} -I"$project/include" -o acts acts.c
cp acts box
cat > suite.toml <<'END'
[box]
start = "./box B d f h"
ready = "true"
reset = 'touch "$VERISOFT_FOLDER/a" && mkdir "$VERISOFT_FOLDER/b" && touch "$VERISOFT_FOLDER/b/c"'
[[driver]]
name = "A"
run = "./acts A t1 s d s"
[[driver]]
name = "C"
run = "exec ./acts C s f t1 s s"
END
number() { echo $(($(od -An -N4 -tu4 /dev/urandom) % $1)); }         # below $1
for i in $(seq "${KILLS:-20}"); do
    signal=9 moment=$(number 300000)
    case $((i % 4)) in 0) signal=15 ;; 1) signal=2 ;; esac
    cut $signal $moment - verisoft test suite.toml -j $((i % 3 + 1)) --quiet > /dev/null 2>&1 < /dev/null
    [ $((i % 5)) = 0 ] && nothing_left "$signal after $moment microseconds, or one of the four before"
    [ $failed = 0 ] || exit 1
done
# Who tidies up is not called as we are, so that what ends us by our name leaves it there; where it is killed itself, we do what it would have done.
for jobs in 1 2; do
    rm -f *.path
    "$B/verisoft" test suite.toml -j $jobs --quiet > /dev/null 2>&1 < /dev/null &
    until wardens=$(pgrep -P $!) && [ "$(echo "$wardens" | wc -l)" = $jobs ]; do sleep 0.02; done
    sleep 0.3
    for warden in $wardens; do
        grep -q verisoft "/proc/$warden/comm" "/proc/$warden/cmdline" && { echo "a warden is called as we are"; failed=1; }
        kill -9 "$warden"
    done
    wait $!
    is "status when who tidies up is killed" 2 $?
    nothing_left "the death of who tidies up, -j $jobs"
done
no_objects_left
exit $failed
