/* Mutexes and spin locks of POSIX. (C11's are in mtx.c; functions on attributes are the C library's own.)
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "sync.h"
#pragma GCC poison malloc calloc free printf

RT_API int pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *attributes)
{
    if (!rt_passes())
        rt_mutex_renew(m);
    int result = RT_LIBC(pthread_mutex_init)(m, attributes);
    if (!rt_passes())
        *rt_mutex_mark(m) = rt_mark(m);
    return result;
}

RT_API int pthread_mutex_destroy(pthread_mutex_t *m)
{
    if (rt_passes())
        return RT_LIBC(pthread_mutex_destroy)(m);
    rt_mutex_remove(m);
    return 0;
}

RT_API int pthread_mutex_lock(pthread_mutex_t *m)
{
    return rt_passes() ? RT_LIBC(pthread_mutex_lock)(m) : rt_mutex_take(m, MUTEX_LOCK);
}

RT_API int pthread_mutex_trylock(pthread_mutex_t *m)
{
    return rt_passes() ? RT_LIBC(pthread_mutex_trylock)(m) : rt_mutex_take(m, MUTEX_TRYLOCK);
}

RT_API int pthread_mutex_timedlock(pthread_mutex_t *restrict m, const struct timespec *restrict until)
{
    return rt_passes() ? RT_LIBC(pthread_mutex_timedlock)(m, until) : rt_mutex_timed(m, until);
}

RT_API int pthread_mutex_clocklock(pthread_mutex_t *restrict m, clockid_t clock, const struct timespec *restrict until)
{
    return rt_passes() ? RT_LIBC(pthread_mutex_clocklock)(m, clock, until) : rt_mutex_timed(m, until);
}

RT_API int pthread_mutex_unlock(pthread_mutex_t *m)
{
    return rt_passes() ? RT_LIBC(pthread_mutex_unlock)(m) : rt_mutex_release(m);
}

RT_API int pthread_mutex_consistent(pthread_mutex_t *m)
{
    return rt_passes() ? RT_LIBC(pthread_mutex_consistent)(m) : (int)rt_mutex_enter(m, MUTEX_CONSISTENT);
}

/* ---- spin locks: an int, with no room for a mark ---- */

RT_INLINE uint32_t spin(pthread_spinlock_t *lock, uint8_t code)
{
    struct rt_call call = rt_operation(TYPE_MUTEX, code, (const void *)lock, MUTEX_SPIN, code == MUTEX_INIT);
    return (uint32_t)RT_ENTER(&call);
}

RT_API int pthread_spin_init(pthread_spinlock_t *lock, int shared)
{
    return rt_passes() ? RT_LIBC(pthread_spin_init)(lock, shared) : (int)spin(lock, MUTEX_INIT);
}

RT_API int pthread_spin_destroy(pthread_spinlock_t *lock)
{
    if (rt_passes())
        return RT_LIBC(pthread_spin_destroy)(lock);
    if (spin(lock, MUTEX_DESTROY) & RESULT_MISUSE)
        RT_MISUSE("a spin lock is destroyed while it is locked");
    return 0;
}

RT_API int pthread_spin_lock(pthread_spinlock_t *lock)
{
    return rt_passes() ? RT_LIBC(pthread_spin_lock)(lock) : (int)spin(lock, MUTEX_LOCK);
}

RT_API int pthread_spin_trylock(pthread_spinlock_t *lock)
{
    return rt_passes() ? RT_LIBC(pthread_spin_trylock)(lock) : (int)spin(lock, MUTEX_TRYLOCK);
}

RT_API int pthread_spin_unlock(pthread_spinlock_t *lock)
{
    if (rt_passes())
        return RT_LIBC(pthread_spin_unlock)(lock);
    if (spin(lock, MUTEX_UNLOCK) & RESULT_MISUSE)
        RT_MISUSE("a spin lock is unlocked by a thread that does not hold it");
    return 0;
}
