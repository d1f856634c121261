/* expect: complete.  optimal: 2 executions.
 * expect -DWRONG: assertion in process 1.  errors: assertion 1.
 *
 * pthread_tryjoin_np comes before the end of the thread or after it: two executions. pthread_timedjoin_np may time out.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static void *thread(void *argument)
{
    return argument;
}

int main(void)
{
    pthread_t other;
    int token;
    void *value = NULL;
    assert(pthread_create(&other, NULL, thread, &token) == 0);
    int result = pthread_tryjoin_np(other, &value);
#ifdef WRONG
    assert(result == 0);                                         /* ERROR */
#else
    if (result != 0) {
        assert(result == EBUSY);
        assert(pthread_join(other, &value) == 0);
    }
#endif
    assert(value == &token);
    return 0;
}
