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

# Where there is no room for whole names of files, their last parts do, as long as they tell files apart.
deep=folder/of/a/program/in/a/folder/with/a/long/name
must mkdir -p $deep/one $deep/other
must cp forks.c $deep/one/
line "verisoft $deep/one/forks.c -- 3 | sed -n '/^ *step/,/^$/p'"
printf 'int wait_for(int set, int n);\n#include <verisoft.h>\nint wait_for(int set, int n) { return semwait(set, n, 1); }\n' > $deep/other/part.c
printf '#include <verisoft.h>\nint wait_for(int set, int n);\nint main(void) { int s = semget(IPC_PRIVATE, 1, 0600); semsetval(s, 0, 1); semwait(s, 0, 1); wait_for(s, 0); exit(0); }\n' > $deep/one/part.c
line "verisoft $deep/one/part.c $deep/other/part.c | sed -n '/^ *step/,/^$/p'"
