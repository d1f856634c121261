/* expect: structure in process 2.
 * expect -DCHECK: complete.
 *
 * A thread unlocks what another has locked: undefined for a normal mutex, EPERM for one that checks. (A semaphore may be used
 * so.)
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

static void *stranger(void *argument)
{
    int result = pthread_mutex_unlock(&lock);                    /* ERROR */
    assert(result == EPERM);
    return argument;
}

int main(void)
{
    pthread_t other;
    pthread_mutex_lock(&lock);
    pthread_create(&other, NULL, stranger, NULL);
    pthread_join(other, NULL);
    assert(pthread_mutex_unlock(&lock) == 0);
    return 0;
}
