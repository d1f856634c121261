/* expect: complete.
 * expect -DWRONG: deadlock in process 0.  optimal: 2 executions.
 *
 * A function that locks calls another one that locks the same: with a normal mutex that is the end.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int size, capacity = 1;

static void grow_locked(void)
{
    capacity *= 2;
}

static void grow(void)
{
    pthread_mutex_lock(&lock);                                   /* ERROR */
    grow_locked();
    pthread_mutex_unlock(&lock);
}

static void push(void)
{
    pthread_mutex_lock(&lock);                                   /* ERROR */
    if (size == capacity) {
#ifdef WRONG
        grow();
#else
        grow_locked();
#endif
    }
    size++;
    pthread_mutex_unlock(&lock);
}

static void *thread(void *argument)
{
    push();
    return argument;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, thread, NULL);
    push();
    pthread_join(other, NULL);                                   /* ERROR */
    grow();
    return !(size == 2 && capacity == 4);
}
