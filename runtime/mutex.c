/* Mutexes and spin locks of POSIX. (C11's are in mtx.c; functions on attributes are the C library's own.)
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "sync.h"
#pragma GCC poison malloc calloc free printf

RT_INLINE int init(pthread_mutex_t *m, const pthread_mutexattr_t *attributes)
{
    rt_mutex_renew(m);
    int result = RT_LIBC(pthread_mutex_init)(m, attributes);
    *rt_mutex_mark(m) = rt_mark(m);
    return result;
}

RT_GROUPED(int, pthread_mutex_init, (pthread_mutex_t *m, const pthread_mutexattr_t *attributes), (m, attributes),
    LIBC, DO(init(m, attributes)))
RT_FUNCTION(int, pthread_mutex_destroy, (pthread_mutex_t *m), (m),
    LIBC, DO(RT_ALONE_TRIES(pthread_mutex_destroy, RT_LIBC(pthread_mutex_destroy)(m))), DO(rt_mutex_remove(m), 0))
RT_FUNCTION(int, pthread_mutex_lock, (pthread_mutex_t *m), (m),
    LIBC, DO(RT_ALONE_TRIES(pthread_mutex_lock, RT_LIBC(pthread_mutex_trylock)(m))), DO(rt_mutex_take(m, MUTEX_LOCK)))
RT_GROUPED(int, pthread_mutex_trylock, (pthread_mutex_t *m), (m), LIBC, DO(rt_mutex_try(m, "pthread_mutex_trylock")))
RT_FUNCTION(int, pthread_mutex_timedlock, (pthread_mutex_t *restrict m, const struct timespec *restrict until), (m, until),
    LIBC, DO(RT_ALONE_TRIES(pthread_mutex_timedlock, RT_LIBC(pthread_mutex_trylock)(m))), DO(rt_mutex_timed(m, until)))
RT_FUNCTION(int, pthread_mutex_clocklock, (pthread_mutex_t *restrict m, clockid_t clock, const struct timespec *restrict until),
    (m, clock, until),
    LIBC, DO(RT_ALONE_TRIES(pthread_mutex_clocklock, RT_LIBC(pthread_mutex_trylock)(m))), DO(rt_waits_by(clock) ? rt_mutex_timed(m, until) : EINVAL))

RT_INLINE int unlock_alone(pthread_mutex_t *m)
{
    bool is_free = rt_mutex_kind(m) == MUTEX_NORMAL && !rt_mutex_is_locked(m);
    return RT_ALONE_TRIES(pthread_mutex_unlock, is_free ? EINVAL : RT_LIBC(pthread_mutex_unlock)(m));
}

RT_FUNCTION(int, pthread_mutex_unlock, (pthread_mutex_t *m), (m), LIBC, DO(unlock_alone(m)), DO(rt_mutex_release(m)))
RT_GROUPED(int, pthread_mutex_consistent, (pthread_mutex_t *m), (m), LIBC, DO((int)rt_mutex_enter(m, MUTEX_CONSISTENT)))

/* ---- spin locks: an int, with no room for a mark ---- */

RT_INLINE uint32_t spin(pthread_spinlock_t *lock, uint8_t code, const char *name)
{
    rt_uses((const void *)lock);
    struct rt_call call = rt_operation(TYPE_MUTEX, code, (const void *)lock, MUTEX_SPIN, code == MUTEX_INIT);
    call.text = name;
    call.tries = code == MUTEX_TRYLOCK;
    return (uint32_t)RT_ENTER(&call);
}

RT_INLINE int spin_try(pthread_spinlock_t *lock)
{
    static const char name[] = "pthread_spin_trylock";
    return (int)RT_TRY((const void *)lock, RT_TRIED_TOLD, spin(lock, MUTEX_TRYLOCK, name), spin(lock, MUTEX_LOCK, name), EBUSY);
}

RT_GROUPED(int, pthread_spin_init, (pthread_spinlock_t *lock, int shared), (lock, shared), LIBC, DO((int)spin(lock, MUTEX_INIT, "pthread_spin_init")))

RT_INLINE int spin_destroy(pthread_spinlock_t *lock)
{
    if (spin(lock, MUTEX_DESTROY, "pthread_spin_destroy") & RESULT_MISUSE)
        RT_MISUSE("a spin lock is destroyed while it is locked");
    return 0;
}

RT_GROUPED(int, pthread_spin_destroy, (pthread_spinlock_t *lock), (lock), LIBC, DO(spin_destroy(lock)))
RT_FUNCTION(int, pthread_spin_lock, (pthread_spinlock_t *lock), (lock),
    LIBC, DO(RT_ALONE_TRIES(pthread_spin_lock, RT_LIBC(pthread_spin_trylock)(lock))), DO((int)spin(lock, MUTEX_LOCK, "pthread_spin_lock")))
RT_GROUPED(int, pthread_spin_trylock, (pthread_spinlock_t *lock), (lock), LIBC, DO(spin_try(lock)))

RT_INLINE int spin_unlock(pthread_spinlock_t *lock)
{
    if (spin(lock, MUTEX_UNLOCK, "pthread_spin_unlock") & RESULT_MISUSE)
        RT_MISUSE("a spin lock is unlocked by a thread that does not hold it");
    rt_gives((const void *)lock);
    return 0;
}

RT_GROUPED(int, pthread_spin_unlock, (pthread_spinlock_t *lock), (lock), LIBC, DO(spin_unlock(lock)))
