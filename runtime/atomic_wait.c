/* std::atomic::wait and notify, and what the library of C++ builds on them (latches, barriers, semaphores), where it does the waiting itself and
 * not, as before GCC 16, in its headers: what it reads and writes on its way nobody sees, and who reads no variable that another has written does
 * not come after him. So in a group the waiting is done here, by a futex that the controller knows, on the object itself; how many wait the
 * controller knows better than the library's counters. Whoever called looks at the object again, and that is seen.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "futex.h"
#include "insides.h"
#pragma GCC poison malloc calloc free printf

/* By their names in C++: std::__detail::__wait_impl, __wait_until_impl, __notify_impl and __wait_args::_M_setup_proxy_wait. */
#define wait_impl       _ZNSt8__detail11__wait_implEPKvRNS_16__wait_args_baseE
#define wait_until_impl _ZNSt8__detail17__wait_until_implEPKvRNS_16__wait_args_baseERKNSt6chrono8durationIlSt5ratioILl1ELl1000000000EEEE
#define notify_impl     _ZNSt8__detail13__notify_implEPKvbRKNS_16__wait_args_baseE
#define is_by_proxy     _ZNSt8__detail11__wait_args19_M_setup_proxy_waitEPKv
rt_cxx_waited_t wait_impl(const void *, struct rt_cxx_wait *);
rt_cxx_waited_t wait_until_impl(const void *, struct rt_cxx_wait *, const int64_t *);
void            notify_impl(const void *, bool all, const struct rt_cxx_wait *);
bool            is_by_proxy(struct rt_cxx_wait *, const void *);

RT_INLINE void look_at_version(const struct rt_cxx_wait *w)
{
    if (w->flags & ~(uint32_t)(RT_CXX_TRACKS | RT_CXX_SPINS | RT_CXX_ONLY_SPINS))
        RT_REFUSE("std::atomic::wait (of a library of C++ that is newer than this VeriSoft)");
}

/* A futex looks at a word. Any other object has a number to stand in for it, which goes on when somebody notifies, and all are woken. */
static int32_t numbers[16];
int  __tsan_atomic32_load(const volatile int *, int order);      /* instrument.c: they tell what they do */
int  __tsan_atomic32_fetch_add(volatile int *, int value, int order);

static bool is_word(const struct rt_cxx_wait *w) { return w->bytes == 1 || w->bytes == 2 || w->bytes == 4 || w->bytes == 8; }

static int32_t *number_of(const void *object)
{
    enum { COUNT = sizeof numbers / sizeof *numbers };
    return &numbers[(uint64_t)object / COUNT % COUNT];
}

RT_INLINE bool takes_number(struct rt_cxx_wait *w, const void *object)   /* NULL: it has one, and wants to know how far it is */
{
    look_at_version(w);
    if (object == w->object && is_word(w))
        return false;
    if (object == w->object)
        w->object = number_of(object);
    w->bytes = sizeof *numbers;
    w->old = (uint32_t)__tsan_atomic32_load(w->object, __ATOMIC_ACQUIRE);
    return true;
}

/* Who only spins, for a time of nothing, has looked just now: to look later is to begin later. */
RT_INLINE rt_cxx_waited_t wait_on(const struct rt_cxx_wait *w, const struct timespec *until)
{
    rt_cxx_waited_t timeout = (rt_cxx_waited_t)RT_CXX_TIMEOUT << 64;
    look_at_version(w);
    if (w->flags & RT_CXX_ONLY_SPINS)
        return timeout | (rt_cxx_waited_t)RT_CXX_HAS_VALUE << 64 | w->old;
    return rt_futex_wait(w->object, w->bytes, w->old, until, true) == -ETIMEDOUT ? timeout : 0;
}

RT_INLINE rt_cxx_waited_t wait_until(const struct rt_cxx_wait *w, int64_t nanoseconds)           /* of the clock that only goes on */
{
    enum { SECOND = 1000000000 };
    int64_t time = nanoseconds > 0 ? nanoseconds : 0;
    return wait_on(w, &(struct timespec){time / SECOND, time % SECOND});
}

RT_INLINE void notify(const void *object, bool all, const struct rt_cxx_wait *w)
{
    look_at_version(w);
    if (!is_word(w))
        __tsan_atomic32_fetch_add(number_of(object), 1, __ATOMIC_RELEASE);
    rt_futex_wake(is_word(w) ? object : number_of(object), all || !is_word(w) ? INT_MAX : 1);
}

RT_FUNCTION(rt_cxx_waited_t, wait_impl, (const void *object, struct rt_cxx_wait *w), (object, w), NEXT, NEED_GROUP_FOR(std::atomic::wait),
            DO(wait_on(w, NULL)))
RT_FUNCTION(rt_cxx_waited_t, wait_until_impl, (const void *object, struct rt_cxx_wait *w, const int64_t *time), (object, w, time), NEXT,
            NEED_GROUP_FOR(std::atomic::wait), DO(wait_until(w, *time)))
/* Alone, nobody waits. */
RT_FUNCTION(bool, is_by_proxy, (struct rt_cxx_wait *w, const void *object), (w, object), NEXT, DO(false), DO(takes_number(w, object)))
RT_FUNCTION(void, notify_impl, (const void *object, bool all, const struct rt_cxx_wait *w), (object, all, w), NEXT, DO((void)0),
            DO(notify(object, all, w)))
