/* expect: complete.
 * expect -DWRONG: assertion.
 *
 * Two consumers and one item. WRONG: they look at the value of the semaphore first and then take without asking, and it
 * underflows.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t items;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stock = 1;

static int get(void)
{
#ifdef WRONG
    int value;
    sem_getvalue(&items, &value);
    return value > 0;
#else
    return sem_trywait(&items) == 0;
#endif
}

static void *consumer(void *argument)
{
    if (get()) {
        pthread_mutex_lock(&lock);
        stock--;
        assert(stock >= 0);                                      /* ERROR */
        pthread_mutex_unlock(&lock);
#ifdef WRONG
        sem_trywait(&items);
#endif
    }
    return argument;
}

int main(void)
{
    pthread_t other;
    sem_init(&items, 0, 1);
    pthread_create(&other, NULL, consumer, NULL);
    consumer(NULL);
    pthread_join(other, NULL);
    return 0;
}
