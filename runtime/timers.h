/* Timers of a sharing group. Each is a process for the controller, run by a context that nobody in the program sees: it stands before its
 * next expiry, and what comes of that (a signal, a function, a count) it does. When it may expire the controller says
 * (src/system/timers.c).
 *
 * Times are told by the clock of the thread that arms a timer (clock.c): `due` is by that clock; whoever gets the signal, or reads the
 * count, has a clock that shows no earlier time then.
 *
 * Invariant: what is here of a timer is changed only right after an operation on it (SETTIME, EXPIRE), and read after one.
 * SPDX-License-Identifier: MIT */
#ifndef RT_TIMERS_H
#define RT_TIMERS_H

#include "create.h"
#include "group.h"
#include "signals.h"
#include "thread.h"

#include <time.h>

enum rt_timer_kind { RT_TIMER_NONE, RT_TIMER_SIGNAL, RT_TIMER_THREAD, RT_TIMER_FILE };

struct rt_timer {
    bool        used;
    uint8_t     kind;
    bool        alarm;               /* of alarm and setitimer */
    int8_t      channel;             /* that counts its expiries, or -1 */
    int32_t     process, signal;
    int32_t     thread;              /* the process that gets the signal; -1: the UNIX process does */
    uint64_t    value;               /* told with the signal, or to the function */
    void      (*function)(union sigval);
    bool        attributed;          /* the threads that call it have `attributes` */
    pthread_attr_t attributes;
    uint64_t    due, interval;       /* nanoseconds, due by the clock of who armed it; 0: not armed; does not repeat */
    uint64_t    passed;              /* when it expired last */
    int32_t     overruns, told_overruns;     /* since the last that was seen; of that */
    uint64_t    place;               /* of the call that made it */
    const char *made_by, *name;      /* the call; what it is called in a report */
};

struct rt_timer *rt_timer_table(void);                   /* by number of process; those of this UNIX process */
struct rt_timer *rt_timer_of(int process);               /* NULL: there is no such one */
void *rt_timer_run(void *timer);                         /* what its context does */
bool  rt_has_timers(void);

struct rt_timer_words { char text[64]; };
struct rt_timer_words rt_timer_naming(const char *call, uint64_t first, uint64_t interval);

static const uint64_t rt_second = 1000000000;

RT_INLINE bool rt_is_timespec(const struct timespec *t) { return t->tv_sec >= 0 && t->tv_nsec >= 0 && t->tv_nsec < 1000000000; }
RT_INLINE uint64_t rt_span_of(const struct timespec *t)          /* nanoseconds; those that are too long stay so */
{
    return (uint64_t)t->tv_sec > UINT64_MAX / 2 / rt_second ? UINT64_MAX / 2 : (uint64_t)t->tv_sec * rt_second + (uint64_t)t->tv_nsec;
}

RT_INLINE struct timespec rt_timespec_of(uint64_t t)
{
    return (struct timespec){.tv_sec = (time_t)(t / rt_second), .tv_nsec = (long)(t % rt_second)};
}

/* Is it a clock that timers may be of? Else *errno is what the call says, or it is refused. */
RT_INLINE bool rt_times(clockid_t clock, const char *refused)
{
    if (clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC || clock == CLOCK_BOOTTIME)
        return true;
    if (clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID || clock == CLOCK_TAI || clock < 0
        || clock == CLOCK_REALTIME_ALARM || clock == CLOCK_BOOTTIME_ALARM)
        RT_REFUSE(refused);
    errno = EINVAL;
    return false;
}

/* A timer like that; NULL: there are too many processes (it was refused). */
RT_INLINE struct rt_timer *rt_timer_new(struct rt_timer like)
{
    enum { STACK = 64 << 10 };
    struct rt_call call = {.event = EVENT_OPERATION, .type = TYPE_PROCESS, .code = PROCESS_CREATE, .index = -1,
                           .arg = {0, CREATE_DETACHED | CREATE_TIMER | (like.channel + 1) << CREATE_CHANNEL_SHIFT}, .text = like.made_by,
                           .place = like.place};
    uint32_t process = (uint32_t)RT_ENTER(&call);
    if (process >= MAX_PROCESSES) {
        RT_NO_ROOM(RT_TOO_MANY);
        return NULL;
    }
    struct rt_context *context = rt_context_create((int)process, rt_thread_run, NULL, NULL, STACK);
    if (!context) {
        rt_context_create_refused((int)process, "memory for a timer, which the system refuses (see ulimit -v)");
        return NULL;
    }
    struct rt_timer *t = &rt_timer_table()[process];
    *t = like;
    t->used = true;
    t->process = (int32_t)process;
    *rt_thread_of((pthread_t)context->thread_pointer) =
        (struct rt_thread){.start = rt_timer_run, .argument = t, .clock = rt_thread.clock, .end_place = like.place, .born_detached = 1,
                           .detached = 1};
    rt_thread.others |= UINT64_C(1) << process;
    return t;
}

/* Arms it: it expires in `first` nanoseconds (0: not at all), and then again and again if `interval` is not 0. Gives how it was before. */
struct rt_timer_times { uint64_t left, interval; };

RT_INLINE struct rt_timer_times rt_timer_times(const struct rt_timer *t)
{
    uint64_t now = rt_thread.clock;
    return (struct rt_timer_times){t->due ? t->due > now ? t->due - now : 1 : 0, t->interval};
}

RT_INLINE uint64_t rt_microseconds(uint64_t t) { return (t + 999) / 1000; }

RT_INLINE struct rt_timer_times rt_timer_set(struct rt_timer *t, uint64_t first, uint64_t interval, const char *name, bool deletes)
{
    uint64_t first_us = rt_microseconds(first), interval_us = rt_microseconds(interval);
    struct rt_timer_words words = rt_timer_naming(name, first, interval);
    struct rt_call call = {.event = EVENT_OPERATION, .type = TYPE_PROCESS, .code = PROCESS_SETTIME, .index = -1, .text = words.text,
                           .arg = TIMER_ARGS(t->process, t->channel, first_us, interval_us, deletes ? TIMER_DELETED : 0)};
    if (first_us >= TIMER_MOST_FIRST || interval_us >= TIMER_MOST_INTERVAL)
        RT_REFUSE_SIZE("a timer (of more than fifty days, or that repeats in more than three)");
    RT_ENTER(&call);
    struct rt_timer_times before = rt_timer_times(t);
    t->due = first ? rt_thread.clock + first : 0;
    t->interval = first ? interval : 0;
    t->overruns = 0;
    t->used = !deletes;
    return before;
}

RT_INLINE struct rt_timer_times rt_timer_get(struct rt_timer *t, const char *call_text)
{
    struct rt_call call = {.event = EVENT_OPERATION, .type = TYPE_PROCESS, .code = PROCESS_GETTIME, .index = -1, .text = call_text,
                           .arg = {t->process}};
    RT_ENTER(&call);
    return rt_timer_times(t);
}

RT_INLINE uint64_t rt_at_least(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* As settime functions have their arguments. */
RT_INLINE uint64_t rt_first_of(const struct timespec *t, bool absolute)
{
    uint64_t span = rt_span_of(t), now = RT_CLOCK_START + rt_thread.clock;
    if (!span || !absolute)
        return span;
    return span > now ? span - now : 1;
}

#endif
