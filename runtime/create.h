/* A new thread of a sharing group, by either interface (POSIX, C11).
 * SPDX-License-Identifier: MIT */
#ifndef RT_CREATE_H
#define RT_CREATE_H

#include "group.h"
#include "insides.h"
#include "signals.h"
#include "thread.h"

#include <errno.h>
#include <string.h>

struct rt_stack { void *lowest; size_t size; };          /* lowest NULL: not given by the program */

/* As `attr` says, or like the thread that makes it. Gives 0 or an errno. */
static inline int rt_read_schedule(const pthread_attr_t *attr, struct rt_thread *wish)
{
    struct sched_param param;
    int inherits = PTHREAD_INHERIT_SCHED, policy;
    wish->policy = rt_thread.policy;
    wish->priority = rt_thread.priority;
    if (attr)
        pthread_attr_getinheritsched(attr, &inherits);
    if (inherits == PTHREAD_INHERIT_SCHED)
        return 0;
    pthread_attr_getschedpolicy(attr, &policy);
    pthread_attr_getschedparam(attr, &param);
    return rt_set_schedule(wish, policy, param.sched_priority);
}

/* attr NULL: the usual. */
static inline struct rt_stack rt_read_attributes(const pthread_attr_t *attr, struct rt_thread *wish)
{
    struct rt_stack stack;
    pthread_attr_t usual;
    int detached;
    if (!attr)
        pthread_getattr_default_np(&usual);
    const pthread_attr_t *a = attr ? attr : &usual;
    pthread_attr_getdetachstate(a, &detached);
    pthread_attr_getguardsize(a, &wish->guard_size);
    pthread_attr_getstack(a, &stack.lowest, &stack.size);
    if (rt_is_no_stack(stack.lowest, stack.size))
        stack.lowest = NULL;
    pthread_attr_getstacksize(a, &stack.size);
    if (!attr)
        pthread_attr_destroy(&usual);
    wish->detached = wish->born_detached = detached == PTHREAD_CREATE_DETACHED;
    return stack;
}

/* It is to begin with another set of blocked signals than who makes it. */
static inline bool rt_has_own_mask(const pthread_attr_t *attr)
{
    sigset_t set;
    return attr && pthread_attr_getsigmask_np(attr, &set) == 0 && rt_mask_of(&set) != rt_thread.mask;
}

/* Where the program's stack for a thread is no memory, it dies of that here, before anybody counts on the thread. */
static inline void rt_touch(struct rt_stack stack)
{
    enum { FIRST = 1024 };           /* bytes, of what a new thread needs */
    if (stack.lowest && stack.size > FIRST)
        memset((char *)stack.lowest + stack.size - FIRST, 0, FIRST);
}

/* `wish` is what the new thread begins with: start or start_c11, argument. Gives 0 or an errno. */
RT_INLINE int rt_create(pthread_t *thread, const pthread_attr_t *attr, struct rt_thread *wish, const char *name)
{
    struct rt_stack stack = rt_read_attributes(attr, wish);
    int error = rt_read_schedule(attr, wish);
    if (error)
        return error;
    rt_touch(stack);
    if (rt_has_own_mask(attr))
        RT_REFUSE("pthread_create (with a signal mask among its attributes)");
    wish->clock = rt_thread.clock;
    wish->mask = rt_thread.mask;
    struct rt_call call = {.event = EVENT_OPERATION, .type = TYPE_PROCESS, .code = PROCESS_CREATE, .index = -1,
                           .arg = {0, wish->detached}, .text = name, .argument = (uint64_t)wish->argument,
                           .start = rt_begins_with(wish)};
    uint32_t process = (uint32_t)RT_ENTER(&call);
    if (process >= MAX_PROCESSES) {
        RT_NO_ROOM(RT_TOO_MANY);
        return EAGAIN;
    }
    struct rt_context *context = rt_context_create((int)process, rt_thread_run, NULL, stack.lowest, stack.size);
    if (!context) {
        static const char words[] = "memory for the stack of a thread, which the system refuses (see ulimit -v)";
        rt_context_create_refused((int)process, words);
        RT_REFUSE_AS(REFUSED_WISH, words);
        return EAGAIN;
    }
    *thread = (pthread_t)context->thread_pointer;
    *rt_thread_of(*thread) = *wish;
    rt_thread.others |= UINT64_C(1) << process;
    if (&__libc_single_threaded)
        __libc_single_threaded = 0;
    return 0;
}

#endif
