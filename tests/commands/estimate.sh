# --search estimate: about how much of all states a search within a limit saw. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
build elevator "$project/examples/elevator.c"
build threads "$project/examples/certification/readers-writers.c"

verisoft ./elevator --search stateful --json all.json --quiet
all=$(json all.json states)
estimated()
{
    verisoft --search estimate --json r.json --quiet "$@"
    is "status of $*" 3 $?
    off=$((100 * $(json r.json coverage_estimate.states) / all))
    [ $off -ge 98 ] && [ $off -le 102 ] || { echo "$*: $off % of the states that there are"; failed=1; }
    echo "$*: stopped by $(json r.json stopped_by), counted: $(json r.json coverage_estimate.counted)"
}
estimated ./elevator --stop-at-state 50000
estimated ./elevator --stop-at-state 50000 --random-seed 5
estimated ./elevator --memory-limit 4M
verisoft ./elevator --search estimate --stop-at-state 1000 --json r.json --quiet
is "given up" false "$(json r.json coverage_estimate.counted)"
is "sampled" true "$(json r.json coverage_estimate.sampled)"
verisoft ./elevator --search estimate --stop-at-state 50000 | tail -4 | sed 's,[0-9.]* % of all states ([0-9.]* to [0-9.]*),N % of all states (N to N),; s,about [0-9]*.[0-9]* in all,about N in all,'      # which depends on the compiler
verisoft ./elevator --search estimate --stop-at-state 1000 | tail -4 | sed 's,about [0-9.]* %,about N %,; s,to [0-9.]*),to N),; s,about [0-9]*.[0-9]*\.$,about N.,'
verisoft ./elevator --search estimate --stop-at-state 100 | tail -4
verisoft ./elevator --search bfs --stop-at-state 1000 | tail -3
verisoft ./elevator --search estimate --json r.json --quiet
is "status without a limit" 0 $?
is "states without a limit" "$all" "$(json r.json states)"
is "nothing to estimate" null "$(json r.json coverage_estimate)"

verisoft ./threads --search stateful --json all.json --quiet -- 2 1
all=$(json all.json states)
estimated --stop-at-state 150 ./threads -- 2 1

# Of a search by executions: to a factor of three.
build counter "$project/bench/threads/counter.c"
verisoft ./counter --search dfs --json all.json --quiet -- 3 3
for states in 7000 13000; do
    verisoft ./counter --search dfs --stop-at-state $states --json r.json --quiet -- 3 3
    is "status, $states states" 3 $?
    all=$(json all.json executions) about=$(json r.json executions_estimate)
    [ $((3 * about)) -ge $all ] && [ $about -le $((3 * all)) ] || { echo "$about executions of $all"; failed=1; }
done
is "nothing to estimate" null "$(json all.json executions_estimate)"

# An error that only the count comes upon is an error.
cat > late.c <<'END'
#include <verisoft.h>
int main(void)
{
    int value = 0;
    for (int i = 0; i < 8; i++)
        value = 2 * value + VS_toss(1);
    VS_assert(value != 200);
    return 0;
}
END
verisoft late.c --search estimate --stop-at-state 120 --json r.json --quiet
is "status" 1 $?
is "error" assertion "$(json r.json errors.0.kind)"
for options in '--max-depth 5' '--save-state-space' '--reduction sleep'; do
    verisoft ./elevator --search estimate $options
    echo "status $?"
done
exit $failed
