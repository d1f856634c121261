# --memory-limit ends every search that holds more, and says so; one that needs less is not changed by it. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
cat > threads.c <<'END'
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int rounds;
static void *run(void *argument)
{
    for (;;) {
        pthread_mutex_lock(&mutex);
        rounds++;
        pthread_mutex_unlock(&mutex);
    }
    return argument;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    run(NULL);
    return 0;
}
END
limited()
{
    rm -f r.json
    verisoft "$@" --json r.json > out 2>&1
    is "exit status of $*" 3 $?
    is "stopped by, $*" memory_limit "$(json r.json stopped_by)"
    is "result of $*" incomplete "$(json r.json result)"
    grep -q "The memory limit ended the search" out || { echo "$*: not said"; failed=1; }
}
build elevator "$project/examples/elevator.c"
for search in auto stateful bfs; do
    limited ./elevator --search $search --memory-limit 400K --max-depth 0 --livelock-limit 0
done
limited threads.c --instrument 0 --memory-limit 200K --search stateful
limited threads.c --instrument 0 --memory-limit 200K --search dfs --max-depth 0 --reduction source

# A small limit is reached with few states, a larger one with more, and what is enough changes nothing.
states() { verisoft ./elevator --search stateful --memory-limit $1 --json r.json --quiet; echo "$? $(json r.json states)"; }
few=$(states 200K) more=$(states 800K)
[ "${few#3 }" -lt "${more#3 }" ] || { echo "200K: $few, 800K: $more"; failed=1; }
is "without a limit, and with a large one" "$(states 0)" "$(states 1G)"

for size in x 4T 64MB -1 9999999999G; do
    verisoft ./elevator --memory-limit=$size
    echo "status $?"
done
exit $failed
