# What is printed about errors and about their absence. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
bring two.c fine.c tests/cases/livelock.c forks.c dies.c
run verisoft two.c
run verisoft replay two.c error1.path
run verisoft simulate two.c error1.path --terminal
run verisoft fine.c
run verisoft fine.c --search stateful
run verisoft fine.c --search dfs --reduction none --max-depth 1
run verisoft fine.c --search random --stop-at-state 50
run verisoft forks.c --search bfs -- 3
run verisoft livelock.c --search dfs --reduction none --livelock-limit 3 --max-depth 5
run verisoft dies.c -DVALUE=0
