# --time-limit ends every search, also while the program computes or is compiled, and says so. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
cat > endless.c <<'END'
#include <stdio.h>
#include <verisoft.h>
int main(void)
{
    int queue = get_bounded_queue(2);
    char text[20];
    if (fork() == 0)
        for (unsigned n = 0;; n++) {
            VS_toss(2);
            sprintf(text, "%u", n);
            send_to_queue(queue, 2, text);
        }
    for (;;) {
        rcv_from_queue(queue, 2);
        VS_toss(2);
    }
}
END
cat > computes.c <<'END'
#include <verisoft.h>
int main(void)
{
    for (volatile unsigned long n = 0; VS_toss(1) + 1 && n + 1; n += 0)
        while (n + 1)
            ;
}
END
cat > threads.c <<'END'
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *run(void *argument)
{
    for (int i = 0; i < 300; i++)
        pthread_mutex_lock(&mutex), pthread_mutex_unlock(&mutex);
    return argument;
}
int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, run, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
END
limited()
{
    rm -f r.json
    verisoft "$@" --time-limit 1 --json r.json > out 2>&1
    is "exit status of $*" 3 $?
    is "stopped by, $*" time_limit "$(json r.json stopped_by)"
    is "result of $*" incomplete "$(json r.json result)"
    grep -q "The time limit ended the search" out || { echo "$*: not said"; failed=1; }
}
build endless endless.c
build computes computes.c
for search in auto dfs stateful; do
    limited ./endless --search $search --max-depth 0 --livelock-limit 0
done
limited ./endless --search random --stop-at-state 0 --livelock-limit 0
limited ./computes --divergence-limit 1000
for reduction in none optimal; do
    limited threads.c --reduction $reduction
done
limited threads.c --search stateful

# What is said of threads needs a search that has begun, however busy the machine is.
begun()                              # OPTIONS
{
    seconds=1
    while verisoft ./threads "$@" --time-limit $seconds --json r.json > out 2>&1; [ "$(json r.json transitions)" = 0 ] && [ $seconds -lt 100 ]; do
        seconds=$((2 * seconds))
    done
}
must ${CC:-gcc} -g -pthread threads.c -o threads
for reduction in none optimal; do
    begun --reduction $reduction
    xargs < out | grep -q "same memory, --search stateful is quicker" || { cat out; failed=1; }
done
begun --search stateful
! grep -q "is quicker" out || { cat out; failed=1; }
printf '#!/bin/sh\nexec sleep 1000\n' > slow-compiler
chmod +x slow-compiler
CC=./slow-compiler limited endless.c
printf '#!/bin/sh\ncase " $* " in */watched*) exec sleep 1000 ;; esac\nexec %s "$@"\n' "${CC:-gcc}" > slow-second-time
chmod +x slow-second-time            # a program with threads is compiled once more, to see what they share
CC=./slow-second-time limited threads.c

# The system's own limit, of processor time, which is met soonest where only the search takes it; and a system that sets no timer.
build table "$project/examples/philosophers.c"
(ulimit -S -t 1; exec verisoft ./table --search dfs --reduction none --stop-at-error 0 -- 7) > out 2>&1
is "exit status with a second of processor time" 3 $?
grep -q 'processor time is limited' out || { cat out; failed=1; }
SETITIMER=38
refused $SETITIMER true
if [ $? != 77 ]; then
    refused $SETITIMER verisoft ./endless --time-limit 1 > out 2>&1
    is "exit status without a timer" 2 $?
    grep -q 'sets no timer' out || { cat out; failed=1; }
fi

# A search that comes to its end before says so.
verisoft ./endless --max-depth 5 --livelock-limit 0 --time-limit 1000 --json r.json > out 2>&1
is "exit status" 3 $?
is "stopped by" max_depth "$(json r.json stopped_by)"
exit $failed
