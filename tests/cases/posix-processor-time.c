/* expect: complete.
 *
 * Processor time begins with 0 in each thread and in each process; the parent is told of what its children had. A thread has the
 * policy that its attributes ask for, if it may.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/times.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void *timed(void *argument)
{
    clockid_t own;
    struct timespec now;
    assert(pthread_getcpuclockid(pthread_self(), &own) == 0 && clock_gettime(own, &now) == 0 && now.tv_sec == 0);
    return argument;
}

static void *scheduled(void *argument)
{
    struct sched_param param;
    int policy;
    assert(pthread_getschedparam(pthread_self(), &policy, &param) == 0 && policy == SCHED_RR && param.sched_priority == 7);
    return argument;
}

static void times_of_children(void)
{
    struct tms before, after;
    long tick = sysconf(_SC_CLK_TCK);
    while (times(&before) >= 0 && before.tms_utime < tick / 2)
        ;
    pid_t child = fork();
    if (child == 0) {
        assert(times(&after) >= 0 && after.tms_utime < tick / 4 && after.tms_cutime == 0);
        _exit(0);
    }
    assert(before.tms_cutime == 0 && waitpid(child, NULL, WUNTRACED) == child && times(&after) >= 0 && after.tms_cutime > 0);
}

int main(void)
{
    pthread_attr_t attr;
    pthread_t thread;
    pthread_create(&thread, NULL, timed, NULL);
    pthread_join(thread, NULL);
    times_of_children();
    pthread_attr_init(&attr);
    pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED);
    pthread_attr_setschedpolicy(&attr, SCHED_RR);
    pthread_attr_setschedparam(&attr, &(struct sched_param){.sched_priority = 7});
    int error = pthread_create(&thread, &attr, scheduled, NULL);
    assert(error == 0 || error == EPERM);
    if (error == 0)
        pthread_join(thread, NULL);
    return 0;
}
