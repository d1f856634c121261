/* Waiting with a time limit, in a program that has timers, too (GROUP_CLOCK): before it, who is going to wait says for how long. So the controller
 * can tell which comes first, the end of its patience or the expiry of a timer (src/system/time.c).
 * SPDX-License-Identifier: MIT */
#ifndef RT_WAITS_H
#define RT_WAITS_H

#include "timers.h"

RT_INLINE uint64_t rt_wait_span(const struct timespec *t, bool until)    /* nanoseconds; 0: it does not wait */
{
    return t->tv_sec < 0 ? 0 : rt_first_of(t, until);
}

RT_INLINE void rt_wait_for(const char *call_name, uint64_t span)
{
    uint64_t microseconds = rt_microseconds(span);
    if (microseconds >= TIMER_MOST_FIRST)                        /* nobody can tell how it differs: all timers come first */
        microseconds = TIMER_MOST_FIRST - 1;
    struct rt_timer_words words = rt_timer_naming(call_name, span, 0);
    struct rt_call call = {.event = EVENT_OPERATION, .type = TYPE_PROCESS, .code = PROCESS_SETTIME, .index = -1, .text = words.text,
                           .arg = TIMER_ARGS(rt_self(), -1, microseconds, UINT64_C(0), 0)};
    RT_ENTER(&call);
}

/* t NULL: for ever. Was it said? Who does something else before it waits sets rt_thread.begun to that, for so long. */
RT_INLINE bool rt_wait_begins(const char *call_name, const struct timespec *t, bool until)
{
    uint64_t span = t && rt->wire->group & GROUP_CLOCK ? rt_wait_span(t, until) : 0;
    if (!span)
        return false;
    rt_wait_for(call_name, span);
    return true;
}

/* What it said is not so: there is nothing to wait for. */
RT_INLINE void rt_wait_not(const char *call_name) { rt_wait_for(call_name, 0); }

#endif
