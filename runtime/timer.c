/* Timers that send signals or call a function: alarm, setitimer, timer_create and their like.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "timers.h"
#include "rt.h"

#include <errno.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>
#pragma GCC poison malloc calloc free printf

/* ---- those that there are ---- */

static struct rt_timer timers[MAX_PROCESSES];
static int owner;                    /* the UNIX process that made them: a child of fork has none */

struct rt_timer *rt_timer_table(void)
{
    if (owner != rt_host()) {
        memset(timers, 0, sizeof timers);
        owner = rt_host();
    }
    return timers;
}

struct rt_timer *rt_timer_of(int process)
{
    if (process < 0 || process >= MAX_PROCESSES)
        return NULL;
    struct rt_timer *t = &rt_timer_table()[process];
    return t->used ? t : NULL;
}

bool rt_has_timers(void)
{
    const struct rt_timer *table = rt_timer_table();
    for (int i = 0; i < rt_contexts_end; i++)            /* each has a context of its own */
        if (table[i].process)
            return true;
    return false;
}

/* ---- words ---- */

struct writer { char *at, *end; };

static void add(struct writer *w, const char *text)
{
    while (*text && w->at + 1 < w->end)
        *w->at++ = *text++;
}

static void add_seconds(struct writer *w, uint64_t time)         /* 1.5 s */
{
    char digits[32];
    char *end = digits + sizeof digits - 1, *at = end;
    uint64_t seconds = time / rt_second, rest = time % rt_second;
    int places = rest ? 9 : 0;
    *end = 0;
    for (; places && rest % 10 == 0; places--)
        rest /= 10;
    for (int i = 0; i < places; i++, rest /= 10)
        *--at = (char)('0' + rest % 10);
    if (places)
        *--at = '.';
    do
        *--at = (char)('0' + seconds % 10);
    while (seconds /= 10);
    add(w, at);
    add(w, " s");
}

struct rt_timer_words rt_timer_naming(const char *call, uint64_t first, uint64_t interval)
{
    struct rt_timer_words words = {""};
    struct writer w = {words.text, words.text + sizeof words.text};
    add(&w, call);
    add(&w, "(");
    if (first || interval)
        add_seconds(&w, first);
    if (first && interval) {
        add(&w, ", every ");
        add_seconds(&w, interval);
    }
    add(&w, ")");
    return words;
}

/* ---- expiring ---- */

static uint32_t settings(const struct rt_timer *t)
{
    uint32_t group = rt->wire->group;
    return (group & GROUP_TIMERS_ANY ? EXPIRE_ANY : 0) | (group & GROUP_TIMERS_LATE ? EXPIRE_LATE : 0) | (t->thread >= 0 ? KILL_THREAD : 0) | (t->kind == RT_TIMER_THREAD ? EXPIRE_TELLS : 0)
         | (uint32_t)(EXPIRE_ARG(t->channel, group >> GROUP_OVERRUNS_SHIFT & MOST_OVERRUNS));
}

/* Nobody could be told of it later. */
static void refuse(uint32_t result, const struct rt_timer *t)
{
    struct rt_call none = {.event = EVENT_REFUSE, .place = t->place};
    none.arg[0] = result == SIGNAL_STOPS ? REFUSED_CALL : REFUSED_ROOM;
    none.text = result == SIGNAL_STOPS ? "timer_create (with a signal that stops a process)" : "more pending signals than VeriSoft can control";
    RT_ENTER(&none);
}

/* As the C library does it: a new thread, detached, that blocks nothing. It expires again when that has ended. */
static void call_function(struct rt_timer *t)
{
    pthread_t thread;
    struct rt_thread wish = {.argument = (void *)t->value};
    int process;
    memcpy(&wish.start, &t->function, sizeof wish.start);        /* a union of a pointer goes where the pointer would, and nobody looks at what it returns */
    if (rt_create(&thread, t->attributed ? &t->attributes : NULL, &wish, t->name))
        return;
    rt_thread_of(thread)->born_detached = rt_thread_of(thread)->detached = 1;
    process = rt_thread_process(thread);
    struct rt_call join = {.event = EVENT_OPERATION, .type = TYPE_PROCESS, .code = PROCESS_JOIN, .index = -1, .arg = {process},
                           .place = t->place};
    RT_ENTER(&join);
    rt_thread.others = 0;
}

static void notify(struct rt_timer *t, uint32_t result)
{
    struct rt_told told = {.code = t->alarm ? SI_KERNEL : SI_TIMER, .value = t->value, .timer = t->process};
    if (result & SIGNAL_SENT)
        rt_tell(result, &told);
    else if (result & SIGNAL_ENDS)
        rt_end_by_signal(t->signal, t->alarm ? "SIGALRM of a timer, which nobody handles or blocks" : "the signal of a timer, which nobody handles or blocks",
                         t->place, __builtin_frame_address(0));
    else if (result == SIGNAL_STOPS || result == SIGNAL_FULL)
        refuse(result, t);
    if (t->kind == RT_TIMER_THREAD)
        call_function(t);
}

static void pass(struct rt_timer *t, uint32_t result)
{
    t->passed = t->due;
    t->due = t->interval ? t->due + t->interval : 0;
    if (result & EXPIRE_AGAIN)
        t->overruns++;
    else
        notify(t, result);
}

void *rt_timer_run(void *timer)
{
    struct rt_timer *t = timer;
    for (;;) {
        struct rt_call call = {.event = EVENT_OPERATION, .type = TYPE_PROCESS, .code = PROCESS_EXPIRE, .index = -1, .text = t->name,
                               .arg = {t->thread >= 0 ? t->thread : rt_host(), t->signal, (int32_t)settings(t)}, .place = t->place};
        uint32_t result = (uint32_t)RT_ENTER(&call);
        if (result & EXPIRE_GONE)
            return NULL;
        pass(t, result);
    }
}

void rt_timer_seen(const struct rt_told *told)
{
    struct rt_timer *t = told->timer ? rt_timer_of(told->timer) : NULL;
    if (!t)
        return;
    t->told_overruns = t->overruns;
    t->overruns = 0;
    rt_thread.clock = rt_at_least(rt_thread.clock, t->passed);
}

/* ---- alarm and setitimer: one for each UNIX process ---- */

#define PLACE ((uint64_t)__builtin_return_address(0))

RT_INLINE struct rt_timer *the_alarm(uint64_t place)     /* NULL: refused */
{
    for (int i = 0; i < MAX_PROCESSES; i++)
        if (rt_timer_table()[i].alarm)
            return &rt_timer_table()[i];
    return rt_timer_new((struct rt_timer){.kind = RT_TIMER_SIGNAL, .alarm = true, .signal = SIGALRM, .channel = -1, .thread = -1, .place = place,
                                          .made_by = "alarm()", .name = "the alarm"});
}

static struct timeval timeval_of(uint64_t t)
{
    t = rt_microseconds(t);
    return (struct timeval){.tv_sec = (time_t)(t / 1000000), .tv_usec = (suseconds_t)(t % 1000000)};
}

RT_INLINE struct rt_timer_times set_alarm(uint64_t first, uint64_t interval, const char *name, uint64_t place)
{
    struct rt_timer *t = the_alarm(place);
    return t ? rt_timer_set(t, first, interval, name, false) : (struct rt_timer_times){0};
}

RT_INLINE unsigned group_alarm(unsigned seconds, uint64_t place)
{
    uint64_t left = set_alarm(seconds * rt_second, 0, "alarm", place).left;
    return (unsigned)(left && left < rt_second ? 1 : (left + rt_second / 2) / rt_second);
}

RT_FUNCTION(unsigned, alarm, (unsigned seconds), (seconds), NEXT, NEED_GROUP, DO(group_alarm(seconds, PLACE)))

RT_INLINE useconds_t group_ualarm(useconds_t first, useconds_t interval, uint64_t place)
{
    return (useconds_t)rt_microseconds(set_alarm(first * 1000ull, interval * 1000ull, "ualarm", place).left);
}

RT_FUNCTION(useconds_t, ualarm, (useconds_t first, useconds_t interval), (first, interval),
    NEXT, NEED_GROUP, DO(group_ualarm(first, interval, PLACE)))

static bool is_timeval(const struct timeval *t) { return t->tv_sec >= 0 && t->tv_usec >= 0 && t->tv_usec < 1000000; }
static uint64_t span_of(const struct timeval *t) { return rt_span_of(&(struct timespec){t->tv_sec, t->tv_usec * 1000}); }

static struct itimerval itimerval_of(struct rt_timer_times t) { return (struct itimerval){timeval_of(t.interval), timeval_of(t.left)}; }

/* False with errno, or it is refused: others than ITIMER_REAL count the processor's time. */
RT_INLINE bool is_real(int which, const char *refused)
{
    if (which == ITIMER_VIRTUAL || which == ITIMER_PROF)
        RT_REFUSE(refused);
    if (which != ITIMER_REAL)
        errno = EINVAL;
    return which == ITIMER_REAL;
}

RT_INLINE int group_setitimer(int which, const struct itimerval *new, struct itimerval *old, uint64_t place)
{
    if (!is_real(which, "setitimer (other than ITIMER_REAL)"))
        return -1;
    if (new && (!is_timeval(&new->it_value) || !is_timeval(&new->it_interval)))
        return (int)rt_answer(-EINVAL);
    struct rt_timer_times before = set_alarm(new ? span_of(&new->it_value) : 0, new ? span_of(&new->it_interval) : 0, "setitimer", place);
    if (old)
        *old = itimerval_of(before);
    return 0;
}

RT_FUNCTION(int, setitimer, (__itimer_which_t which, const struct itimerval *restrict new, struct itimerval *restrict old), (which, new, old),
    NEXT, NEED_GROUP, DO(group_setitimer((int)which, new, old, PLACE)))

RT_INLINE int group_getitimer(int which, struct itimerval *now, uint64_t place)
{
    if (!is_real(which, "getitimer (other than ITIMER_REAL)"))
        return -1;
    struct rt_timer *t = the_alarm(place);
    *now = itimerval_of(t ? rt_timer_get(t, "getitimer()") : (struct rt_timer_times){0});
    return 0;
}

RT_FUNCTION(int, getitimer, (__itimer_which_t which, struct itimerval *now), (which, now),
    NEXT, NEED_GROUP, DO(group_getitimer((int)which, now, PLACE)))

/* ---- timer_create and its like. A timer_t is the number of its process ---- */

static timer_t id_of(const struct rt_timer *t) { return (timer_t)(intptr_t)t->process; }

static struct rt_timer *timer_of(timer_t id)             /* NULL with errno */
{
    struct rt_timer *t = (intptr_t)id > 0 && (intptr_t)id < MAX_PROCESSES ? rt_timer_of((int)(intptr_t)id) : NULL;
    if (!t || t->alarm || t->kind == RT_TIMER_FILE) {
        errno = EINVAL;
        return NULL;
    }
    return t;
}

/* Gives 0 or an errno; or it is refused. */
RT_INLINE int read_event(const struct sigevent *event, struct rt_timer *t)
{
    t->signal = event->sigev_notify == SIGEV_NONE || event->sigev_notify == SIGEV_THREAD ? 0 : event->sigev_signo;
    t->value = (uint64_t)event->sigev_value.sival_ptr;
    switch (event->sigev_notify) {
    case SIGEV_NONE:
        return 0;
    case SIGEV_THREAD:
        t->attributed = event->sigev_notify_attributes;
        if (t->attributed)
            t->attributes = *event->sigev_notify_attributes;
        t->kind = RT_TIMER_THREAD;
        t->function = event->sigev_notify_function;
        return 0;
    case SIGEV_SIGNAL: case SIGEV_THREAD_ID:
        t->kind = RT_TIMER_SIGNAL;
        if (event->sigev_notify == SIGEV_THREAD_ID)
            t->thread = event->_sigev_un._tid - FIRST_PID;
        bool bad = t->thread >= 0 && (t->thread >= rt_contexts_end || rt_contexts[t->thread].state != RT_LIVE);
        return bad || !rt_is_signal(t->signal) ? EINVAL : 0;
    default:
        return EINVAL;
    }
}

RT_INLINE int group_timer_create(clockid_t clock, const struct sigevent *event, timer_t *id, uint64_t place)
{
    struct rt_timer like = {.channel = -1, .thread = -1, .place = place, .made_by = "timer_create()", .name = "the timer"};
    struct sigevent usual = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
    if (!rt_times(clock, "timer_create (of a clock of processor time, or that wakes the machine)"))
        return -1;
    int error = read_event(event ? event : &usual, &like);
    if (error)
        return (int)rt_answer(-error);
    struct rt_timer *t = rt_timer_new(like);
    if (!t)
        return (int)rt_answer(-EAGAIN);
    if (!event)
        t->value = (uint64_t)id_of(t);
    *id = id_of(t);
    return 0;
}

RT_FUNCTION(int, timer_create, (clockid_t clock, struct sigevent *restrict event, timer_t *restrict id), (clock, event, id),
    NEXT, NEED_GROUP, DO(group_timer_create(clock, event, id, PLACE)))

static struct itimerspec itimerspec_of(struct rt_timer_times t)
{
    return (struct itimerspec){rt_timespec_of(t.interval), rt_timespec_of(t.left)};
}

RT_INLINE int group_timer_settime(timer_t id, int flags, const struct itimerspec *new, struct itimerspec *old)
{
    struct rt_timer *t = timer_of(id);
    if (!t)
        return -1;
    if (!rt_is_timespec(&new->it_value) || !rt_is_timespec(&new->it_interval))
        return (int)rt_answer(-EINVAL);
    struct rt_timer_times before = rt_timer_set(t, rt_first_of(&new->it_value, flags & TIMER_ABSTIME), rt_span_of(&new->it_interval),
                                                "timer_settime", false);
    if (old)
        *old = itimerspec_of(before);
    return 0;
}

RT_FUNCTION(int, timer_settime, (timer_t id, int flags, const struct itimerspec *restrict new, struct itimerspec *restrict old),
    (id, flags, new, old), NEXT, NEED_GROUP, DO(group_timer_settime(id, flags, new, old)))

RT_INLINE int group_timer_gettime(timer_t id, struct itimerspec *now)
{
    struct rt_timer *t = timer_of(id);
    if (!t)
        return -1;
    *now = itimerspec_of(rt_timer_get(t, "timer_gettime()"));
    return 0;
}

RT_FUNCTION(int, timer_gettime, (timer_t id, struct itimerspec *now), (id, now), NEXT, NEED_GROUP, DO(group_timer_gettime(id, now)))

RT_INLINE int group_timer_getoverrun(timer_t id)
{
    struct rt_timer *t = timer_of(id);
    if (!t)
        return -1;
    rt_timer_get(t, "timer_getoverrun()");
    return t->told_overruns;
}

RT_FUNCTION(int, timer_getoverrun, (timer_t id), (id), NEXT, NEED_GROUP, DO(group_timer_getoverrun(id)))

RT_INLINE int group_timer_delete(timer_t id)
{
    struct rt_timer *t = timer_of(id);
    if (!t)
        return -1;
    rt_timer_set(t, 0, 0, "timer_delete", true);
    return 0;
}

RT_FUNCTION(int, timer_delete, (timer_t id), (id), NEXT, NEED_GROUP, DO(group_timer_delete(id)))
