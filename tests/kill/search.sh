# The controller is ended in the middle of searches in which the program itself runs all the time; what was found until then is
# reported. SPDX-License-Identifier: MIT
. "$project/tests/lib/kill.sh"
bring endless.c
build program endless.c
for search in "auto" "iterative --max-depth 0" "dfs --max-depth 0" "stateful" "bfs" "random --stop-at-state 0"; do
    for signal in 2 15 1 9; do
        rm -f r.json
        moment=$(($(od -An -N2 -tu2 /dev/urandom) * 10))             # microseconds
        cut $signal $moment program verisoft ./program --search $search --livelock-limit 0 --json r.json > out 2> err
        status=$?
        expected=130
        [ $signal = 9 ] && expected=137
        is "status of $search after $signal at $moment" $expected $status
        [ $signal = 9 ] || grep -q 'interrupted' err ||              # then it came before the search had begun
            is "stopped by, $search after $signal at $moment" interrupt "$(json r.json stopped_by)"
        [ $signal = 9 ] || grep -q . out err || { echo "no report of $search after $signal"; failed=1; }
        nothing_left "$signal during $search at $moment seconds"
    done
done
no_objects_left
next_run_works
exit $failed
