/* Threads add to one atomic variable, and look at what it was; then to one of their own, which costs nothing in a search:
 *     atomics THREADS TIMES
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { MOST = 16 };
static atomic_long counter, largest[MOST];

static void *count(void *arg)
{
    long which = (long)arg / 100, times = (long)arg % 100;
    for (long i = 0; i < times; i++) {
        long before = atomic_fetch_add(&counter, 1);
        if (before > largest[which])
            largest[which] = before;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[MOST];
    if (argc != 3)
        return 2;
    long n = atol(argv[1]), times = atol(argv[2]);
    if (n < 1 || n > MOST || times < 0 || times >= 100)
        return 2;
    for (long i = 0; i < n; i++)
        pthread_create(&threads[i], NULL, count, (void *)(100 * i + times));
    for (long i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    assert(counter == n * times);
    return 0;
}
