/* The virtual clock: time passes when a process looks at it or sleeps, and never otherwise; sleeping takes no time.
 * It is one of the things a process can see, so it is part of its local state and lives in ordinary memory. In a sharing group
 * every thread has a clock of its own, so that what it sees depends on nothing but its own past; and to sleep is a visible
 * operation, which lets others go first. Processor time passes when a process looks at that: it begins with 0 in each thread, and
 * anew in the child of a fork.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "rt.h"
#include "sys.h"
#include "thread.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#pragma GCC poison malloc calloc free printf

#define SECOND 1000000000ull

#define START  (1000000000ull * SECOND)                  /* nanoseconds since 1970 */

static uint64_t alone;                                   /* time that has passed for a process with memory of its own */

static uint64_t *passed(void)
{
    return rt_in_group() ? &rt_thread.clock : &alone;
}

uint64_t rt_clock(void)
{
    return START + (*passed() += 1000);
}

static uint64_t processor_time(void)
{
    return rt_thread.busy += 1000;
}

static bool is_processor_time(clockid_t clock)           /* negative: of a given process or thread */
{
    return clock < 0 || clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID;
}

static struct timespec timespec_of(uint64_t t)
{
    return (struct timespec){.tv_sec = (time_t)(t / SECOND), .tv_nsec = (long)(t % SECOND)};
}

static int answer(long result)
{
    if (result >= 0)
        return (int)result;
    errno = (int)-result;
    return -1;
}

/* The kernel is asked only where it is not plain: it is not to cost a call at every look. */
static bool there_is(clockid_t clock)
{
    bool plain = clock >= CLOCK_REALTIME && clock <= CLOCK_BOOTTIME;
    return plain || RT_SYS(SYS_clock_getres, clock, NULL) == 0;
}

RT_API int clock_gettime(clockid_t clock, struct timespec *t)
{
    if (!rt_controlled())
        return answer(RT_SYS(SYS_clock_gettime, clock, t));
    if (!there_is(clock))
        return answer(-EINVAL);
    *t = timespec_of(is_processor_time(clock) ? processor_time() : rt_clock());
    return 0;
}

RT_API int timespec_get(struct timespec *t, int base)
{
    return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, t) == 0 ? base : 0;
}

RT_API int gettimeofday(struct timeval *restrict t, void *restrict zone)
{
    (void)zone;
    struct timespec s;
    clock_gettime(CLOCK_REALTIME, &s);
    *t = (struct timeval){.tv_sec = s.tv_sec, .tv_usec = s.tv_nsec / 1000};
    return 0;
}

struct timeb { time_t time; unsigned short millitm; short timezone, dstflag; };  /* its header is going away */
int ftime(struct timeb *);
RT_API int ftime(struct timeb *t)
{
    struct timeval now;
    gettimeofday(&now, NULL);
    *t = (struct timeb){.time = now.tv_sec, .millitm = (unsigned short)(now.tv_usec / 1000)};
    return 0;
}

RT_API time_t time(time_t *t)
{
    struct timespec s;
    clock_gettime(CLOCK_REALTIME, &s);
    if (t)
        *t = s.tv_sec;
    return s.tv_sec;
}

RT_API clock_t clock(void)
{
    struct timespec s;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &s);
    return (clock_t)((uint64_t)s.tv_sec * CLOCKS_PER_SEC + (uint64_t)s.tv_nsec / 1000);
}

RT_API clock_t times(struct tms *t)
{
    if (!rt_controlled())
        return RT_NEXT(times)(t);
    enum { TICK = SECOND / 100 };
    if (t)
        *t = (struct tms){.tms_utime = (clock_t)(processor_time() / TICK), .tms_cutime = (clock_t)(rt_thread.busy_children / TICK)};
    return (clock_t)(rt_clock() / TICK);
}

RT_API int getrusage(__rusage_who_t who, struct rusage *usage)
{
    if (!rt_controlled())
        return answer(RT_SYS(SYS_getrusage, who, usage));
    memset(usage, 0, sizeof *usage);
    uint64_t busy = who == RUSAGE_CHILDREN ? rt_thread.busy_children : processor_time();
    usage->ru_utime = (struct timeval){.tv_sec = (time_t)(busy / SECOND), .tv_usec = (suseconds_t)(busy % SECOND / 1000)};
    return 0;
}

void rt_pass_time(const struct timespec *t, bool until)
{
    uint64_t span = (uint64_t)t->tv_sec * SECOND + (uint64_t)t->tv_nsec;
    if (!until)
        *passed() += span;
    else if (t->tv_sec >= 0 && span > START + *passed())
        *passed() = span - START;
}

/* Gives 0, or a positive errno. */
RT_INLINE int pass(const char *name, clockid_t clock, int flags, const struct timespec *t, struct timespec *left)
{
    if (!rt_controlled())
        return RT_NEXT(clock_nanosleep)(clock, flags, t, left);          /* a cancellation point there */
    if (t->tv_nsec < 0 || t->tv_nsec >= (long)SECOND || t->tv_sec < 0 || clock == CLOCK_THREAD_CPUTIME_ID || !there_is(clock))
        return EINVAL;
    struct rt_call call = {.event = EVENT_OPERATION, .type = TYPE_PROCESS, .code = PROCESS_YIELD, .index = -1,
                           .arg = {1}, .text = name, .interrupted = EINTR};
    if (rt_in_group() && RT_ENTER_CANCELLABLE(&call) == EINTR) {
        if (left && !(flags & TIMER_ABSTIME))
            *left = *t;                                  /* it came at once */
        return EINTR;
    }
    rt_pass_time(t, flags & TIMER_ABSTIME);
    return 0;
}

RT_API int clock_nanosleep(clockid_t clock, int flags, const struct timespec *t, struct timespec *left)
{
    return pass("clock_nanosleep", clock, flags, t, left);
}

RT_API int nanosleep(const struct timespec *t, struct timespec *left)
{
    return answer(-pass("nanosleep", CLOCK_REALTIME, 0, t, left));
}

RT_API int thrd_sleep(const struct timespec *t, struct timespec *left)
{
    int error = pass("thrd_sleep", CLOCK_REALTIME, 0, t, left);
    return error == EINTR ? -1 : error ? -2 : 0;
}

RT_API unsigned sleep(unsigned seconds)
{
    struct timespec t = {.tv_sec = seconds}, left = {0};
    return pass("sleep", CLOCK_REALTIME, 0, &t, &left) ? (unsigned)left.tv_sec : 0;
}

RT_API int usleep(useconds_t microseconds)
{
    struct timespec t = {.tv_sec = microseconds / 1000000, .tv_nsec = microseconds % 1000000 * 1000};
    return answer(-pass("usleep", CLOCK_REALTIME, 0, &t, NULL));
}
