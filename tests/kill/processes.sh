# Processes under test are killed from outside: the run ends or goes on, with a report that does not blame the program.
# SPDX-License-Identifier: MIT
. "$project/tests/lib/kill.sh"
bring endless.c
build program endless.c
pids() { find /proc -maxdepth 2 -path '/proc/[0-9]*/exe' -lname "$folder/program" 2> /dev/null | cut -d / -f 3; }
some() { echo "$1" | tr ' ' '\n' | sed -n "$(($(od -An -N2 -tu2 /dev/urandom) % $(echo "$1" | wc -w) + 1))p"; }

for round in 1 3 5; do
    rm -f r.json
    timeout --foreground --preserve-status -k 300 -s INT 20 verisoft ./program --search random --max-depth 300 --livelock-limit 0 \
        --stop-at-state 3000 --json r.json > out 2> err &
    run=$!
    for i in 1 2 3 4; do
        sleep 0.$round
        them=$(echo $(pids))
        [ "$them" ] && kill -9 "$(some "$them")" 2> /dev/null
    done
    wait $run
    status=$?
    case $status in
    0|1|2|3|130) ;;
    *) echo "round $round: status $status"; cat out err; failed=1 ;;
    esac
    if [ $status = 1 ] && ! grep -q -i 'killed\|outside\|SIGKILL' out; then
        echo "round $round: the report does not say that a process was killed"
        cat out
        failed=1
    fi
    nothing_left "a process was killed in round $round"
done
no_objects_left
next_run_works
exit $failed
