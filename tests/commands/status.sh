# The exit statuses. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
bring two.c fine.c endless.c
run verisoft fine.c --quiet
run verisoft two.c --quiet
run verisoft none.c --quiet
run verisoft two.c --quiet --search dfs --max-depth 1
run verisoft endless.c --quiet --stop-at-state 1000
run timeout --preserve-status -s INT 3 verisoft endless.c --quiet --search dfs --max-depth 0 --livelock-limit 0
run timeout --preserve-status -s TERM 3 verisoft endless.c --json report.json --search dfs --max-depth 0 --livelock-limit 0 --quiet
run json report.json stopped_by
run json report.json result
