/* expect: complete.  optimal: 1 executions.
 *
 * pthread_exit from deep inside a thread, and its value.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>

static void leave(int depth)
{
    static int value = 42;
    if (depth == 0)
        pthread_exit(&value);
    if (depth > 0)
        leave(depth - 1);
    value++;
}

static void *thread(void *argument)
{
    leave(*(int *)argument);
    return NULL;
}

int main(void)
{
    pthread_t other;
    int depth = 5;
    void *value;
    pthread_create(&other, NULL, thread, &depth);
    pthread_join(other, &value);
    assert(*(int *)value == 42);
    return 0;
}
