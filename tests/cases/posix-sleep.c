/* expect: complete.
 * expect -DWRONG: assertion in process 1.
 *
 * Sleeping is no synchronisation, however long. WRONG: the others are given seconds, and must be done then.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *worker(void *argument)
{
    usleep(10);
    pthread_mutex_lock(&lock);
    done = 1;
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void)
{
    pthread_t other;
    struct timespec little = { .tv_nsec = 1000 };
    pthread_create(&other, NULL, worker, NULL);
    nanosleep(&little, NULL);
    clock_nanosleep(CLOCK_MONOTONIC, 0, &little, NULL);
    sched_yield();
#ifdef WRONG
    sleep(3);
    pthread_mutex_lock(&lock);
    assert(done);                                                /* ERROR */
    pthread_mutex_unlock(&lock);
#endif
    pthread_join(other, NULL);
    assert(done);
    return 0;
}
