# A search by several processes (-j) is, count for count and error for error, that of one: also where it is cut, and where there is nothing to share.
# SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
must ${CC:-cc} -g -o philosophers "$project/bench/threads/philosophers.c" -pthread
must ${CC:-cc} -g -o buffer "$project/bench/threads/buffer.c" -pthread
must ${CC:-cc} -g -o readers "$project/bench/threads/readers.c" -pthread

same() {                             # VERISOFT OPTIONS...: with one, two and three processes
    tool=$1; shift
    case $* in
    *--stop-at-state*) early='"executions_estimate"' ;;  # an estimate is of what was seen by then
    *)                 early='"native_' ;;
    esac
    for jobs in 1 2 3; do
        rm -rf found; mkdir found
        "$tool" check -j $jobs --json - --output found "$@" < /dev/null > report 2> err
        echo "status $?" > said.$jobs
        grep -v '"native_\|"restores"\|"seconds"\|"memory_kb"' report | grep -v "$early" >> said.$jobs
        cat found/* >> said.$jobs 2> /dev/null
        cmp -s said.1 said.$jobs || { echo "-j $jobs differs: $*"; diff said.1 said.$jobs | head -n 10; failed=1; }
    done
    paths=$(sed -n 's/^  "\(executions\|depth_cut\)": \([0-9]*\),$/\2/p' said.1 | awk '{ all += $1 } END { print all + 0 }')
    [ "$paths" -gt 30 ] || { echo "too small to share: $*: $paths"; cat err; failed=1; }
}
checked=$B/verisoft-checked          # its copies begin at once
same "$checked" ./philosophers -- ordered 3 2
same "$checked" ./philosophers --stop-at-error 0 -- cyclic 3 2
same "$checked" ./philosophers --stop-at-state 2000 -- ordered 4 2
same "$checked" ./philosophers --max-depth 25 -- ordered 4 2
same "$checked" ./buffer -- 2 2 1
same verisoft ./philosophers -- ordered 3 3
same verisoft ./readers -- 2 2 2

# In words where it is no use.
verisoft "$project/tests/cases/philosophers.c" -j 2 --quiet --json r.json > out 2>&1
grep -q 'searched alone' r.json || { echo "nothing is said of -j for processes"; cat r.json; failed=1; }
exit $failed
