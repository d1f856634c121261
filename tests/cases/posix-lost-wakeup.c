/* expect: complete.  optimal: 2 executions.  searches: optimal, source, sleep.
 * expect -DWRONG: deadlock in process 0.  optimal: 4 executions.  searches: optimal, source, sleep.
 *
 * The lost wake-up: who looks whether there is work lets go of the lock before it waits, and the signal comes in between.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int done;

static void *worker(void *argument)
{
    pthread_mutex_lock(&lock);
    done = 1;
    pthread_mutex_unlock(&lock);
    pthread_cond_signal(&ready);
    return argument;
}

#ifdef WRONG
static int is_done(void)
{
    pthread_mutex_lock(&lock);
    int result = done;
    pthread_mutex_unlock(&lock);
    return result;
}

static void await(void)
{
    if (!is_done()) {
        pthread_mutex_lock(&lock);
        pthread_cond_wait(&ready, &lock);                        /* ERROR */
        pthread_mutex_unlock(&lock);
    }
}
#else
static void await(void)
{
    pthread_mutex_lock(&lock);
    while (!done)
        pthread_cond_wait(&ready, &lock);
    pthread_mutex_unlock(&lock);
}
#endif

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, worker, NULL);
    await();
    pthread_join(other, NULL);
    return 0;
}
