/* expect: complete.  optimal: 6 executions.
 * expect -DWRONG: assertion.
 *
 * Double-checked initialisation, with both looks under the lock. WRONG: the second look was saved, so two threads build it.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *instance, built;

static int *look(void)
{
    pthread_mutex_lock(&lock);
    int *found = instance;
    pthread_mutex_unlock(&lock);
    return found;
}

static int *get(void)
{
    int *found = look();
    if (found)
        return found;
    pthread_mutex_lock(&lock);
#ifndef WRONG
    if (!instance)
#endif
    {
        assert(built++ == 0);                                    /* ERROR */
        instance = malloc(sizeof *instance);
        *instance = 7;
    }
    found = instance;
    pthread_mutex_unlock(&lock);
    return found;
}

static void *user(void *argument)
{
    assert(*get() == 7);
    return argument;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, user, NULL);
    user(NULL);
    pthread_join(other, NULL);
    free(instance);
    return 0;
}
