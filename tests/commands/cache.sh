# --cache: the same verdict as without, with more work; what it does not go with. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
build elevator "$project/examples/elevator.c"
build threads "$project/examples/certification/readers-writers.c"

# What is asked for, and what the search did: status, entered at least as many, took more transitions, kept to its room.
all() { verisoft --search stateful --json all.json --quiet "$@"; is "status of $*" 0 $?; }
cached()
{
    verisoft --json cached.json --quiet "$@"
    is "status of $*" 0 $?
    is "result of $*" complete "$(json cached.json result)"
    [ "$(json cached.json states)" -ge "$(json all.json states)" ] || { echo "$*: fewer states"; failed=1; }
    off=$((100 * ($(json cached.json states) - $(json cached.json reexplored)) / $(json all.json states)))
    [ $off -gt 90 ] && [ $off -lt 110 ] || { echo "$*: $off % of the states that there are"; failed=1; }
}
all ./elevator
for policy in cost random depth; do
    cached ./elevator --cache 170000 --cache-policy $policy
done
cached ./elevator --cache 4M
cached ./elevator --cache 50000 --reduction sleep
cached ./elevator --cache 200000
is "nothing is given up" 0 "$(json cached.json cache.replaced)"
is "states" "$(json all.json states)" "$(json cached.json states)"
all ./threads -- 2 1
cached ./threads --cache 300 -- 2 1
cached ./threads --cache 200 --reduction sleep -- 2 1

# A certificate tells each state once, however often it was entered: it is the one that is made without a cache.
verisoft ./threads --certificate all.scc --quiet -- 2 1
verisoft ./threads --certificate cached.scc --cache 300 --quiet -- 2 1
cmp all.scc cached.scc || failed=1

verisoft ./elevator --cache 150000 | sed '/^$/q' | tr '\n' ' ' | sed 's/  */ /g; s/[0-9][0-9,]*/N/g; s/ *$/\n/'      # how many depends on the compiler
for options in '--cache 10' '--cache 10 --search bfs' '--cache 10 --max-depth 5' '--cache-policy age' '--cache x' \
               '--cache 10 --cache-policy lru' '--cache 10 --reduction optimal'; do
    verisoft ./elevator $options
    echo "status $?"
done
exit $failed
