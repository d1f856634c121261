# What is left outside goes first, and is said: by function, by type, by object, by process; a name that nothing has; and what waits outside for ever.
# SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
cp "$project/examples/logger.c" . && gcc -g -pthread logger.c -o logger && gcc -g -pthread -DSTUCK logger.c -o stuck || exit 1
executions() { verisoft ./logger --json report.json --quiet --max-depth 200 "$@" > said 2>&1; echo "$? $(sed -n 's/.*"executions": \([0-9]*\),.*/\1/p' report.json)"; }
is "logger and log_line outside" "0 2" "$(executions --outside logger --outside log_line)"
grep -q '"outside (--outside): logger, log_line' report.json || { grep -A3 notes report.json; failed=1; }
is "by object" "0 2" "$(executions --outside 'mutex log_lock' --outside 'condition variable log_changed')"
is "by object and file" "0 2" "$(executions --outside 'mutex log_lock in logger.c' --outside 'condition variables')"
is "by process and function" "0 2" "$(executions --outside 'process 2' --outside log_line)"
executions --outside nothing_like_it --outside logger --outside log_line > /dev/null
grep -q 'nothing_like_it: nothing that the program did is called so' report.json said || { cat said; failed=1; }
verisoft ./stuck --outside logger --outside log_line > said 2>&1
is "what waits outside for ever" 1 $?
grep -q 'divergence' said && grep -q 'logger.c:3[0-9]' said || { cat said; failed=1; }
sh -c "$(sed -n 's/^  see it happen:  //p' said)" > replayed 2>&1
is "its replay" 1 $?
exit ${failed:-0}
