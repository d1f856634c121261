/* expect: complete.  optimal: 2 executions.  none: 6 executions.  searches: optimal, source, sleep, none.
 * expect -DWRONG: assertion in process 1.  searches: optimal, source, sleep, none.
 *
 * Every access is locked, and yet an update is lost: reading and writing are two critical sections.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance;

#ifdef WRONG
static int get(void)
{
    pthread_mutex_lock(&lock);
    int value = balance;
    pthread_mutex_unlock(&lock);
    return value;
}

static void set(int value)
{
    pthread_mutex_lock(&lock);
    balance = value;
    pthread_mutex_unlock(&lock);
}

static void add(int amount) { set(get() + amount); }
#else
static void add(int amount)
{
    pthread_mutex_lock(&lock);
    balance += amount;
    pthread_mutex_unlock(&lock);
}
#endif

static void *thread(void *argument)
{
    add(1);
    return argument;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, thread, NULL);
    add(2);
    pthread_join(other, NULL);
    assert(balance == 3);                                        /* ERROR */
    return 0;
}
