/* expect: complete.
 *
 * What a thread asked for of the scheduler is remembered, and forgotten with everything else when the search goes back.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

static void *worker(void *argument)
{
    struct sched_param param = {0};
    int policy;
    assert(sched_getscheduler(0) == SCHED_OTHER && getpriority(PRIO_PROCESS, 0) >= 0);
    assert(sched_setscheduler(0, SCHED_BATCH, &param) == 0 && sched_getscheduler(gettid()) == SCHED_BATCH);
    assert(pthread_getschedparam(pthread_self(), &policy, &param) == 0 && policy == SCHED_BATCH);
    param.sched_priority = 1;
    int result = sched_setscheduler(0, SCHED_FIFO, &param);
    assert(result == 0 || errno == EPERM);
    assert(sched_getscheduler(0) == (result ? SCHED_BATCH : SCHED_FIFO));
    param.sched_priority = 1000;
    assert(sched_setscheduler(0, SCHED_FIFO, &param) == -1 && errno == EINVAL);
    assert(setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + 1) == 0);
    sched_yield();
    return argument;
}

int main(void)
{
    pthread_t threads[2];
    assert(getpriority(PRIO_PROCESS, 0) == 0 && sched_getscheduler(0) == SCHED_OTHER);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(getpriority(PRIO_PROCESS, 0) == 2 && sched_getscheduler(0) == SCHED_OTHER);
    return 0;
}
