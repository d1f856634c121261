# Every allocation fails in turn: what was found is told, or why nothing was; nobody dies of it, and nothing is left.
# SPDX-License-Identifier: MIT
. "$project/tests/lib/kill.sh"
[ -z "$SAN" ] || { echo "the sanitizer has an allocator of its own"; exit 77; }
must ${CC:-gcc} -O1 -shared -fPIC -o starve.so "$project/tests/lib/starve.c"
bring tests/cases/philosophers.c examples/transfer.c
build phil philosophers.c
must ${CC:-gcc} -g -pthread -o transfer transfer.c

# A death by a signal is none of ours; of errors (1), none (0, 3) and an unusable run (2) each has its words.
starved() {                          # AT STARVE_ALL COMMAND...
    at=$1 all=$2
    shift 2
    rm -f r.json
    env STARVE_AT=$at ${all:+STARVE_ALL=1} LD_PRELOAD="$PWD/starve.so" "$@" > out 2> err < /dev/null
    status=$?
    case $status in
    1) return ;;                     # the error, all the same
    2) [ -s err ] || [ -s out ] && return ;;
    3) grep -q '"result": "incomplete"' r.json && return ;;
    0) grep -q '"errors": \[\]' r.json && [ -z "$wrong" ] && return ;;
    esac
    echo "allocation $at${all:+ and all after it}, $*: status $status"
    tail -n 5 out err
    failed=1
}

each() {                             # WRONG COMMAND...: every allocation of the first ones, then fewer and fewer of them
    wrong=$1
    shift
    STARVE_COUNT=$PWD/count LD_PRELOAD=$PWD/starve.so "$@" > out 2> err
    most=$(cat count) at=1
    while [ $at -le $most ] && [ $failed = 0 ]; do
        starved $at '' "$@"
        starved $at all "$@"
        at=$((at + 1 + at / ${PART:-12}))
    done
    nothing_left "$* without memory"
}
each wrong verisoft ./phil --json r.json -- 2
each wrong verisoft ./transfer --json r.json
each '' verisoft ./phil --json r.json --search stateful --reduction none --ignore-deadlock 1 --livelock-limit 0 -- 3
verisoft ./transfer > /dev/null
each wrong verisoft replay ./transfer error1.path
next_run_works
exit $failed
