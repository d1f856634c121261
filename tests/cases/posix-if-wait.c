/* expect: complete.  optimal: 30 executions.  searches: optimal, source.
 * expect -DWRONG: assertion.  searches: optimal, source.
 *
 * One item, two consumers, a condition: who was woken must look again, for another may have been quicker. WRONG: if, not
 * while.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items;

static void *consumer(void *argument)
{
    pthread_mutex_lock(&lock);
#ifdef WRONG
    if (items == 0)
#else
    while (items == 0)
#endif
        pthread_cond_wait(&filled, &lock);
    items--;
    assert(items >= 0);                                          /* ERROR */
    pthread_mutex_unlock(&lock);
    return argument;
}

static void produce(void)
{
    pthread_mutex_lock(&lock);
    items++;
    pthread_cond_broadcast(&filled);
    pthread_mutex_unlock(&lock);
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, consumer, NULL);
    produce();
    produce();
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
