# verisoft test runs each choice and each order of the drivers' operations, as a brute force has them, and nothing twice; declared interfaces
# leave out what commutes, and no more. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
bring suite/acts.c suite/count.py
must ${CC:-cc} -I"$project/include" -o acts acts.c
export LOG=$PWD/log

suite() {                            # LINE-OF-[box] DRIVER...: a driver is its name and what it does
    { echo '[box]'; echo "$1"; echo "reset = 'echo >> \"\$LOG\"'"; shift
      for driver; do printf '[[driver]]\nname = "%s"\nrun = "exec ./acts %s"\n' "${driver%% *}" "$driver"; done; } > suite.toml
}

every() {                            # DRIVER...
    suite '' "$@"
    : > log
    verisoft test suite.toml --json r.json --quiet
    is "status of $*" 0 $?
    is "executions of $*" "$(python3 count.py runs "$@" | wc -l)" "$(json r.json executions)"
    sed '1d' log | sort -u > ran
    python3 count.py runs "$@" | sort > wanted
    cmp -s ran wanted || { echo "not the runs that there are: $*"; diff ran wanted | head -5; failed=1; }
    # One or two more, to see whether a path does the same again.
    more=$(($(sed '1d' log | grep -c .) - $(wc -l < wanted)))
    [ $more = 1 ] || [ $more = 2 ] || { echo "$more runs too many of $*"; failed=1; }
}
every 'A s'
every 'A t2 s' 'B s c'
every 'A t1 s' 'B t1' 'C s'
every 'A' 'B s s s'

traces() {                           # DRIVER...
    suite 'interfaces = "X Y"' "$@"
    for reduction in source sleep; do
        verisoft test suite.toml --reduction $reduction --json r.json --quiet
        is "status of $*" 0 $?
        is "executions of $*, $reduction" "$(python3 count.py traces "$@")" "$(json r.json executions)"
    done
}
traces 'A t1 sX sY' 'B sX c' 'C sY'
traces 'A sX sX' 'B sY sY'

# Semaphores order what must be ordered; nobody waits for ever unless all do.
suite '' 'A wlock s s plock' 'B wlock s plock'
printf '[[semaphore]]\nname = "lock"\nvalue = 1\n' >> suite.toml
verisoft test suite.toml --quiet; is "status with a lock" 0 $?
sed 1d log | grep -q 'A:s=0 B:s=0 A:s=0' && { echo "the lock does not keep B out"; failed=1; }
suite '' 'A wl wm' 'B wm wl'
printf '[[semaphore]]\nname = "l"\nvalue = 1\n[[semaphore]]\nname = "m"\nvalue = 1\n' >> suite.toml
verisoft test suite.toml --json r.json --quiet; is "status of a deadlock" 1 $?
is "its kind" deadlock "$(json r.json errors.0.kind)"
verisoft test suite.toml error1.path > said; is "replayed" 1 $?
grep -q deadlock said || { cat said; failed=1; }
exit $failed
