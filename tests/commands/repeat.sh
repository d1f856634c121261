# A program checked twice gives the same report, and no false nondeterminism: two runs of a history are the same.
# SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
runs=20
[ "$SAN" ] && runs=5
facts() {                            # of a report
    for key in result errors.# states transitions executions sleep_cut native_transitions local_states; do
        json r.json $key
    done
}
for source in philosophers.c endless.c deterministic.c messages.c large-memory.c; do
    bring tests/cases/$source
    build program $source
    first=
    for i in $(seq $runs); do
        # Whatever differs outside: the environment, the process ids, the limits.
        env VARIABLE_$i="$(printf "%${i}s" x)" verisoft ./program --search stateful --stop-at-error 0 --json r.json --quiet
        all=$(facts)
        : "${first:=$all}"
        is "report $i of $source" "$first" "$all"
    done
done
exit $failed
