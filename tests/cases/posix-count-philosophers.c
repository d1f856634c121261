/* expect: deadlock in process 0.  arguments: 2.  errors: deadlock 1.  optimal: 3 executions, 0 sleep_cut.  none: 811
 * executions.  source: 3 executions.  searches: optimal, source, sleep, none.
 * expect: deadlock in process 0.  arguments: 3.  errors: deadlock 1.  optimal: 7 executions, 0 sleep_cut.  searches: optimal,
 * source.
 * expect: deadlock in process 0.  arguments: 4.  errors: deadlock 1.  optimal: 15 executions, 0 sleep_cut.  searches: optimal,
 * source.
 * expect: deadlock in process 0.  arguments: 5.  errors: deadlock 1.  optimal: 31 executions, 0 sleep_cut.  searches: optimal.
 * expect -DORDERED: complete.  arguments: 2.  optimal: 2 executions, 0 sleep_cut.  none: 540 executions.  searches: optimal,
 * source, sleep, none.
 * expect -DORDERED: complete.  arguments: 3.  optimal: 6 executions, 0 sleep_cut.  searches: optimal, source.
 * expect -DORDERED: complete.  arguments: 4.  optimal: 14 executions, 0 sleep_cut.  searches: optimal, source.
 * expect -DORDERED: complete.  arguments: 5.  optimal: 30 executions, 0 sleep_cut.  searches: optimal.
 *
 * Dining philosophers. Each fork is taken by one neighbour first: 2^N ways, and each is one execution at most. Left fork
 * first: all left is the deadlock, and all right cannot be (each would have had its second fork before its first): 2^N - 1. In
 * a fixed order the deadlock is gone, too: 2^N - 2.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdlib.h>

enum { MOST = 8 };

static pthread_mutex_t forks[MOST];
static int n;

static void *philosopher(void *argument)
{
    int i = (int)((pthread_mutex_t *)argument - forks), left = i, right = (i + 1) % n;
#ifdef ORDERED
    if (left > right) {
        left = right;
        right = i;
    }
#endif
    pthread_mutex_lock(&forks[left]);
    pthread_mutex_lock(&forks[right]);                           /* ERROR */
    pthread_mutex_unlock(&forks[right]);
    pthread_mutex_unlock(&forks[left]);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[MOST];
    n = argc > 1 ? atoi(argv[1]) : 3;
    for (int i = 0; i < n; i++)
        pthread_mutex_init(&forks[i], NULL);
    for (int i = 0; i < n; i++)
        pthread_create(&threads[i], NULL, philosopher, &forks[i]);
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);                          /* ERROR */
    return 0;
}
