/* Objects that threads synchronise by and that live in the program's memory: a pthread_mutex_t and its like.
 *
 * The object itself is in the controller, by its address. In the program's memory the runtime keeps a mark that says: the
 * controller knows this one. Memory without it holds another object than before at the same address, made by a static
 * initialiser, or by chance; then the call says `fresh`. The mark is made from the address, so that a copy does not have it,
 * and from the UNIX process, unless it shares that memory: the child of a fork has objects of its own, which begin as they
 * were in the parent. So what they begin with is kept in the program's memory, too, and goes along when an object is fresh.
 * SPDX-License-Identifier: MIT */
#ifndef RT_SYNC_H
#define RT_SYNC_H

#include "accesses.h"
#include "group.h"
#include "insides.h"
#include "rt.h"
#include "thread.h"
#include "waits.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

enum { RT_MARKED = 1, RT_OVER = 2 };                    /* bits of a mark. OVER: destroyed; done, of what is done once */

RT_INLINE uint32_t rt_mark(const void *object)
{
    uint64_t host = rt_is_shared(object) ? 0 : (uint64_t)rt_host() << 32;
    return ((uint32_t)((host + ((uint64_t)object >> 2)) * 0x9e3779b97f4a7c15 >> 32) & ~(uint32_t)RT_OVER) | RT_MARKED;
}

RT_INLINE bool rt_is_known(const void *object, const uint32_t *mark)
{
    return (*mark & ~(uint32_t)RT_OVER) == rt_mark(object);
}

RT_INLINE bool rt_is_destroyed(const void *object, const uint32_t *mark) { return *mark == (rt_mark(object) | RT_OVER); }
RT_INLINE void rt_destroyed(const void *object, uint32_t *mark)          { *mark = rt_mark(object) | RT_OVER; }

/* It was used as an object, but at another address, or by the parent of this UNIX process. */
RT_INLINE bool rt_is_inherited(const void *object, const uint32_t *mark)
{
    return *mark & RT_MARKED && !rt_is_known(object, mark);
}

/* Of what has no static initialiser. A copy may not be used. */
RT_INLINE bool rt_is_initialised(const void *object, const uint32_t *mark)
{
    return *mark == rt_mark(object) || (rt_is_inherited(object, mark) && !(*mark & RT_OVER) && rt_host() != 0);
}

/* Marks the object. True: the controller may know another one at its address. */
bool rt_is_fresh(const void *object, uint32_t *mark);

RT_INLINE struct rt_call rt_operation(uint8_t type, uint8_t code, const void *object, int32_t arg, bool fresh)
{
    return (struct rt_call){.event = EVENT_OPERATION, .type = type, .code = code, .index = -1, .arg = {arg},
                            .object = (uint64_t)object, .fresh = fresh};
}

/* What a process alone tries instead of waiting. Nobody could give it what it has not got, or a rule is broken: a group tells. */
#define RT_ALONE_TRIES(function, tried) ({ \
    int result_ = (tried); \
    if (result_ == EBUSY || result_ == EINVAL) \
        RT_NEED_GROUP(function); \
    result_; })

RT_INLINE bool rt_valid(const struct timespec *t) { return t->tv_nsec >= 0 && t->tv_nsec < 1000000000; }
RT_INLINE bool rt_waits_by(clockid_t clock) { return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC; }     /* EINVAL for others */

/* ---- mutexes, for condition variables and C11 have them, too ---- */

RT_INLINE int32_t rt_mutex_kind(pthread_mutex_t *m)
{
    int kind = rt_mutex_words(m)->kind, type = kind & RT_KIND_TYPE;
    return (type == RT_KIND_ADAPTIVE ? MUTEX_NORMAL : type) | (kind & RT_KIND_ROBUST ? MUTEX_ROBUST : 0);
}

RT_INLINE uint32_t rt_thread_sign(void) { return (uint32_t)((uint64_t)__builtin_thread_pointer() >> 8); }

RT_INLINE bool rt_mutex_is_mine(pthread_mutex_t *m)
{
    const struct rt_mutex_words *w = rt_mutex_words(m);
    return w->mark && w->count && w->sign == rt_thread_sign();
}

RT_INLINE uint32_t rt_mutex_call(pthread_mutex_t *m, uint8_t code, const char *tries)   /* tries NULL: it does not */
{
    struct rt_mutex_words *w = rt_mutex_words(m);
    rt_uses(m);
    struct rt_call call = rt_operation(TYPE_MUTEX, code, m, rt_mutex_kind(m), false);
    call.tries = tries;
    call.text = code == MUTEX_LOCK ? tries : NULL;
    if (!rt_is_known(m, rt_mutex_mark(m))) {
        if (!rt_is_inherited(m, rt_mutex_mark(m)) || rt_mutex_is_garbage(m))
            w->count = 0;
        if (rt_mutex_is_mine(m))
            w->owner = 1 + rt_self();
        if (w->count)
            call.arg[1] = MUTEX_HELD(w->owner - 1, (int32_t)w->count);
        call.fresh = rt_is_fresh(m, rt_mutex_mark(m)) || call.arg[1];
    }
    uint32_t result = (uint32_t)RT_ENTER(&call);
    if (rt_is_destroyed(m, rt_mutex_mark(m)))            /* asked after the operation, whose order with the end of it is searched */
        RT_MISUSE("a mutex is used that was destroyed");
    if (rt_mutex_is_garbage(m))
        RT_MISUSE("a mutex is used that was never initialised");
    return result;
}

RT_INLINE uint32_t rt_mutex_enter(pthread_mutex_t *m, uint8_t code) { return rt_mutex_call(m, code, NULL); }

RT_INLINE int rt_mutex_taken(pthread_mutex_t *m, uint32_t result)
{
    struct rt_mutex_words *w = rt_mutex_words(m);
    if (result == 0 || result == EOWNERDEAD) {
        w->count = result == 0 && rt_mutex_is_mine(m) ? w->count + 1 : 1;
        w->owner = 1 + rt_self();
        w->sign = rt_thread_sign();
    }
    return (int)result;
}

RT_INLINE int rt_mutex_take(pthread_mutex_t *m, uint8_t code) { return rt_mutex_taken(m, rt_mutex_enter(m, code)); }     /* LOCK, TRYLOCK, TIMEDLOCK */

/* Who waits for a mutex that he has himself is told so, if it is one that asks: that is not what a try tells. */
RT_INLINE int rt_mutex_try(pthread_mutex_t *m, const char *name)
{
    if (rt_mutex_kind(m) == MUTEX_ERRORCHECK)
        return rt_mutex_take(m, MUTEX_TRYLOCK);
    enum rt_tried how = rt_mutex_kind(m) & MUTEX_ROBUST ? RT_TRIED_UNTOLD : RT_TRIED_TOLD;
    return rt_mutex_taken(m, RT_TRY(m, how, rt_mutex_call(m, MUTEX_TRYLOCK, name), rt_mutex_call(m, MUTEX_LOCK, name), EBUSY));
}

RT_INLINE int rt_mutex_release(pthread_mutex_t *m)
{
    uint32_t result = rt_mutex_enter(m, MUTEX_UNLOCK);
    if (result & RESULT_MISUSE)
        RT_MISUSE("a mutex is unlocked by a thread that does not hold it");
    struct rt_mutex_words *w = rt_mutex_words(m);
    if (result == 0 && --w->count == 0)
        w->owner = 0, w->sign = 0;
    rt_gives(m);
    return (int)result;
}

RT_INLINE int rt_mutex_timed(pthread_mutex_t *m, const struct timespec *until)
{
    if (!rt_valid(until)) {          /* matters only to one who has to wait */
        int result = rt_mutex_take(m, MUTEX_TRYLOCK);
        return result == EBUSY ? EINVAL : result;
    }
    rt_wait_begins("pthread_mutex_timedlock", until, true);
    int result = rt_mutex_take(m, MUTEX_TIMEDLOCK);
    if (result == ETIMEDOUT)
        rt_pass_time(until, true);
    return result;
}

RT_INLINE void rt_mutex_renew(pthread_mutex_t *m)
{
    struct rt_call call = rt_operation(TYPE_MUTEX, MUTEX_INIT, m, 0, rt_is_fresh(m, rt_mutex_mark(m)));
    if ((uint32_t)RT_ENTER(&call) & RESULT_MISUSE)
        RT_MISUSE("a mutex is initialised while it is locked");
}

RT_INLINE void rt_mutex_remove(pthread_mutex_t *m)
{
    if ((uint32_t)rt_mutex_enter(m, MUTEX_DESTROY) & RESULT_MISUSE)
        RT_MISUSE("a mutex is destroyed while it is locked");
    rt_destroyed(m, rt_mutex_mark(m));
}

/* ---- condition variables ---- */

RT_INLINE uint32_t rt_cond_enter_as(pthread_cond_t *c, uint8_t code, const char *name)
{
    rt_uses(c);
    struct rt_call call = rt_operation(TYPE_COND, code, c, 0, rt_is_fresh(c, rt_cond_mark(c)));
    call.text = name;
    uint32_t result = (uint32_t)RT_ENTER(&call);
    if (rt_is_destroyed(c, rt_cond_mark(c)))
        RT_MISUSE("a condition variable is used that was destroyed");
    if (rt_cond_is_garbage(c))
        RT_MISUSE("a condition variable is used that was never initialised");
    return result;
}

RT_INLINE uint32_t rt_cond_enter(pthread_cond_t *c, uint8_t code) { return rt_cond_enter_as(c, code, NULL); }

/* Who was cancelled while it waited leaves; a signal that it had got already is for somebody else. */
RT_INLINE _Noreturn void rt_cond_cancelled(pthread_cond_t *c, pthread_mutex_t *m)
{
    struct rt_call leave = rt_operation(TYPE_COND, COND_WAKE, c, WAKE_CHANGED, false);
    if ((uint32_t)RT_ENTER(&leave) == 0)
        rt_cond_enter(c, COND_SIGNAL);
    rt_mutex_take(m, MUTEX_LOCK);
    rt_cancel_now();
}

/* until NULL: for ever. */
RT_INLINE int rt_cond_wait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *until)
{
    if (until && !rt_valid(until))
        return EINVAL;
    if (!rt_mutex_is_mine(m)) {
        if (rt_mutex_kind(m) != MUTEX_NORMAL)
            return EPERM;
        RT_MISUSE("a thread waits for a condition variable with a mutex that it does not hold");
    }
    const char *name = until ? "pthread_cond_timedwait" : NULL;
    rt_thread.begun = rt_wait_begins(name, until, true);
    rt_cond_enter_as(c, COND_ENTER, name);
    rt_mutex_release(m);
    rt_thread.begun = false;
    struct rt_call wake = rt_operation(TYPE_COND, COND_WAKE, c, until ? WAKE_TIMED : WAKE_SIGNALLED, false);
    wake.text = name;
    if (rt->wire->group & GROUP_SPURIOUS)
        wake.arg[0] |= WAKE_SPURIOUS;
    uint32_t result = (uint32_t)RT_ENTER_OR_CANCELLED(&wake);
    if (result == RESULT_CANCELLED)
        rt_cond_cancelled(c, m);
    if (result == ETIMEDOUT)
        rt_pass_time(until, true);
    int locked = rt_mutex_take(m, MUTEX_LOCK);
    return locked ? locked : (int)result;
}

RT_INLINE void rt_cond_renew(pthread_cond_t *c)
{
    struct rt_call call = rt_operation(TYPE_COND, COND_INIT, c, 0, rt_is_fresh(c, rt_cond_mark(c)));
    if ((uint32_t)RT_ENTER(&call) & RESULT_MISUSE)
        RT_MISUSE("a condition variable is initialised while threads wait for it");
}

RT_INLINE void rt_cond_remove(pthread_cond_t *c)
{
    if (rt_cond_enter(c, COND_DESTROY) & RESULT_MISUSE)
        RT_MISUSE("a condition variable is destroyed while threads wait for it");
    rt_destroyed(c, rt_cond_mark(c));
}


#endif
