/* expect: complete.  optimal: 2 executions.
 * expect -DWRONG: deadlock.
 *
 * A recursive mutex is free again when it was unlocked as often as it was locked. WRONG: once too few.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int depth;

static void descend(int n)
{
    assert(pthread_mutex_lock(&lock) == 0);                      /* ERROR */
    depth++;
    if (n > 0)
        descend(n - 1);
    depth--;
#ifdef WRONG
    if (n == 1)
        return;
#endif
    assert(pthread_mutex_unlock(&lock) == 0);
}

static void *thread(void *argument)
{
    descend(2);
    return argument;
}

int main(void)
{
    pthread_t other;
    pthread_mutexattr_t kind;
    int type;
    pthread_mutexattr_init(&kind);
    assert(pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE) == 0);
    assert(pthread_mutexattr_gettype(&kind, &type) == 0 && type == PTHREAD_MUTEX_RECURSIVE);
    assert(pthread_mutex_init(&lock, &kind) == 0);
    pthread_mutexattr_destroy(&kind);
    pthread_create(&other, NULL, thread, NULL);
    descend(1);
    pthread_join(other, NULL);                                   /* ERROR */
    assert(depth == 0);
    return 0;
}
