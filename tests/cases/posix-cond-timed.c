/* expect: complete.  optimal: 6 executions.
 * expect -DWRONG: assertion in process 1.
 *
 * pthread_cond_timedwait with a monotonic clock, and pthread_cond_clockwait: whether the signal or the time comes first is
 * open. WRONG: who waited takes it that there is something now.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled;
static int items;

static void *producer(void *argument)
{
    pthread_mutex_lock(&lock);
    items++;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void)
{
    pthread_t other;
    pthread_condattr_t attributes;
    struct timespec until;
    pthread_condattr_init(&attributes);
    assert(pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0);
    assert(pthread_cond_init(&filled, &attributes) == 0);
    pthread_condattr_destroy(&attributes);
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += 5;
    pthread_create(&other, NULL, producer, NULL);
    pthread_mutex_lock(&lock);
#ifdef WRONG
    if (items == 0)
        pthread_cond_timedwait(&filled, &lock, &until);
    assert(items == 1);                                          /* ERROR */
#else
    int result = 0;
    while (items == 0 && result == 0)
        result = pthread_cond_timedwait(&filled, &lock, &until);
    assert(items == 1 || result == ETIMEDOUT);
    if (items == 0)
        result = pthread_cond_clockwait(&filled, &lock, CLOCK_MONOTONIC, &until);
    assert(items == 1 || result == ETIMEDOUT);
#endif
    pthread_mutex_unlock(&lock);
    pthread_join(other, NULL);
    assert(pthread_cond_destroy(&filled) == 0);
    return 0;
}
