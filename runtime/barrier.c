/* Barriers.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "sync.h"
#pragma GCC poison malloc calloc free printf

RT_INLINE uint32_t *mark_of(pthread_barrier_t *b) { return &((struct rt_barrier_words *)b)->mark; }
RT_INLINE int32_t *count_of(pthread_barrier_t *b) { return &((struct rt_barrier_words *)b)->count; }

RT_INLINE uint32_t enter(pthread_barrier_t *b, uint8_t code)
{
    if (!rt_is_initialised(b, mark_of(b)))
        RT_MISUSE("a barrier is used that is not initialised");
    rt_uses(b);
    struct rt_call call = rt_operation(TYPE_BARRIER, code, b, *count_of(b), rt_is_fresh(b, mark_of(b)));
    return (uint32_t)RT_ENTER(&call);
}

RT_INLINE int init(pthread_barrier_t *b, unsigned count)
{
    if (count == 0 || count > INT32_MAX)
        return EINVAL;
    struct rt_call call = rt_operation(TYPE_BARRIER, BARRIER_INIT, b, (int32_t)count, rt_is_fresh(b, mark_of(b)));
    if ((uint32_t)RT_ENTER(&call) & RESULT_MISUSE)
        RT_MISUSE("a barrier is initialised while threads wait at it");
    *mark_of(b) = rt_mark(b);
    *count_of(b) = (int32_t)count;
    return 0;
}

RT_GROUPED(int, pthread_barrier_init, (pthread_barrier_t *restrict b, const pthread_barrierattr_t *restrict attributes,
    unsigned count), (b, attributes, count),
    LIBC, DO(init(b, count)))

RT_INLINE int destroy(pthread_barrier_t *b)
{
    if (enter(b, BARRIER_DESTROY) & RESULT_MISUSE)
        RT_MISUSE("a barrier is destroyed while threads wait at it");
    rt_destroyed(b, mark_of(b));
    return 0;
}

RT_GROUPED(int, pthread_barrier_destroy, (pthread_barrier_t *b), (b), LIBC, DO(destroy(b)))

RT_INLINE int wait_at(pthread_barrier_t *b)
{
    if (enter(b, BARRIER_ARRIVE) == BARRIER_LAST)
        return PTHREAD_BARRIER_SERIAL_THREAD;
    struct rt_call leave = rt_operation(TYPE_BARRIER, BARRIER_LEAVE, b, 0, false);
    RT_ENTER(&leave);
    return 0;
}

RT_FUNCTION(int, pthread_barrier_wait, (pthread_barrier_t *b), (b), LIBC, NEED_GROUP, DO(wait_at(b)))
