# A search of which other processes search parts (-j, with a reduction other than optimal, or of processes) is, count for count and error for error, that of one: of
# processes, of threads, of random programs; whatever becomes of the others. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
needs_fixed_addresses
must ${CC:-cc} -g -o table "$project/bench/threads/philosophers.c" -pthread
must ${CC:-cc} -g -o buffer "$project/bench/threads/buffer.c" -pthread
must cp "$project/examples/philosophers.c" .
build table-of-processes philosophers.c
build producers "$project/examples/producers-consumers.c"
build readers "$project/examples/readers-writers.c" -DWRONG
checked=$B/verisoft-checked          # it gives parts away at once

one() {                              # JOBS OPTIONS...: what one says, but for what the program did and how long it took
    jobs=$1; shift
    rm -rf found; mkdir found
    "$checked" check -j "$jobs" --json report --quiet --output found "$@" < /dev/null > err 2>&1
    echo "status $?"
    sed '/"elsewhere": {/,/}/d' report | grep -v '"native_\|"restores"\|"seconds"\|"memory_kb"\|"executions_estimate"'
    cat found/* 2> /dev/null
}
parts=0
same() {                             # OPTIONS...: with one process and with three
    one 1 "$@" > said.1
    one 3 "$@" > said.3
    cmp -s said.1 said.3 || { echo "-j 3 differs: $*"; diff said.1 said.3 | head -n 10; cat err; failed=1; }
    parts=$((parts + $(sed -n 's/^ *"parts": \([0-9]*\),*$/\1/p' report | head -n 1 | grep . || echo 0)))
}
for reduction in none sleep source optimal; do
    same ./table-of-processes --search dfs --reduction $reduction --stop-at-error 0 -- 3
done
for reduction in sleep optimal; do
    same ./producers --search dfs --reduction $reduction --max-depth 12
    same ./readers --search iterative --reduction $reduction --max-depth 12 --livelock-limit 0
done
same ./table --reduction source --stop-at-error 0 -- cyclic 3 1
same ./table --reduction sleep --max-depth 14 -- ordered 3 1
same ./table --reduction none --max-depth 9 --stop-at-state 300 -- ordered 3 1
same ./buffer --reduction source -- 2 1 1
for case in posix-timer-order posix-cond-timed posix-waitpid; do         # timers, waits with time limits, several UNIX processes
    must cp "$project/tests/cases/$case.c" .
    same $case.c --reduction source --stop-at-error 0 --max-depth 40 --stop-at-state 2000
    same $case.c --reduction sleep --stop-at-error 0 --max-depth 25 --stop-at-state 2000
done
[ $parts -gt 15 ] || { echo "only $parts parts were searched by others"; failed=1; }

# Random programs.
if command -v python3 > /dev/null; then
    parts=0
    for seed in $(seq 8); do
        python3 "$project/tests/fuzz/threads.py" print $seed > random.c || { echo "no program $seed"; failed=1; }
        must ${CC:-cc} -g -w -o random random.c -pthread
        same ./random --reduction source --max-depth 60 --stop-at-state 3000 --stop-at-error 0
    done
    [ $parts -gt 2 ] || { echo "only $parts parts of random programs were searched by others"; failed=1; }
fi

# What is no mission, and what cannot be divided.
echo something > none
verisoft philosophers.c --mission none > said 2>&1
is "no mission" 2 $?
grep -q 'is no mission' said || { cat said; failed=1; }
verisoft philosophers.c --cluster slurm --search bfs > said 2>&1
is "a search that keeps states" 2 $?
grep -q 'keeps no states' said || { cat said; failed=1; }
verisoft ./buffer --cluster slurm --outside "process 2" -- 2 1 1 > said 2>&1
is "with something outside" 2 $?
verisoft philosophers.c --tasks 3 > said 2>&1
is "tasks without a cluster" 2 $?
exit $failed
