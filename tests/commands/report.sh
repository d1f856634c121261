# What is printed about errors and about their absence. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
bring two.c fine.c tests/cases/livelock.c tests/cases/philosophers.c tests/cases/crash.c
run verisoft two.c
run verisoft replay two.c error1.path
run verisoft simulate two.c error1.path
run verisoft fine.c
run verisoft fine.c --search stateful
run verisoft fine.c --search dfs --reduction none --max-depth 1
run verisoft fine.c --search random --stop-at-state 50
run verisoft philosophers.c --search bfs -- 3
run verisoft livelock.c --search dfs --reduction none --livelock-limit 3 --max-depth 5
run verisoft crash.c -DABORT
