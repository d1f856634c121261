/* POSIX threads in a sharing group: each is a context (group.h), known to the controller as a process.
 *
 * A thread's pthread_t is the address of its control block; so pthread_self, pthread_equal and thread-local storage are the C
 * library's own.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "thread.h"
#include "create.h"
#include "group.h"
#include "rt.h"
#include "waits.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#pragma GCC poison malloc calloc free printf

__thread struct rt_thread rt_thread;

extern int  main(int, char **, char **) __attribute__((weak));

int rt_thread_process(pthread_t t)
{
    for (int p = 0; p < rt_contexts_end; p++)
        if (rt_contexts[p].state != RT_UNUSED && rt_contexts[p].thread_pointer == (uint64_t)t
            && rt_contexts[p].host == rt_current()->host)
            return p;
    return -1;
}

int rt_joinable(pthread_t t, int *process)
{
    *process = rt_thread_process(t);
    return *process < 0 ? ESRCH : rt_thread_of(t)->born_detached ? EINVAL : 0;
}

struct rt_thread *rt_thread_of(pthread_t t)
{
    return (struct rt_thread *)((char *)t + ((char *)&rt_thread - (char *)pthread_self()));
}

/* ---- the end of a thread ---- */

/* Where it was not a call that ended it, its function returned; where, the stack does not tell any more. */
static uint64_t end_place(void)
{
    return rt_thread.end_place ? rt_thread.end_place
         : rt_thread.start ? (uint64_t)rt_thread.start + 1
         : rt_thread.start_c11 ? (uint64_t)rt_thread.start_c11 + 1 : (uint64_t)&main + 1;
}

static int32_t how_it_ends(void)
{
    return rt_thread.end_place ? FINISH_EXIT
         : rt_thread.cancelled && rt_thread.value == PTHREAD_CANCELED ? FINISH_CANCELLED : FINISH_RETURN;
}

/* The last thread ends the UNIX process, and does first what the program wants to be done at exit. Who that is, the controller says. */
void rt_thread_end(void)
{
    rt_thread.ending = 1;
    if (__call_tls_dtors)
        __call_tls_dtors();
    rt_run_key_destructors();
    struct rt_call call = {.event = EVENT_OPERATION, .type = TYPE_PROCESS, .code = PROCESS_FINISH, .index = -1,
                           .arg = {rt_has_exit_handlers() || rt_has_timers(), how_it_ends()}, .place = end_place()};
    if (RT_ENTER(&call)) {
        rt_thread.last = !rt_has_timers();
        RT_NEXT(exit)(0);
        __builtin_unreachable();
    }
    rt_context_end();
}

__attribute__((noinline)) void rt_thread_run(void *unused)
{
    (void)unused;
    if (rt_thread.start)
        rt_thread.value = rt_thread.start(rt_thread.argument);
    else
        rt_thread.value = (void *)(intptr_t)rt_thread.start_c11(rt_thread.argument);
    rt_thread_end();
}

void rt_thread_exit(void *value, void *place)
{
    rt_thread.value = value;
    rt_thread.end_place = (uint64_t)place;
    rt_thread_unwind();
}

RT_NORETURN(pthread_exit, (void *value), (value), NEXT, NEXT, DO(rt_thread_exit(value, __builtin_return_address(0))))

/* ---- its beginning ---- */

RT_INLINE int group_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), void *argument)
{
    struct rt_thread wish = {.start = start, .argument = argument};
    return rt_create(thread, attr, &wish, "pthread_create");
}

RT_FUNCTION(int, pthread_create, (pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), void *argument),
    (thread, attr, start, argument),
    NEXT, NEED_GROUP, DO(group_pthread_create(thread, attr, start, argument)))

/* ---- waiting for it ---- */

RT_INLINE int join(pthread_t t, void **value, int how)             /* how: 0, ARG_NOWAIT or ARG_TIMED */
{
    int process, error = rt_joinable(t, &process);
    if (error)
        return error;
    struct rt_call call = {.event = EVENT_OPERATION, .type = TYPE_PROCESS, .code = PROCESS_JOIN, .index = -1,
                           .arg = {process, 0, how}, .start = rt_began_with(t)};
    error = (int)(how == ARG_NOWAIT ? RT_ENTER(&call) : RT_ENTER_CANCELLABLE(&call));
    if (error)
        return error;
    if (value)
        *value = rt_thread_of(t)->value;
    rt_thread.others = (rt_thread.others & ~(UINT64_C(1) << process)) | rt_thread_of(t)->others;
    return 0;
}

RT_INLINE int join_until(pthread_t t, void **value, const struct timespec *end)
{
    if (end && (end->tv_nsec < 0 || end->tv_nsec >= 1000000000))
        return EINVAL;
    rt_wait_begins("pthread_timedjoin_np", end, true);
    int error = join(t, value, end ? ARG_TIMED : 0);
    if (error == ETIMEDOUT)
        rt_pass_time(end, true);
    return error;
}

RT_GROUPED(int, pthread_join, (pthread_t t, void **value), (t, value), NEXT, DO(join(t, value, 0)))
RT_GROUPED(int, pthread_tryjoin_np, (pthread_t t, void **value), (t, value), NEXT, DO(join(t, value, ARG_NOWAIT)))
RT_GROUPED(int, pthread_timedjoin_np, (pthread_t t, void **value, const struct timespec *end), (t, value, end),
    NEXT, DO(join_until(t, value, end)))

RT_INLINE int group_pthread_clockjoin_np(pthread_t t, void **value, clockid_t clock, const struct timespec *end)
{
    return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC ? join_until(t, value, end) : EINVAL;
}

RT_GROUPED(int, pthread_clockjoin_np, (pthread_t t, void **value, clockid_t clock, const struct timespec *end),
    (t, value, clock, end),
    NEXT, DO(group_pthread_clockjoin_np(t, value, clock, end)))

RT_INLINE int group_pthread_detach(pthread_t t)
{
    int process, error = rt_joinable(t, &process);
    if (error)
        return error;
    struct rt_call call = {.event = EVENT_OPERATION, .type = TYPE_PROCESS, .code = PROCESS_DETACH, .index = -1,
                           .arg = {process}, .start = rt_began_with(t)};
    error = (int)RT_ENTER(&call);
    if (!error)
        rt_thread_of(t)->detached = 1;
    return error;
}

RT_GROUPED(int, pthread_detach, (pthread_t t), (t), NEXT, DO(group_pthread_detach(t)))

/* ---- letting others go first ---- */

int old_yield(void) __asm__("pthread_yield");            /* pthread.h turns this name into sched_yield */

RT_GROUPED(int, sched_yield, (void), (), NEXT, DO(rt_yield("sched_yield")))
RT_GROUPED(int, old_yield, (void), (), DO(RT_NEXT(sched_yield)()), DO(rt_yield("pthread_yield")))
