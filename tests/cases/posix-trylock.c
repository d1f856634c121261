/* expect: complete.  optimal: 3 executions, 0 sleep_cut.  none: 7 executions.  searches: optimal, source, sleep, none.
 * expect -DWRONG: structure.  errors: structure 1.
 *
 * A try comes before the other's critical section, in it (EBUSY) or after it. WRONG: it unlocks what it did not get.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *thread(void *argument)
{
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, thread, NULL);
    int result = pthread_mutex_trylock(&lock);
    assert(result == 0 || result == EBUSY);
    if (result == 0)
        counter++;
#ifndef WRONG
    if (result == 0)
#endif
        pthread_mutex_unlock(&lock);                             /* ERROR */
    pthread_join(other, NULL);
    assert(counter == 1 + (result == 0));
    return 0;
}
