# A search by several processes is ended at random moments, and copies of it are killed: nothing is left, and what it comes to is the same. KILLS says how
# often. SPDX-License-Identifier: MIT
. "$project/tests/lib/kill.sh"
${CC:-cc} -g -o program "$project/bench/threads/philosophers.c" -pthread || exit 1
number() { echo $(($(od -An -N4 -tu4 /dev/urandom) % $1)); }         # below $1
for i in $(seq "${KILLS:-12}"); do
    signal=9 moment=$(number 600000)
    case $((i % 3)) in 0) signal=15 ;; 1) signal=2 ;; esac
    cut $signal $moment - verisoft ./program -j 3 --quiet -- ordered 9 4 > /dev/null 2>&1 < /dev/null
    nothing_left "$signal after $moment microseconds"
    [ $failed = 0 ] || exit 1
done

# Whoever dies, only time is lost.
counts() { for key in result states transitions executions max_depth; do echo "$key $(json "$1" $key)"; done; }
verisoft ./program --quiet --json alone.json -- ordered 4 3 > out 2>&1
# A sanitizer looks for leaks by a copy of its own, for which it would wait for ever.
ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 verisoft ./program --quiet --json helped.json -j 3 -- ordered 4 3 > out 2>&1 &
search=$!
killed=0
while kill -0 $search 2> /dev/null; do
    copy=$(pgrep -P $search -x verisoft | head -n 1)
    [ "$copy" ] && kill -9 "$copy" 2> /dev/null && killed=$((killed + 1))
    sleep 0.05
done
wait $search
is "status with copies killed" 0 $?
[ $killed -gt 0 ] || { echo "there was no copy to kill"; failed=1; }
counts alone.json > alone; counts helped.json > helped
diff alone helped || failed=1
nothing_left "copies were killed"
no_objects_left
exit $failed
