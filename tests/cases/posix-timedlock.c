/* expect: complete.  optimal: 6 executions.
 * expect -DWRONG: structure in process 1.
 *
 * pthread_mutex_timedlock and pthread_mutex_clocklock may time out while another has the lock. WRONG: nobody looks at the
 * result.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *thread(void *argument)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void)
{
    pthread_t other;
    struct timespec until;
    pthread_create(&other, NULL, thread, NULL);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 3600;
    int result = pthread_mutex_timedlock(&lock, &until);
#ifndef WRONG
    assert(result == 0 || result == ETIMEDOUT);
    if (result == 0)
#endif
        pthread_mutex_unlock(&lock);                             /* ERROR */
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += 3600;
    result = pthread_mutex_clocklock(&lock, CLOCK_MONOTONIC, &until);
    if (result == 0)
        pthread_mutex_unlock(&lock);
    pthread_join(other, NULL);
    return 0;
}
