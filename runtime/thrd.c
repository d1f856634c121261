/* C11 threads: the same as POSIX threads, by other names. (thrd_current, thrd_equal, tss_get, tss_set are the C library's own;
 * thrd_sleep is in clock.c.)
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "create.h"
#include "key.h"
#include "rt.h"
#include "thread.h"

#include <threads.h>
#pragma GCC poison malloc calloc free printf

static int meaning(int error)
{
    return error == 0 ? thrd_success : error == EAGAIN || error == ENOMEM ? thrd_nomem : thrd_error;
}

RT_INLINE int group_thrd_create(thrd_t *thread, thrd_start_t start, void *argument)
{
    struct rt_thread wish = {.start_c11 = start, .argument = argument};
    return meaning(rt_create(thread, NULL, &wish, "thrd_create"));
}

RT_FUNCTION(int, thrd_create, (thrd_t *thread, thrd_start_t start, void *argument), (thread, start, argument),
    NEXT, NEED_GROUP, DO(group_thrd_create(thread, start, argument)))

RT_INLINE int group_thrd_join(thrd_t t, int *value)
{
    int process, error = rt_joinable(t, &process);
    struct rt_call call = {.event = EVENT_OPERATION, .type = TYPE_PROCESS, .code = PROCESS_JOIN, .index = -1, .arg = {process},
                           .start = error ? 0 : rt_began_with(t)};
    if (error || RT_ENTER_CANCELLABLE(&call) != 0)
        return thrd_error;
    if (value)
        *value = (int)(intptr_t)rt_thread_of(t)->value;
    return thrd_success;
}

RT_GROUPED(int, thrd_join, (thrd_t t, int *value), (t, value), NEXT, DO(group_thrd_join(t, value)))

RT_INLINE int group_thrd_detach(thrd_t t)
{
    int process, error = rt_joinable(t, &process);
    struct rt_call call = {.event = EVENT_OPERATION, .type = TYPE_PROCESS, .code = PROCESS_DETACH, .index = -1,
                           .arg = {process}, .start = error ? 0 : rt_began_with(t)};
    if (error || RT_ENTER(&call) != 0)
        return thrd_error;
    rt_thread_of(t)->detached = 1;
    return thrd_success;
}

RT_GROUPED(int, thrd_detach, (thrd_t t), (t), NEXT, DO(group_thrd_detach(t)))

RT_NORETURN(thrd_exit, (int value), (value),
    NEXT, NEXT, DO(rt_thread_exit((void *)(intptr_t)value, __builtin_return_address(0))))
RT_GROUPED(void, thrd_yield, (void), (), NEXT, DO((void)rt_yield("thrd_yield")))

RT_API int tss_create(tss_t *key, tss_dtor_t destructor)
{
    int outcome = RT_NEXT(tss_create)(key, destructor);
    if (outcome == thrd_success)
        rt_key_destructor(*key, destructor);
    return outcome;
}

RT_API void tss_delete(tss_t key)
{
    rt_key_destructor(key, NULL);
    RT_NEXT(tss_delete)(key);
}
