/* expect: complete.  optimal: 2 executions.  searches: optimal, source, sleep.
 * expect -DWRONG: deadlock in process 0.  optimal: 2 executions.  searches: optimal, source, sleep.
 *
 * A signal that comes before anybody waits is not remembered. WRONG: there is no variable that says that it came.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t started = PTHREAD_COND_INITIALIZER;
static int has_started;

static void *server(void *argument)
{
    pthread_mutex_lock(&lock);
    has_started = 1;
    pthread_cond_signal(&started);
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, server, NULL);
    pthread_mutex_lock(&lock);
#ifdef WRONG
    pthread_cond_wait(&started, &lock);                          /* ERROR */
#else
    while (!has_started)
        pthread_cond_wait(&started, &lock);
#endif
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
