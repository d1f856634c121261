/* expect: complete.  optimal: 6 executions, 0 sleep_cut.  source: 6 executions.  none: 765 executions.  searches: optimal,
 * source, sleep, none.
 * expect -DDYNAMIC: complete.  optimal: 6 executions, 0 sleep_cut.
 *
 * A counter under a mutex, statically and dynamically initialised. Two threads with two critical sections each: 4! / (2! 2!)
 * orders.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *thread(void *argument)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        counter++;
        pthread_mutex_unlock(&lock);
    }
    return argument;
}

int main(void)
{
    pthread_t threads[2];
#ifdef DYNAMIC
    assert(pthread_mutex_init(&lock, NULL) == 0);
#endif
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, thread, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(counter == 4);
#ifdef DYNAMIC
    assert(pthread_mutex_destroy(&lock) == 0);
#endif
    return 0;
}
