/* futex, as a program (or the library of C++: std::future, std::atomic::wait, std::latch) calls it through syscall(): who waits enters a
 * set and sleeps if the word is still what he expects; who wakes takes some out of it. So it is a condition variable whose
 * condition the kernel looks at.
 * SPDX-License-Identifier: MIT */
#ifndef RT_FUTEX_H
#define RT_FUTEX_H

#include "accesses.h"
#include "sync.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>

RT_INLINE uint32_t rt_futex_enter(const void *word, uint8_t code, int32_t how)
{
    struct rt_call call = rt_operation(TYPE_FUTEX, code, word, how, false);
    return (uint32_t)RT_ENTER(&call);
}

/* Gives how many it woke; of all at once that is not known, and nobody asks. */
RT_INLINE long rt_futex_wake(const void *word, uint32_t most)
{
    long woken = 0;
    if (most >= INT_MAX)
        rt_futex_enter(word, COND_BROADCAST, 0);
    while (most < INT_MAX && woken < (long)most && rt_futex_enter(word, COND_SIGNAL, 0))
        woken++;
    return woken;
}

/* Whoever writes the word may come before or after this, if that is an operation. It has 1, 2, 4 or 8 bytes. */
RT_INLINE uint64_t rt_futex_look(const void *word, uint32_t bytes)
{
    const struct wire_visible *visible = rt_watching ? rt_visible(word, bytes) : NULL;
    uint64_t value = 0;
    if (visible) {
        struct rt_call call = rt_location_call(visible, LOCATION_LOAD, 0, 0, 0);
        RT_ENTER(&call);
    }
    __builtin_memcpy(&value, word, bytes);
    return value;
}

/* The kernel looks at the word before it lets anybody enter. We look in one go with entering, or after that, and who should not have entered
 * leaves; if he was woken meanwhile, another one was meant. */
RT_INLINE long rt_futex_wait(const void *word, uint32_t bytes, uint64_t expected, const struct timespec *time, bool until)
{
    rt_wait_begins("futex", time, until);
    rt_futex_enter(word, COND_ENTER, 0);
    if (rt_futex_look(word, bytes) != expected) {
        if (!rt_futex_enter(word, COND_WAKE, WAKE_CHANGED))
            rt_futex_wake(word, 1);
        return -EAGAIN;
    }
    if (rt_futex_enter(word, COND_WAKE, time ? WAKE_TIMED : WAKE_SIGNALLED) != ETIMEDOUT)
        return 0;
    rt_pass_time(time, until);
    return -ETIMEDOUT;
}

/* The system call: its result, or a negative errno. */
RT_INLINE long rt_futex(const uint32_t *word, int operation, uint32_t value, const struct timespec *time, uint32_t which)
{
    int code = operation & ~(FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME);
    bool waits = code == FUTEX_WAIT || (code == FUTEX_WAIT_BITSET && which == FUTEX_BITSET_MATCH_ANY);
    if (waits && time && !rt_valid(time))
        return -EINVAL;
    if (waits)
        return rt_futex_wait(word, sizeof *word, value, time, code == FUTEX_WAIT_BITSET);
    if (code == FUTEX_WAKE || (code == FUTEX_WAKE_BITSET && which == FUTEX_BITSET_MATCH_ANY))
        return rt_futex_wake(word, value);
    struct rt_call call = {.event = EVENT_REFUSE, .text = "syscall(SYS_futex) (with this operation)"};
    return (long)RT_ENTER(&call);
}

#endif
