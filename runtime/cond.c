/* Condition variables of POSIX. A wait is four operations: it enters, unlocks the mutex, wakes, and locks the mutex.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "sync.h"
#pragma GCC poison malloc calloc free printf

RT_API int pthread_cond_init(pthread_cond_t *restrict c, const pthread_condattr_t *restrict attributes)
{
    if (!rt_passes())
        rt_cond_renew(c);
    int result = RT_LIBC(pthread_cond_init)(c, attributes);
    if (!rt_passes())
        *rt_cond_mark(c) = rt_mark(c);
    return result;
}

RT_API int pthread_cond_destroy(pthread_cond_t *c)
{
    if (rt_passes())
        return RT_LIBC(pthread_cond_destroy)(c);
    rt_cond_remove(c);
    return 0;
}

RT_API int pthread_cond_wait(pthread_cond_t *restrict c, pthread_mutex_t *restrict m)
{
    return rt_passes() ? RT_LIBC(pthread_cond_wait)(c, m) : rt_cond_wait(c, m, NULL);
}

RT_API int pthread_cond_timedwait(pthread_cond_t *restrict c, pthread_mutex_t *restrict m,
                                  const struct timespec *restrict until)
{
    return rt_passes() ? RT_LIBC(pthread_cond_timedwait)(c, m, until) : rt_cond_wait(c, m, until);
}

RT_API int pthread_cond_clockwait(pthread_cond_t *restrict c, pthread_mutex_t *restrict m, clockid_t clock,
                                  const struct timespec *restrict until)
{
    return rt_passes() ? RT_LIBC(pthread_cond_clockwait)(c, m, clock, until) : rt_cond_wait(c, m, until);
}

RT_API int pthread_cond_signal(pthread_cond_t *c)
{
    return rt_passes() ? RT_LIBC(pthread_cond_signal)(c) : (rt_cond_enter(c, COND_SIGNAL), 0);
}

RT_API int pthread_cond_broadcast(pthread_cond_t *c)
{
    return rt_passes() ? RT_LIBC(pthread_cond_broadcast)(c) : (int)rt_cond_enter(c, COND_BROADCAST);
}
