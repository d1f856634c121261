/* expect: complete.  optimal: 1 executions, 0 sleep_cut.  none: 1,121 executions.  searches: auto, optimal, source, sleep,
 * none.
 *
 * Threads that share nothing have one execution, whatever their number; what they return, and what was given to them, arrives.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static void *twice(void *argument)
{
    return (void *)((intptr_t)argument * 2);
}

int main(void)
{
    pthread_t threads[3];
    for (intptr_t i = 0; i < 3; i++)
        assert(pthread_create(&threads[i], NULL, twice, (void *)(i + 1)) == 0);
    for (intptr_t i = 0; i < 3; i++) {
        void *value;
        assert(pthread_join(threads[i], &value) == 0);
        assert((intptr_t)value == (i + 1) * 2);
    }
    return 0;
}
