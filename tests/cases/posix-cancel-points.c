/* expect -DSEMAPHORE: complete.
 * expect -DREAD: complete.
 * expect -DJOIN: complete.
 * expect -DSLEEP: complete.
 * expect -DMUTEX: deadlock.
 *
 * Where a thread can be cancelled while it waits: in sem_wait, read, pthread_join and sleep. Not in pthread_mutex_lock.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static sem_t never;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t first;
static int ends[2];

static void *waits(void *argument)
{
#if defined SEMAPHORE
    sem_wait(&never);
    pthread_exit(argument);
#elif defined READ
    char c;
    if (read(ends[0], &c, 1) >= 0)
        pthread_exit(argument);
#elif defined JOIN
    pthread_join(first, NULL);
    pthread_exit(argument);
#elif defined SLEEP
    sleep(1000);
    sem_wait(&never);
    pthread_exit(argument);
#else
    pthread_mutex_lock(&lock);                                   /* ERROR */
#endif
    return argument;
}

int main(void)
{
    pthread_t other;
    void *value;
    first = pthread_self();
    assert(pipe(ends) == 0 && sem_init(&never, 0, 0) == 0);
    pthread_mutex_lock(&lock);
    pthread_create(&other, NULL, waits, &lock);
    assert(pthread_cancel(other) == 0);
    pthread_join(other, &value);                                 /* ERROR */
    assert(value == PTHREAD_CANCELED);
    return 0;
}
