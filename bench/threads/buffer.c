/* A bounded buffer with condition variables:
 *     buffer PRODUCERS CONSUMERS ITEMS
 * Each producer puts so many items in; the consumers take an equal share of all of them out.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { ROOM = 2, MOST = 16 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static long buffer[ROOM], count, puts, gets, taken;

static void put(long item)
{
    pthread_mutex_lock(&lock);
    while (count == ROOM)
        pthread_cond_wait(&not_full, &lock);
    buffer[puts++ % ROOM] = item;
    count++;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
}

static void get(void)
{
    pthread_mutex_lock(&lock);
    while (count == 0)
        pthread_cond_wait(&not_empty, &lock);
    taken += buffer[gets++ % ROOM];
    count--;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&lock);
}

static void *produce(void *items)
{
    for (long i = 1; i <= (long)items; i++)
        put(i);
    return NULL;
}

static void *consume(void *items)
{
    for (long i = 0; i < (long)items; i++)
        get();
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[MOST];
    if (argc != 4)
        return 2;
    long producers = atol(argv[1]), consumers = atol(argv[2]), items = atol(argv[3]);
    if (producers < 1 || consumers < 1 || producers + consumers > MOST || producers * items % consumers)
        return 2;
    for (long i = 0; i < producers; i++)
        pthread_create(&threads[i], NULL, produce, (void *)items);
    for (long i = 0; i < consumers; i++)
        pthread_create(&threads[producers + i], NULL, consume, (void *)(producers * items / consumers));
    for (long i = 0; i < producers + consumers; i++)
        pthread_join(threads[i], NULL);
    assert(count == 0 && taken == producers * items * (items + 1) / 2);
    return 0;
}
