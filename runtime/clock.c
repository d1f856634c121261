/* The virtual clock: time passes when a process looks at it or sleeps, and never otherwise; sleeping takes no time.
 * It is one of the things a process can see, so it is part of its local state and lives in ordinary memory. In a sharing group
 * every thread has a clock of its own, so that what it sees depends on nothing but its own past; and to sleep is a visible
 * operation, which lets others go first. Processor time passes when a process looks at that: it begins with 0 in each thread, and
 * anew in the child of a fork.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "accesses.h"
#include "rt.h"
#include "sys.h"
#include "thread.h"
#include "waits.h"

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

#define START  RT_CLOCK_START

uint64_t rt_clock(void)
{
    return START + (rt_thread.clock += 1000);
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

/* The kernel is asked only where it is not plain: it is not to cost a call at every look. */
static bool there_is(clockid_t clock)
{
    bool plain = clock >= CLOCK_REALTIME && clock <= CLOCK_BOOTTIME;
    return plain || RT_SYS(SYS_clock_getres, clock, NULL) == 0;
}

RT_INLINE int controlled_clock_gettime(clockid_t clock, struct timespec *t)
{
    if (!there_is(clock))
        return (int)rt_answer(-EINVAL);
    *t = timespec_of(is_processor_time(clock) ? processor_time() : rt_clock());
    rt_touches(t, sizeof *t, true);
    return 0;
}

RT_CONTROLLED(int, clock_gettime, (clockid_t clock, struct timespec *t), (clock, t),
    KERNEL(SYS_clock_gettime, clock, t), DO(controlled_clock_gettime(clock, t)))

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
    rt_touches(t, sizeof *t, true);
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
    if (t) {
        *t = s.tv_sec;
        rt_touches(t, sizeof *t, true);
    }
    return s.tv_sec;
}

RT_API clock_t clock(void)
{
    struct timespec s;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &s);
    return (clock_t)((uint64_t)s.tv_sec * CLOCKS_PER_SEC + (uint64_t)s.tv_nsec / 1000);
}

RT_INLINE clock_t controlled_times(struct tms *t)
{
    enum { TICK = SECOND / 100 };
    if (t)
        *t = (struct tms){.tms_utime = (clock_t)(processor_time() / TICK), .tms_cutime = (clock_t)(rt_thread.busy_children / TICK)};
    return (clock_t)(rt_clock() / TICK);
}

RT_CONTROLLED(clock_t, times, (struct tms *t), (t), NEXT, DO(controlled_times(t)))

RT_INLINE int controlled_getrusage(__rusage_who_t who, struct rusage *usage)
{
    memset(usage, 0, sizeof *usage);
    uint64_t busy = who == RUSAGE_CHILDREN ? rt_thread.busy_children : processor_time();
    usage->ru_utime = (struct timeval){.tv_sec = (time_t)(busy / SECOND), .tv_usec = (suseconds_t)(busy % SECOND / 1000)};
    return 0;
}

RT_CONTROLLED(int, getrusage, (__rusage_who_t who, struct rusage *usage), (who, usage),
    KERNEL(SYS_getrusage, who, usage), DO(controlled_getrusage(who, usage)))

void rt_pass_time(const struct timespec *t, bool until)
{
    uint64_t span = (uint64_t)t->tv_sec * SECOND + (uint64_t)t->tv_nsec;
    if (!until)
        rt_thread.clock += span;
    else if (t->tv_sec >= 0 && span > START + rt_thread.clock)
        rt_thread.clock = span - START;
}

static bool is_time(clockid_t clock, const struct timespec *t)
{
    return t->tv_nsec >= 0 && t->tv_nsec < (long)SECOND && t->tv_sec >= 0 && clock != CLOCK_THREAD_CPUTIME_ID && there_is(clock);
}

static int pass_alone(clockid_t clock, int flags, const struct timespec *t)
{
    if (!is_time(clock, t))
        return EINVAL;
    rt_pass_time(t, flags & TIMER_ABSTIME);
    return 0;
}

/* Who was interrupted by a timer knows when that was; all else came at once. (With --timers any it may have come later than it should.) */
static struct timespec time_left(const struct timespec *t, uint64_t passed)
{
    uint64_t span = rt_span_of(t);
    return span >= passed ? timespec_of(span - passed) : *t;
}

RT_INLINE int pass_in_group(const char *name, clockid_t clock, int flags, const struct timespec *t, struct timespec *left)
{
    if (!is_time(clock, t))
        return EINVAL;
    struct rt_call call = {.event = EVENT_OPERATION, .type = TYPE_PROCESS, .code = PROCESS_YIELD, .index = -1,
                           .arg = {1}, .text = name, .interrupted = EINTR};
    uint64_t begin = rt_thread.clock;
    bool stays = rt_stays();
    if (!stays)
        rt_wait_begins(name, t, flags & TIMER_ABSTIME);
    if (!stays && RT_LOOKING(RT_ENTER_CANCELLABLE(&call)) == EINTR) {
        if (left && !(flags & TIMER_ABSTIME))
            *left = time_left(t, rt_thread.clock - begin);
        return EINTR;
    }
    rt_pass_time(t, flags & TIMER_ABSTIME);
    return 0;
}

/* Gives 0, or a positive errno. The C library's own is a cancellation point. */
RT_INLINE int pass(const char *name, clockid_t clock, int flags, const struct timespec *t, struct timespec *left)
{
    RT_BY_MODE(int, clock_nanosleep, (clock, flags, t, left),
               NEXT, DO(pass_alone(clock, flags, t)), DO(pass_in_group(name, clock, flags, t, left)))
}

RT_API int clock_nanosleep(clockid_t clock, int flags, const struct timespec *t, struct timespec *left)
{
    return pass("clock_nanosleep", clock, flags, t, left);
}

RT_API int nanosleep(const struct timespec *t, struct timespec *left)
{
    return (int)rt_answer(-pass("nanosleep", CLOCK_REALTIME, 0, t, left));
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
    return (int)rt_answer(-pass("usleep", CLOCK_REALTIME, 0, &t, NULL));
}
