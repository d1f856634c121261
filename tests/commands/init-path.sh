# init_path: the search starts where the scenario ends, and what it finds replays from the start. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
bring tests/cases/philosophers.c
build program philosophers.c
verisoft ./program --search bfs --quiet -- 3
is "exit status" 1 $?
head -n 5 error1.path > start.path                               # one transition
for search in auto dfs iterative stateful bfs random; do
    verisoft ./program --search $search --init-path start.path --json r.json --quiet --output $search -- 3
    is "exit status, $search" 1 $?
    is "kind, $search" deadlock "$(json r.json errors.0.kind)"
    is "depth, $search" 3 "$(json r.json errors.0.depth)"
    verisoft replay ./program $search/error1.path -- 3 > /dev/null
    is "replay, $search" 1 $?
done
mv error1.path whole.path
verisoft ./program --init-path whole.path --json r.json --quiet -- 3
is "exit status at the error" 1 $?
is "depth at the error" 3 "$(json r.json errors.0.depth)"
exit $failed
