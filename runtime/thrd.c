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

RT_API int thrd_create(thrd_t *thread, thrd_start_t start, void *argument)
{
    if (rt_mode == RT_CONTROLLED)
        RT_NEED_GROUP(thrd_create);
    if (rt_mode != RT_GROUP)
        return RT_NEXT(thrd_create)(thread, start, argument);
    struct rt_thread wish = {.start_c11 = start, .argument = argument};
    return meaning(rt_create(thread, NULL, &wish, "thrd_create"));
}

RT_API int thrd_join(thrd_t t, int *value)
{
    if (!rt_in_group())
        return RT_NEXT(thrd_join)(t, value);
    int process, error = rt_joinable(t, &process);
    struct rt_call call = {.event = EVENT_OPERATION, .type = TYPE_PROCESS, .code = PROCESS_JOIN, .index = -1, .arg = {process}};
    if (error || RT_ENTER_CANCELLABLE(&call) != 0)
        return thrd_error;
    if (value)
        *value = (int)(intptr_t)rt_thread_of(t)->value;
    return thrd_success;
}

RT_API int thrd_detach(thrd_t t)
{
    if (!rt_in_group())
        return RT_NEXT(thrd_detach)(t);
    int process, error = rt_joinable(t, &process);
    struct rt_call call = {.event = EVENT_OPERATION, .type = TYPE_PROCESS, .code = PROCESS_DETACH, .index = -1,
                           .arg = {process}};
    if (error || RT_ENTER(&call) != 0)
        return thrd_error;
    rt_thread_of(t)->detached = 1;
    return thrd_success;
}

RT_API _Noreturn void thrd_exit(int value)
{
    if (!rt_in_group()) {
        RT_NEXT(thrd_exit)(value);
        __builtin_unreachable();
    }
    rt_thread.value = (void *)(intptr_t)value;
    rt_thread.end_place = (uint64_t)__builtin_return_address(0);
    rt_thread_unwind();
}

RT_API void thrd_yield(void)
{
    if (!rt_in_group()) {
        RT_NEXT(thrd_yield)();
        return;
    }
    struct rt_call call = {.event = EVENT_OPERATION, .type = TYPE_PROCESS, .code = PROCESS_YIELD, .index = -1,
                           .text = "thrd_yield"};
    RT_ENTER(&call);
}

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
