/* expect: complete.  optimal: 24 executions.  source: 24 executions.
 * expect -DJOIN: complete.  optimal: 24 executions.  source: 24 executions.
 * expect -DLEAVE: complete.  optimal: 24 executions.  source: 24 executions.
 * expect -DDETACH -DEXIT: complete.  optimal: 24 executions.  source: 24 executions.
 * expect -DWRONG: assertion.  errors: assertion 1.  optimal: 24 executions.
 * expect -DSTUCK: complete.  optimal: 24 executions.
 *
 * Four threads take a lock: 24 orders, whether main joins them, returns, calls exit, or leaves by pthread_exit. The end of the program
 * cuts short what is searched anyway, and ends of threads commute. WRONG: an error that needs all four to come so far before
 * the program ends. STUCK: threads that never go on do not keep main from ending the program.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, kept = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void last(void)
{
#ifdef WRONG
    assert(0);                                                   /* ERROR */
#endif
}

static void *use(void *argument)
{
    pthread_mutex_lock(&lock);
    int now = ++count;
    pthread_mutex_unlock(&lock);
    if (now == THREADS)
        last();
#ifdef STUCK
    pthread_mutex_lock(&kept);
#endif
    return argument;
}

int main(void)
{
    pthread_t threads[THREADS];
    pthread_mutex_lock(&kept);
    for (int i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], NULL, use, NULL);
#ifdef DETACH
        pthread_detach(threads[i]);
#endif
    }
#ifdef JOIN
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
#endif
#ifdef LEAVE
    pthread_exit(NULL);
#endif
#ifdef EXIT
    exit(0);
#endif
    return 0;
}
