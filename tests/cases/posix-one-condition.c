/* expect: complete.  optimal: 32 executions.  searches: optimal, source.
 * expect -DWRONG: deadlock.  optimal: 40 executions.  searches: optimal, source.
 *
 * A buffer of one, a producer of two and two consumers. WRONG: all wait for the same condition and one is woken: a consumer
 * may wake the other consumer, and the producer sleeps on. Right: a condition for each side.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t one = PTHREAD_COND_INITIALIZER;
#ifdef WRONG
#define filled  one
#define emptied one
#else
static pthread_cond_t two = PTHREAD_COND_INITIALIZER;
#define filled  one
#define emptied two
#endif
static int items;

static void *consumer(void *argument)
{
    pthread_mutex_lock(&lock);
    while (items == 0)
        pthread_cond_wait(&filled, &lock);                       /* ERROR */
    items--;
    pthread_cond_signal(&emptied);
    pthread_mutex_unlock(&lock);
    return argument;
}

static void produce(void)
{
    pthread_mutex_lock(&lock);
    while (items == 1)
        pthread_cond_wait(&emptied, &lock);                      /* ERROR */
    items++;
    pthread_cond_signal(&filled);
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
        pthread_join(threads[i], NULL);                          /* ERROR */
    return 0;
}
