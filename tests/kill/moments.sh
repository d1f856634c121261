# The controller is killed at random moments, from the first microsecond on: nothing is left of any kind of run. KILLS says how often.
# SPDX-License-Identifier: MIT
. "$project/tests/lib/kill.sh"
bring two.c tests/cases/posix-fork.c
build linked two.c
${CC:-cc} -g -o threads "$project/bench/threads/philosophers.c" -pthread || exit 1
${CC:-cc} -g -o forks posix-fork.c -pthread || exit 1
verisoft ./linked --quiet > said 2>&1
[ -e error1.path ] || { echo "no scenario to replay:"; cat said; exit 1; }

number() { echo $(($(od -An -N4 -tu4 /dev/urandom) % $1)); }         # below $1

one() {                              # MICROSECONDS WHICH
    case $2 in
    0) cut 9 $1 - verisoft ./linked --quiet ;;
    1) cut 9 $1 - verisoft ./threads --quiet -- ordered 4 2 ;;
    2) cut 9 $1 - verisoft ./threads --restart 1 --quiet -- ordered 3 2 ;;
    3) cut 9 $1 - verisoft ./forks --quiet ;;
    4) cut 9 $1 - verisoft replay ./linked error1.path ;;
    5) cut 9 $1 - verisoft two.c --quiet ;;
    esac > /dev/null 2>&1 < /dev/null
}

longest=40000
[ "$SAN" ] && longest=400000
for i in $(seq "${KILLS:-30}"); do
    moment=$(number $longest) which=$(number 6)
    [ $which = 5 ] && moment=$(number $((10 * longest)))             # it compiles first
    one $moment $which
    echo "run $which, $moment microseconds" >> moments
    [ $((i % 10)) = 0 ] && nothing_left "$(tail -n 10 moments)"
    [ $failed = 0 ] || exit 1
done
nothing_left "the last of them"
no_objects_left
next_run_works
exit $failed
