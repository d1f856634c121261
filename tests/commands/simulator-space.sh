# Through a saved state space: earlier states of the scenario are moves, others make a new one. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
. "$project/tests/lib/simulator.sh"
bring examples/ac-controller/main.c
verisoft main.c --quiet --save-state-space 1 --search dfs --reduction none --max-depth 4
run grep -v : sss.VS
simulate main.c -simul error1.path <<'END'
visit 2
trace
visit 0
visit 4
hello
trace
visit 2
trace
visit 1000
visit
filter *
filter ^1
source
trace 3 1
trace 9
{"do": "trace", "from": 3, "to": 1}
{"do": "move", "to": 4294967296}
{"do": "go", "process": 1.5}
{"do": "source"}
END
