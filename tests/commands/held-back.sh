# auto holds a livelock back while a surer error may be found; but whatever ends the search, it is told.
# SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
bring examples/philosophers.c tests/cases/livelock.c
build philosophers philosophers.c
verisoft ./philosophers --json r.json --quiet -- 20
is "the deadlock of 20 philosophers, who are livelocked before" deadlock "$(json r.json errors.0.kind)"
build livelock livelock.c
for n in 16 17 40; do
    verisoft ./livelock --stop-at-state $n --json r.json --quiet
    is "exit status, stopped after $n states" 1 $?
    is "the livelock, stopped after $n states" livelock "$(json r.json errors.0.kind)"
done
verisoft ./livelock --stop-at-state 15 --json r.json --quiet
is "exit status, stopped before it is a livelock" 3 $?
exit $failed
