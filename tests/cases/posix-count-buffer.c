/* expect: complete.  optimal: 384 executions, 0 sleep_cut.  searches: optimal, source, sleep.
 *
 * A bounded buffer of two, one producer, one consumer, five items: 6 executions for two items, and with each further one four times as
 * many. What a thread does after it has locked depends on how far the other had come: much is foreseen wrongly at first.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>

enum { ROOM = 2, ITEMS = 5 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static int buffer[ROOM], count, puts, gets, taken;

static void *produce(void *argument)
{
    for (int i = 1; i <= ITEMS; i++) {
        pthread_mutex_lock(&lock);
        while (count == ROOM)
            pthread_cond_wait(&not_full, &lock);
        buffer[puts++ % ROOM] = i;
        count++;
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&lock);
    }
    return argument;
}

static void *consume(void *argument)
{
    for (int i = 1; i <= ITEMS; i++) {
        pthread_mutex_lock(&lock);
        while (count == 0)
            pthread_cond_wait(&not_empty, &lock);
        taken += buffer[gets++ % ROOM];
        count--;
        pthread_cond_signal(&not_full);
        pthread_mutex_unlock(&lock);
    }
    return argument;
}

int main(void)
{
    pthread_t producer, consumer;
    pthread_create(&producer, NULL, produce, NULL);
    pthread_create(&consumer, NULL, consume, NULL);
    pthread_join(producer, NULL);
    pthread_join(consumer, NULL);
    assert(count == 0 && taken == ITEMS * (ITEMS + 1) / 2);
    return 0;
}
