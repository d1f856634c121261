# What a server printed, or had on its stack, makes no new local state. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
bring examples/ac-controller/main2.c tests/cases/endless.c
build main2 main2.c
build endless endless.c
verisoft ./main2 --search stateful --json r.json --quiet
is "exit status" 0 $?
for p in 0 1; do at_most "local states of process $((p + 1)) of main2.c" 50 "$(json r.json local_states.$p)"; done
verisoft ./endless --search dfs --reduction none --livelock-limit 0 --max-depth 300 --stop-at-state 100000 --json r.json --quiet
most=8 runs=18
case ${CC:-} in *clang*) most=12 runs=24 ;; esac             # it leaves more behind on the stack
for p in 0 1; do at_most "local states of process $((p + 1)) of endless.c" $most "$(json r.json local_states.$p)"; done
at_most "transitions of the program itself" $runs "$(json r.json native_transitions)"
exit $failed
