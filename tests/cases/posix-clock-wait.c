/* expect: complete.
 *
 * Nobody can wait by a clock of processor time; by the others the calls work.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t gate = PTHREAD_RWLOCK_INITIALIZER;

static void try(clockid_t clock, int expected)
{
    struct timespec soon;
    sem_t jobs;
    sem_init(&jobs, 0, 1);
    clock_gettime(clock, &soon);
    soon.tv_sec++;
    int result = sem_clockwait(&jobs, clock, &soon);
    assert(expected ? result == -1 && errno == expected : result == 0);
    result = pthread_cond_clockwait(&never, &lock, clock, &soon);
    assert(result == (expected ? expected : ETIMEDOUT));
    assert(pthread_mutex_clocklock(&other, clock, &soon) == expected);
    if (!expected)
        pthread_mutex_unlock(&other);
    assert(pthread_rwlock_clockrdlock(&gate, clock, &soon) == expected);
    if (!expected)
        pthread_rwlock_unlock(&gate);
    assert(pthread_rwlock_clockwrlock(&gate, clock, &soon) == expected);
    if (!expected)
        pthread_rwlock_unlock(&gate);
}

int main(void)
{
    pthread_mutex_lock(&lock);
    try(CLOCK_MONOTONIC, 0);
    try(CLOCK_REALTIME, 0);
    try(CLOCK_PROCESS_CPUTIME_ID, EINVAL);
    pthread_mutex_unlock(&lock);
    return 0;
}
