# verisoft test runs each choice and each order of the drivers' operations, as a brute force has them, and nothing twice; declared interfaces
# leave out what commutes, and no more. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
bring suite/acts.c suite/count.py
must ${CC:-cc} -I"$project/include" -o acts acts.c
export LOG=$PWD/log

suite() {                            # LINE-OF-[box] DRIVER...: a driver is its name and what it does
    { echo '[box]'; echo "$1"; echo "reset = 'echo >> \"\$LOG.\$VERISOFT_COPY\"'"; shift
      printf '[[queue]]\nname = "q"\n[[semaphore]]\nname = "l"\nvalue = 1\n'
      for driver; do printf '[[driver]]\nname = "%s"\nrun = "exec ./acts %s"\n' "${driver%% *}" "$driver"; done; } > suite.toml
}

ran() { cat log.* | grep . | sort; }

every() {                            # DRIVER...
    suite '' "$@"
    python3 count.py runs "$@" | sort > wanted
    for jobs in ${jobs:-1 2 5}; do
        rm -f log.*
        verisoft test suite.toml -j $jobs --ignore-deadlock --json r.json --quiet
        is "status of $*" ${status:-0} $?
        is "executions of $*, -j $jobs" "$(wc -l < wanted)" "$(json r.json executions)"
        ran | uniq | cmp -s - wanted || { echo "not the runs that there are: $*, -j $jobs"; ran | uniq | diff - wanted | head -5; failed=1; }
        # One or two more, to see whether a path does the same again.
        more=$(($(ran | wc -l) - $(wc -l < wanted)))
        [ $more = 1 ] || [ $more = 2 ] || { echo "$more runs too many of $*, -j $jobs"; failed=1; }
    done
}
every 'A s'
every 'A t2 s' 'B s c'
every 'A t1 s' 'B t1' 'C s'
status=3 every 'A' 'B s s s'; status=            # A asks for nothing, and was not under control
every 'A t1 wl s pl' 'B wl s pl'
jobs='1 3' every 'A S1 S2' 'B R R' 'C S3'

traces() {                           # DRIVER...
    suite 'interfaces = "X Y"' "$@"
    for reduction in source sleep; do
        verisoft test suite.toml --reduction $reduction --json r.json --quiet
        is "status of $*" 0 $?
        is "executions of $*, $reduction" "$(python3 count.py traces "$@")" "$(json r.json executions)"
    done
    verisoft test suite.toml -j 3 --json r3.json --quiet
    is "executions of $*, -j 3" "$(json r.json executions)" "$(json r3.json executions)"
}
traces 'A t1 sX sY' 'B sX c' 'C sY'
traces 'A sX sX' 'B sY sY'

# Semaphores order what must be ordered; nobody waits for ever unless all do.
suite '' 'A wl s s pl' 'B wl s pl'
for jobs in 1 2; do
    rm -f log.*
    verisoft test suite.toml --quiet -j $jobs --json r$jobs.json; is "status with a lock" 0 $?
done
is "executions with a lock, -j 2" "$(json r1.json executions)" "$(json r2.json executions)"
is "they are all that was run" "$(json r2.json executions)" "$(ran | uniq | wc -l)"
ran | grep -q 'A:s=0 B:s=0 A:s=0' && { echo "the lock does not keep B out"; failed=1; }
suite '' 'A wl wm' 'B wm wl'
printf '[[semaphore]]\nname = "m"\nvalue = 1\n' >> suite.toml
verisoft test suite.toml --json r.json --quiet; is "status of a deadlock" 1 $?
is "its kind" deadlock "$(json r.json errors.0.kind)"
verisoft test suite.toml error1.path > said; is "replayed" 1 $?
grep -q deadlock said || { cat said; failed=1; }

# Two copies of the box are there at a time: a driver of the first waits until the second starts, which waits until that driver does.
cat > meet.sh <<'END'
mine=$1 other=$2
touch "$VERISOFT_KEEP/$mine"
until [ -e "$VERISOFT_KEEP/$other" ]; do sleep 0.02; done
END
for line in '' 'interfaces = "X"'; do
    cat > meet.toml <<END
[box]
$line
start = "case \$VERISOFT_COPY in 2) sh meet.sh box driver; esac; touch \$VERISOFT_FOLDER/up; exec sleep 100"
ready = "test -e \$VERISOFT_FOLDER/up"
[[driver]]
name = "A"
run = 'vs step ${line:+X}; case \$VERISOFT_COPY in 1) sh meet.sh driver box; esac; vs toss 1'
END
    verisoft test meet.toml -j 2 --json r.json --quiet; is "status when copies meet" 0 $?
    is "executions when they do" 2 "$(json r.json executions)"
done
exit $failed
