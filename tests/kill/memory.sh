# Every allocation fails in turn: what was found is told, or why nothing was; nobody dies of it, and nothing is left.
# SPDX-License-Identifier: MIT
. "$project/tests/lib/kill.sh"
[ -z "$SAN" ] || { echo "the sanitizer has an allocator of its own"; exit 77; }
must ${CC:-gcc} -O1 -shared -fPIC -o starve.so "$project/tests/lib/starve.c"
bring tests/cases/philosophers.c examples/transfer.c
build phil philosophers.c
must ${CC:-gcc} -g -pthread -o transfer transfer.c
cat > turns.c << 'end'
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;
static void *add(void *nothing)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        count++;
        pthread_mutex_unlock(&lock);
    }
    return nothing;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    add(NULL);
    return pthread_join(thread, NULL);
}
end
must ${CC:-gcc} -g -pthread -o turns turns.c

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
        at=$((at + 1 + at / ${PART:-6}))
    done
    nothing_left "$* without memory"
}
# Of commands that answer in words: what is said with enough memory, or that there was none (2, 3). The file that it makes is whole then, or not there.
answered() {                         # AT STARVE_ALL COMMAND...
    at=$1 all=$2
    shift 2
    rm -rf ${made:+"$made"} ${fresh:+"$fresh"*}
    env STARVE_AT=$at ${all:+STARVE_ALL=1} LD_PRELOAD="$PWD/starve.so" "$@" > out 2> err < "$typed"
    status=$?
    [ -z "$made" ] || [ ! -e "$made" ] || cmp -s "$made" whole || { echo "half of $made is there"; status=half; }
    [ "$status" = "$usual" ] && cmp -s out wanted && return
    [ "$status" = 2 ] && [ -s err ] && return
    [ "$status" = 3 ] && grep -q 'There was no more memory' out && ! grep -q '^certificate' out && return
    echo "allocation $at${all:+ and all after it}, $*: status $status"
    tail -n 5 out err
    failed=1
}

typed=/dev/null                      # what a command reads
fresh=                               # files that begin so are not there before it
each_answer() {                      # MADE COMMAND...
    made=$1
    shift
    rm -rf ${fresh:+"$fresh"*}
    STARVE_COUNT=$PWD/count LD_PRELOAD=$PWD/starve.so "$@" > wanted 2> err < "$typed"
    usual=$?
    [ -z "$made" ] || must cp "$made" whole
    [ $usual -ne 2 ] || { echo "$*: status $usual"; cat err; failed=1; }
    most=$(cat count) at=1
    while [ $at -le $most ] && [ $failed = 0 ]; do
        answered $at '' "$@"
        answered $at all "$@"
        at=$((at + 1 + at / ${PART:-2}))
    done
    [ -z "$made" ] || must cp whole "$made"
    nothing_left "$* without memory"
}

each wrong verisoft ./phil --json r.json -- 2
each wrong verisoft ./transfer --json r.json
each '' verisoft ./phil --json r.json --search stateful --reduction none --ignore-deadlock 1 --livelock-limit 0 -- 3
verisoft ./transfer --output found > /dev/null
each wrong verisoft replay ./transfer found/error1.path

# What came later: certificates of states and of executions, made and followed, whole and in parts; a cache; an estimate; formulas.
each_answer p.scc verisoft ./phil --search stateful --reduction none --certificate p.scc --livelock-limit 0 --ignore-deadlock 1 -- 3
each_answer '' verisoft certify ./phil p.scc --ignore-deadlock 1 -- 3
each_answer c.scc verisoft ./turns --reduction optimal --certificate c.scc
each_answer '' verisoft certify ./turns c.scc
each_answer '' verisoft certify ./turns c.scc --tasks 2 -j 1
each_answer '' verisoft ./phil --search stateful --reduction sleep --cache 20 --livelock-limit 0 --ignore-deadlock 1 -- 3
each_answer '' verisoft ./phil --search estimate --reduction none --stop-at-state 40 --livelock-limit 0 --ignore-deadlock 1 -- 3
each_answer '' verisoft ltl '[] (p -> <> q)'

# The simulator.
printf '%s\n' 'go 1' 'go 2' objects trace back 'go 2' end quit > commands
typed=commands
each_answer '' verisoft simulate ./transfer --terminal
each_answer '' verisoft simulate ./transfer found/error1.path --terminal
typed=/dev/null

# A suite, and models.
printf '%s\n' '[box]' '[[driver]]' 'name = "A"' 'run = "exec vs toss 1"' > suite.toml
PART=1 each_answer '' verisoft test suite.toml
if [ -x "$B/verisoft-extract" ]; then
    must cp "$project"/examples/alternating-bit/* .
    each_answer '' verisoft extract lossy.harness
    ! grep -q "^sqlite='yes'" "$project/build/parts" || { verisoft farm lossy.harness list > /dev/null; each_answer '' verisoft farm lossy.harness list; }
fi
if [ -x "$B/verisoft-extract" ] && command -v spin > /dev/null; then
    sed 's/^without progress/&\nwithout deadlock\nwithout unspecified\nwithout assertions/' lossy.harness > one.harness
    PART=1 each_answer '' verisoft verify one.harness
    fresh=one.farm
    ! grep -q "^sqlite='yes'" "$project/build/parts" || PART=1 each_answer '' verisoft farm one.harness --once -j 1
fi
next_run_works
exit $failed
