/* expect: complete.  arguments: 2.  optimal: 4 executions, 0 sleep_cut.  searches: optimal, source, sleep.
 * expect: complete.  arguments: 3.  optimal: 8 executions, 0 sleep_cut.  searches: optimal, source.
 * expect: complete.  arguments: 5.  optimal: 32 executions, 0 sleep_cut.  searches: optimal, source.
 * expect: complete.  arguments: 8.  optimal: 256 executions, 0 sleep_cut.  searches: optimal.
 *
 * One thread takes N locks one after the other, and N others one of them each: two orders for each lock, 2^N.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdlib.h>

enum { MOST = 16 };

static pthread_mutex_t locks[MOST];

static void *visit(void *lock)
{
    pthread_mutex_lock(lock);
    pthread_mutex_unlock(lock);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[MOST];
    int n = argc > 1 ? atoi(argv[1]) : 2;
    for (int i = 0; i < n; i++)
        pthread_mutex_init(&locks[i], NULL);
    for (int i = 0; i < n; i++)
        pthread_create(&threads[i], NULL, visit, &locks[i]);
    for (int i = 0; i < n; i++)
        visit(&locks[i]);
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
