/* expect: structure in process 1.
 * expect -DCHECK: complete.
 *
 * A mutex is unlocked twice: undefined for a normal one, EPERM for one that checks.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

#ifdef CHECK
static pthread_mutex_t lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
#else
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#endif

static void *thread(void *argument)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, thread, NULL);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    int result = pthread_mutex_unlock(&lock);                    /* ERROR */
    assert(result == EPERM);
    pthread_join(other, NULL);
    return 0;
}
