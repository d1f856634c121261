/* expect: complete.  optimal: 2 executions.
 * expect: assertion in process 1.  options: --spurious-wakeups.
 * expect -DRIGHT: complete.
 *
 * A wait without a loop is right as long as nobody wakes for no reason, which POSIX allows. Two executions: the flag is set
 * before the wait or after it began.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int flag;

static void *thread(void *argument)
{
    pthread_mutex_lock(&lock);
    flag = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, thread, NULL);
    pthread_mutex_lock(&lock);
#ifdef RIGHT
    while (!flag)
#else
    if (!flag)
#endif
        pthread_cond_wait(&changed, &lock);
    assert(flag);                                                /* ERROR */
    pthread_mutex_unlock(&lock);
    pthread_join(other, NULL);
    return 0;
}
