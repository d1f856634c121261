/* expect: complete.  optimal: 2 executions.
 *
 * A join that may time out does so when it is scheduled while the thread has not ended.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static void *thread(void *argument)
{
    return argument;
}

int main(void)
{
    pthread_t other;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    assert(pthread_create(&other, NULL, thread, NULL) == 0);
    int result = pthread_timedjoin_np(other, NULL, &until);
    assert(result == 0 || result == ETIMEDOUT);
    if (result == ETIMEDOUT)
        assert(pthread_join(other, NULL) == 0);
    return 0;
}
