/* expect: complete.
 * expect -DWRONG: deadlock.
 *
 * A thread that is cancelled while it waits for a condition wakes with the mutex locked, and its clean-up handler must unlock
 * it.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int cleaned;

static void unlock(void *mutex)
{
    cleaned++;
#ifdef WRONG
    (void)mutex;
#else
    pthread_mutex_unlock(mutex);
#endif
}

static void *thread(void *argument)
{
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(unlock, &lock);
    for (;;)
        pthread_cond_wait(&never, &lock);
    pthread_cleanup_pop(1);
    return argument;
}

int main(void)
{
    pthread_t other;
    void *value;
    pthread_create(&other, NULL, thread, NULL);
    assert(pthread_cancel(other) == 0);
    pthread_join(other, &value);
    assert(value == PTHREAD_CANCELED);
    pthread_mutex_lock(&lock);                                   /* ERROR */
    assert(cleaned == 1);
    pthread_mutex_unlock(&lock);
    return 0;
}
