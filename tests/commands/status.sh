# The exit statuses. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
bring two.c fine.c endless.c
run verisoft fine.c --quiet
run verisoft two.c --quiet
run verisoft none.c --quiet
run verisoft two.c --quiet --search dfs --max-depth 1
run verisoft endless.c --quiet --stop-at-state 1000
build endless endless.c
cut_short() {                        # SIGNAL OPTIONS...
    signal=$1; shift
    cut $signal 100000 "$PWD/endless" verisoft ./endless --quiet --search dfs --max-depth 0 --livelock-limit 0 "$@" 2> /dev/null
}
run cut_short 2
run cut_short 15 --json report.json
run json report.json stopped_by
run json report.json result
printf '#include <unistd.h>\nint main(void) { for (;;) pause(); }\n' > slow.c
must ${CC:-gcc} -o slow slow.c
while_compiling() { CC=./slow cut 15 0 "$PWD/slow" verisoft endless.c --json report.json; }
run while_compiling
run json report.json stopped_by
run json report.json result
