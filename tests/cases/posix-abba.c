/* expect: complete.  optimal: 2 executions.  none: 10 executions.  searches: optimal, source, sleep, none.
 * expect -DWRONG: deadlock in process 0.  message: "circle".  errors: deadlock 1.  optimal: 3 executions.  none: 21
 * executions.  searches: optimal, source, sleep, none.
 *
 * Two locks, taken in opposite orders. Three executions: one thread first, the other first, and the deadlock.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int money_a = 10, money_b = 10;

static void transfer(pthread_mutex_t *from, pthread_mutex_t *to, int amount)
{
    pthread_mutex_lock(from);
    pthread_mutex_lock(to);                                      /* ERROR */
    money_a -= amount;
    money_b += amount;
    pthread_mutex_unlock(to);
    pthread_mutex_unlock(from);
}

static void *thread(void *argument)
{
#ifdef WRONG
    transfer(&b, &a, -1);
#else
    transfer(&a, &b, -1);
#endif
    return argument;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, thread, NULL);
    transfer(&a, &b, 2);
    pthread_join(threads[0], NULL);
    return !(money_a == 9 && money_b == 11);
}
