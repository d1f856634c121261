# Threads that nobody joins: the place of one that has ended is used again, also when that can only be known from the order of steps.
# And more than there are places at a time: a limit of ours, that is told. SPDX-License-Identifier: MIT
cc=${CC:-cc}
$cc -g -pthread -DDETACH -DWRONG -o many "$project/tests/cases/posix-many-threads.c" || exit 1
verisoft ./many > found 2>&1
status=$?
if [ $status != 1 ] || ! grep -q '^error 1: deadlock' found; then
    cat found
    echo "status $status; a deadlock was expected"
    exit 1
fi
verisoft replay ./many error1.path > again 2>&1
grep -q "wait in a circle" again || { tail -n 5 again; exit 1; }
if ! grep -q '^  [0-9][0-9] other threads have returned\.$' found || grep -q 'has returned in step' found; then
    tail -n 30 found
    echo "that so many threads have returned is worth one line"
    exit 1
fi

cat > alive.c << 'END'
#include <pthread.h>
static pthread_barrier_t all;
static void *thread(void *argument) { pthread_barrier_wait(&all); return argument; }
int main(void)
{
    pthread_t t;
    pthread_barrier_init(&all, NULL, 70);
    for (int i = 0; i < 70; i++)
        pthread_create(&t, NULL, thread, NULL);
    pthread_exit(NULL);
}
END
$cc -g -pthread -o alive alive.c || exit 1
verisoft ./alive --stop-at-state 200 > found 2>&1
if [ $? = 0 ] || ! tr -s ' \n' ' ' < found | grep -q '64 at a time'; then
    cat found
    echo "more threads at a time than there is room for were not noticed"
    exit 1
fi
