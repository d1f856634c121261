# The controller is ended at many moments: while compiling, starting, searching. SPDX-License-Identifier: MIT
. "$project/tests/lib/kill.sh"
bring endless.c
moments="0.01 0.03 0.05 0.07 0.09 0.12 0.15 0.18 0.22 0.26 0.3 0.4 0.6 1"
[ "$SAN" ] && moments="0.01 0.05 0.1 0.2 0.4 0.8 2"
for signal in INT TERM KILL; do
    for moment in $moments; do
        timeout --foreground --preserve-status -k 300 -s $signal $moment \
            verisoft endless.c --search dfs --max-depth 0 --livelock-limit 0 --json r.json > out 2> err
        status=$?
        case $signal$status in
        INT130|TERM130|KILL137) ;;
        TERM143) ;;                  # it had not even begun
        *) echo "$signal after $moment seconds: status $status"; cat err; failed=1 ;;
        esac
        nothing_left "$signal after $moment seconds"
    done
done
no_objects_left
next_run_works
exit $failed
