/* expect: complete.  optimal: 10 executions.  searches: optimal, source.
 * expect -DWRONG: deadlock.  optimal: 10 executions.  searches: optimal, source.
 *
 * A gate through which all may go once it is open. WRONG: it wakes one of those who wait before it.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static int is_open;

static void *visitor(void *argument)
{
    pthread_mutex_lock(&lock);
    while (!is_open)
        pthread_cond_wait(&opened, &lock);                       /* ERROR */
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, visitor, NULL);
    pthread_mutex_lock(&lock);
    is_open = 1;
#ifdef WRONG
    pthread_cond_signal(&opened);
#else
    pthread_cond_broadcast(&opened);
#endif
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);                          /* ERROR */
    return 0;
}
