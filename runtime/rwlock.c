/* Reader-writer locks.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "sync.h"
#pragma GCC poison malloc calloc free printf

RT_INLINE uint32_t call_with(pthread_rwlock_t *l, uint8_t code, int32_t bits, const char *tries)        /* tries NULL: it does not */
{
    rt_uses(l);
    struct rt_call call = rt_operation(TYPE_RWLOCK, code, l, rt_rwlock_is_in_turn(l) ? RWLOCK_IN_TURN | bits : 0, rt_is_fresh(l, rt_rwlock_mark(l)));
    call.tries = tries;
    call.text = code == RWLOCK_READ || code == RWLOCK_WRITE ? tries : NULL;
    uint32_t result = (uint32_t)RT_ENTER(&call);
    if (code != RWLOCK_INIT && rt_is_destroyed(l, rt_rwlock_mark(l)))
        RT_MISUSE("a reader-writer lock is used that was destroyed");
    return result;
}

RT_INLINE uint32_t call_lock(pthread_rwlock_t *l, uint8_t code, const char *tries) { return call_with(l, code, 0, tries); }
RT_INLINE uint32_t enter(pthread_rwlock_t *l, uint8_t code) { return call_lock(l, code, NULL); }

/* Where writers come first, others see that it waits. */
RT_INLINE uint32_t write_lock(pthread_rwlock_t *l, uint8_t code)
{
    uint32_t result = rt_rwlock_is_in_turn(l) ? enter(l, RWLOCK_QUEUE) : EINPROGRESS;
    return result == EINPROGRESS ? call_with(l, code, RWLOCK_QUEUED, NULL) : result;
}

RT_INLINE int timed(pthread_rwlock_t *l, uint8_t code, const struct timespec *until)
{
    if (!rt_valid(until))
        return EINVAL;
    rt_wait_begins(code == RWLOCK_TIMEDREAD ? "pthread_rwlock_timedrdlock" : "pthread_rwlock_timedwrlock", until, true);
    uint32_t result = code == RWLOCK_TIMEDWRITE ? write_lock(l, code) : enter(l, code);
    if (result == ETIMEDOUT)
        rt_pass_time(until, true);
    return (int)result;
}

RT_INLINE int init(pthread_rwlock_t *l, const pthread_rwlockattr_t *attributes)
{
    if (enter(l, RWLOCK_INIT) & RESULT_MISUSE)
        RT_MISUSE("a reader-writer lock is initialised while it is locked");
    int result = RT_LIBC(pthread_rwlock_init)(l, attributes);
    *rt_rwlock_mark(l) = rt_mark(l);
    return result;
}

RT_GROUPED(int, pthread_rwlock_init, (pthread_rwlock_t *restrict l, const pthread_rwlockattr_t *restrict attributes),
    (l, attributes), LIBC, DO(init(l, attributes)))

RT_INLINE int destroy(pthread_rwlock_t *l)
{
    if (enter(l, RWLOCK_DESTROY) & RESULT_MISUSE)
        RT_MISUSE("a reader-writer lock is destroyed while it is locked");
    rt_destroyed(l, rt_rwlock_mark(l));
    return 0;
}

RT_GROUPED(int, pthread_rwlock_destroy, (pthread_rwlock_t *l), (l), LIBC, DO(destroy(l)))
RT_FUNCTION(int, pthread_rwlock_rdlock, (pthread_rwlock_t *l), (l),
    LIBC, DO(RT_ALONE_TRIES(pthread_rwlock_rdlock, RT_LIBC(pthread_rwlock_tryrdlock)(l))), DO((int)enter(l, RWLOCK_READ)))
RT_FUNCTION(int, pthread_rwlock_wrlock, (pthread_rwlock_t *l), (l),
    LIBC, DO(RT_ALONE_TRIES(pthread_rwlock_wrlock, RT_LIBC(pthread_rwlock_trywrlock)(l))), DO((int)write_lock(l, RWLOCK_WRITE)))
RT_INLINE uint32_t wait_trying(pthread_rwlock_t *l, uint8_t code, const char *name)     /* who waits for himself is told so, but not one who tries */
{
    uint32_t result = call_lock(l, code, name);
    return result == EDEADLK ? EBUSY : result;
}

#define TRYRD "pthread_rwlock_tryrdlock"
#define TRYWR "pthread_rwlock_trywrlock"
RT_GROUPED(int, pthread_rwlock_tryrdlock, (pthread_rwlock_t *l), (l), LIBC, DO((int)RT_TRY(l, RT_TRIED_TOLD, call_lock(l, RWLOCK_TRYREAD, TRYRD), wait_trying(l, RWLOCK_READ, TRYRD), EBUSY)))
RT_GROUPED(int, pthread_rwlock_trywrlock, (pthread_rwlock_t *l), (l), LIBC, DO((int)RT_TRY(l, RT_TRIED_TOLD, call_lock(l, RWLOCK_TRYWRITE, TRYWR), wait_trying(l, RWLOCK_WRITE, TRYWR), EBUSY)))
RT_FUNCTION(int, pthread_rwlock_timedrdlock, (pthread_rwlock_t *restrict l, const struct timespec *restrict until), (l, until),
    LIBC, DO(RT_ALONE_TRIES(pthread_rwlock_timedrdlock, RT_LIBC(pthread_rwlock_tryrdlock)(l))), DO(timed(l, RWLOCK_TIMEDREAD, until)))
RT_FUNCTION(int, pthread_rwlock_timedwrlock, (pthread_rwlock_t *restrict l, const struct timespec *restrict until), (l, until),
    LIBC, DO(RT_ALONE_TRIES(pthread_rwlock_timedwrlock, RT_LIBC(pthread_rwlock_trywrlock)(l))), DO(timed(l, RWLOCK_TIMEDWRITE, until)))
RT_FUNCTION(int, pthread_rwlock_clockrdlock, (pthread_rwlock_t *restrict l, clockid_t clock,
    const struct timespec *restrict until), (l, clock, until),
    LIBC, DO(RT_ALONE_TRIES(pthread_rwlock_clockrdlock, RT_LIBC(pthread_rwlock_tryrdlock)(l))), DO(rt_waits_by(clock) ? timed(l, RWLOCK_TIMEDREAD, until) : EINVAL))
RT_FUNCTION(int, pthread_rwlock_clockwrlock, (pthread_rwlock_t *restrict l, clockid_t clock,
    const struct timespec *restrict until), (l, clock, until),
    LIBC, DO(RT_ALONE_TRIES(pthread_rwlock_clockwrlock, RT_LIBC(pthread_rwlock_trywrlock)(l))), DO(rt_waits_by(clock) ? timed(l, RWLOCK_TIMEDWRITE, until) : EINVAL))

RT_INLINE int unlock(pthread_rwlock_t *l)
{
    uint32_t result = enter(l, RWLOCK_UNLOCK);
    if (result & RESULT_MISUSE)
        RT_MISUSE("a reader-writer lock is unlocked by a thread that does not hold it");
    rt_gives(l);
    return (int)result;
}

RT_GROUPED(int, pthread_rwlock_unlock, (pthread_rwlock_t *l), (l), LIBC, DO(unlock(l)))
