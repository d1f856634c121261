/* The mutexes and condition variables of C11: those of POSIX, by other names. (call_once is in once.c.)
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "sync.h"

#include <threads.h>
#pragma GCC poison malloc calloc free printf

_Static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t) && sizeof(cnd_t) == sizeof(pthread_cond_t), "they are the same");

RT_INLINE pthread_mutex_t *mutex_of(mtx_t *m) { return (pthread_mutex_t *)m; }
RT_INLINE pthread_cond_t *cond_of(cnd_t *c) { return (pthread_cond_t *)c; }

static int meaning(int error)
{
    return error == 0 ? thrd_success : error == EBUSY ? thrd_busy : error == ETIMEDOUT ? thrd_timedout : thrd_error;
}

RT_INLINE int init_mutex(mtx_t *m, int type)
{
    rt_mutex_renew(mutex_of(m));
    int result = RT_LIBC(mtx_init)(m, type);
    *rt_mutex_mark(mutex_of(m)) = rt_mark(m);
    return result;
}

RT_INLINE int init_cond(cnd_t *c)
{
    rt_cond_renew(cond_of(c));
    int result = RT_LIBC(cnd_init)(c);
    *rt_cond_mark(cond_of(c)) = rt_mark(c);
    return result;
}

RT_GROUPED(int, mtx_init, (mtx_t *m, int type), (m, type), LIBC, DO(init_mutex(m, type)))
RT_FUNCTION(void, mtx_destroy, (mtx_t *m), (m),
    LIBC, DO((void)RT_ALONE_TRIES(mtx_destroy, RT_LIBC(pthread_mutex_destroy)(mutex_of(m)))), DO(rt_mutex_remove(mutex_of(m))))
RT_FUNCTION(int, mtx_lock, (mtx_t *m), (m),
    LIBC, DO(meaning(RT_ALONE_TRIES(mtx_lock, RT_LIBC(pthread_mutex_trylock)(mutex_of(m))))), DO(meaning(rt_mutex_take(mutex_of(m), MUTEX_LOCK))))
RT_GROUPED(int, mtx_trylock, (mtx_t *m), (m), LIBC, DO(meaning(rt_mutex_try(mutex_of(m), "mtx_trylock"))))
RT_FUNCTION(int, mtx_timedlock, (mtx_t *restrict m, const struct timespec *restrict until), (m, until),
    LIBC, DO(meaning(RT_ALONE_TRIES(mtx_timedlock, RT_LIBC(pthread_mutex_trylock)(mutex_of(m))))), DO(meaning(rt_mutex_timed(mutex_of(m), until))))
RT_GROUPED(int, mtx_unlock, (mtx_t *m), (m), LIBC, DO(meaning(rt_mutex_release(mutex_of(m)))))

RT_GROUPED(int, cnd_init, (cnd_t *c), (c), LIBC, DO(init_cond(c)))
RT_GROUPED(void, cnd_destroy, (cnd_t *c), (c), LIBC, DO(rt_cond_remove(cond_of(c))))
RT_FUNCTION(int, cnd_wait, (cnd_t *c, mtx_t *m), (c, m), LIBC, NEED_GROUP, DO(meaning(rt_cond_wait(cond_of(c), mutex_of(m), NULL))))
RT_FUNCTION(int, cnd_timedwait, (cnd_t *restrict c, mtx_t *restrict m, const struct timespec *restrict until), (c, m, until),
    LIBC, NEED_GROUP, DO(meaning(rt_cond_wait(cond_of(c), mutex_of(m), until))))
RT_GROUPED(int, cnd_signal, (cnd_t *c), (c), LIBC, DO(rt_cond_enter(cond_of(c), COND_SIGNAL), meaning(0)))
RT_GROUPED(int, cnd_broadcast, (cnd_t *c), (c), LIBC, DO(meaning((int)rt_cond_enter(cond_of(c), COND_BROADCAST))))
