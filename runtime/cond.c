/* Condition variables of POSIX. A wait is four operations: it enters, unlocks the mutex, wakes, and locks the mutex.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "sync.h"
#pragma GCC poison malloc calloc free printf

RT_INLINE int init(pthread_cond_t *c, const pthread_condattr_t *attributes)
{
    rt_cond_renew(c);
    int result = RT_LIBC(pthread_cond_init)(c, attributes);
    *rt_cond_mark(c) = rt_mark(c);
    return result;
}

RT_GROUPED(int, pthread_cond_init, (pthread_cond_t *restrict c, const pthread_condattr_t *restrict attributes), (c, attributes),
    LIBC, DO(init(c, attributes)))
RT_GROUPED(int, pthread_cond_destroy, (pthread_cond_t *c), (c), LIBC, DO(rt_cond_remove(c), 0))
RT_FUNCTION(int, pthread_cond_wait, (pthread_cond_t *restrict c, pthread_mutex_t *restrict m), (c, m),
    LIBC, NEED_GROUP, DO(rt_cond_wait(c, m, NULL)))
RT_FUNCTION(int, pthread_cond_timedwait, (pthread_cond_t *restrict c, pthread_mutex_t *restrict m,
    const struct timespec *restrict until), (c, m, until),
    LIBC, NEED_GROUP, DO(rt_cond_wait(c, m, until)))
RT_FUNCTION(int, pthread_cond_clockwait, (pthread_cond_t *restrict c, pthread_mutex_t *restrict m, clockid_t clock,
    const struct timespec *restrict until), (c, m, clock, until),
    LIBC, NEED_GROUP, DO(rt_waits_by(clock) ? rt_cond_wait(c, m, until) : EINVAL))
RT_GROUPED(int, pthread_cond_signal, (pthread_cond_t *c), (c), LIBC, DO(rt_cond_enter(c, COND_SIGNAL), 0))
RT_GROUPED(int, pthread_cond_broadcast, (pthread_cond_t *c), (c), LIBC, DO((int)rt_cond_enter(c, COND_BROADCAST)))
