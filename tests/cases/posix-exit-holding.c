/* expect: complete.  optimal: 6 executions.
 * expect -DWRONG: deadlock.  optimal: 6 executions.
 *
 * A thread that ends does not let go of its locks.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int work = 2;

static void unlock(void *mutex)
{
    pthread_mutex_unlock(mutex);
}

static void step(void)
{
    if (--work == 0)
        pthread_exit(NULL);
}

static void *worker(void *argument)
{
    pthread_mutex_lock(&lock);                                   /* ERROR */
#ifdef WRONG
    step();
    unlock(&lock);
#else
    pthread_cleanup_push(unlock, &lock);
    step();
    pthread_cleanup_pop(1);
#endif
    return argument;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);                          /* ERROR */
    return 0;
}
