# A search of which parts are jobs of a real Slurm, two nodes on this machine, is that of one process: also when jobs are taken away or die. When it is ended, or killed, no job is
# left. SPDX-License-Identifier: MIT
. "$project/tests/lib/kill.sh"
. "$project/tests/lib/slurm.sh"
needs_fixed_addresses
slurm_start || exit 77
must ${CC:-cc} -g -o table "$project/bench/threads/philosophers.c" -pthread
must ${CC:-cc} -g -o buffer "$project/bench/threads/buffer.c" -pthread
must ${CC:-cc} -g -o readers "$project/bench/threads/readers.c" -pthread
must cp "$project/examples/philosophers.c" "$project/examples/producers-consumers.c" .
checked=$B/verisoft-checked          # it gives parts away at once, and waits for them

said() {                             # OPTIONS...: what one says, but for what the program did and how long it took
    rm -rf found; mkdir found
    "$checked" check --json report --quiet --output found "$@" < /dev/null > err 2>&1
    echo "status $?"
    sed '/"elsewhere": {/,/}/d; /"notes": \[/,/\]/d' report | grep -v '"native_\|"restores"\|"seconds"\|"memory_kb"\|"executions_estimate"\|"warnings"'
    cat found/* 2> /dev/null
}
parts=0 others=
same() {
    said --search dfs "$@" > here
    said --cluster slurm --tasks 6 "$@" > there
    cmp -s here there || { echo "the cluster differs: $*"; diff here there | head -n 10; cat err; failed=1; }
    parts=$((parts + $(sed -n 's/^ *"parts": \([0-9]*\),*$/\1/p' report | head -n 1 | grep . || echo 0)))
}
same ./table --stop-at-error 0 -- cyclic 3 2
same ./buffer -- 2 2 1
same ./readers -- 2 1 1
same ./table --reduction source --stop-at-error 0 -- cyclic 3 1
same philosophers.c --reduction source --stop-at-error 0 -- 4
same producers-consumers.c --reduction optimal --max-depth 14
no_jobs "by them"
[ $parts -gt 15 ] || { echo "only $parts parts were searched on the cluster"; failed=1; }
# Made-up programs, some at a time: most of the time Slurm takes to begin a job.
random() {                           # SEED...
    for seed; do
        python3 "$project/tests/fuzz/threads.py" print $seed > random.c 2> /dev/null || break
        must ${CC:-cc} -g -w -o random random.c -pthread
        same ./random --max-depth 60 --stop-at-state 2000 --stop-at-error 0
    done
}
for first in 1 2 3 4; do
    mkdir from$first
    (cd from$first && random $(seq $first 4 8) > said) &
    others="$others $!"
done
for pid in $others; do wait $pid; done
cat from*/said | grep . && failed=1
no_jobs "by made-up programs"

# One job is taken away, the worker of another is killed: they are tried again.
"$checked" check ./table --cluster slurm --tasks 4 --quiet --json helped.json -- ordered 3 2 > out 2>&1 &
search=$!
tries=0
until job=$(squeue -h -r -t RUNNING -o %i | head -n 1) && [ "$job" ]; do
    tries=$((tries + 1))
    [ $tries -lt 600 ] || { echo "no job has come"; cat out; break; }
    sleep 0.05
done
scancel "$job"
for i in $(seq 100); do
    worker=$(pgrep -f -- "--mission=$TMPDIR" | head -n 1)
    [ "$worker" ] && kill -9 "$worker" 2> /dev/null && break
    sleep 0.05
done
wait $search
is "with jobs taken away" 0 $?
"$checked" check ./table --quiet --json alone.json -- ordered 3 2 > out 2>&1
for key in result states transitions executions max_depth; do is "$key" "$(json alone.json $key)" "$(json helped.json $key)"; done
no_jobs "by jobs taken away"

# Ended in the middle, or killed: no job is left, and no file.
for signal in INT KILL; do
    verisoft ./table --cluster slurm --tasks 4 --quiet -- ordered 6 4 > out 2>&1 &
    search=$!
    tries=0
    until [ "$(squeue -h -t RUNNING)" ]; do
        tries=$((tries + 1))
        [ $tries -lt 600 ] || { echo "no job has come"; cat out; failed=1; break; }
        sleep 0.05
    done
    kill -$signal $search
    wait $search
    no_jobs "after SIG$signal"
done

# No Slurm: said at once, with what to do. (Its own commands wait a minute for a configuration that is not there.)
slurm_stop
: > empty
SLURM_CONF=$PWD/empty verisoft ./table --cluster slurm -- ordered 3 2 > out 2>&1
is "without Slurm" 2 $?
grep -q 'Slurm does not answer' out || { cat out; failed=1; }
SLURM_CONF=$PWD/none timeout 30 verisoft ./table --cluster slurm -- ordered 3 2 > out 2>&1
is "without a configuration" 2 $?
grep -q "SLURM_CONF=$PWD/none: Slurm's configuration cannot be read" out || { cat out; failed=1; }
verisoft ./table --cluster cloud -- ordered 3 2 > out 2>&1
is "another cluster" 2 $?
nothing_left "the end"
exit $failed
