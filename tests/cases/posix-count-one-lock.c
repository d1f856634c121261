/* expect: complete.  arguments: 2.  optimal: 2 executions, 0 sleep_cut.  none: 151 executions.  searches: optimal, source,
 * sleep, none.
 * expect: complete.  arguments: 3.  optimal: 6 executions, 0 sleep_cut.  searches: optimal, source, sleep.
 * expect: complete.  arguments: 4.  optimal: 24 executions, 0 sleep_cut.  searches: optimal, source.
 * expect: complete.  arguments: 5.  optimal: 120 executions, 0 sleep_cut.  searches: optimal, source.
 *
 * N threads take one lock: N! orders.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { MOST = 16 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *visit(void *argument)
{
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(int argc, char **argv)
{
    pthread_t threads[MOST];
    int n = argc > 1 ? atoi(argv[1]) : 2;
    for (int i = 0; i < n; i++)
        pthread_create(&threads[i], NULL, visit, NULL);
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    assert(counter == n);
    return 0;
}
