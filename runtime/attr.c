/* What a thread is called, where its stack is, which processors it may use: answers that are the same in every run. (The
 * functions on pthread_attr_t are the C library's own.)
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "group.h"
#include "rt.h"
#include "thread.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#pragma GCC poison malloc calloc free printf

/* Without a group there is only the first thread. (The C library would read where its stack is from a file of the kernel's.) */
static int first_thread(pthread_attr_t *attr)
{
    size_t size = rt_main_stack_size();
    int error = pthread_attr_init(attr);
    return error ? error : pthread_attr_setstack(attr, __libc_stack_end - size, size);
}

RT_INLINE int group_pthread_getattr_np(pthread_t t, pthread_attr_t *attr)
{
    int process = rt_thread_process(t), error = pthread_attr_init(attr);
    if (process < 0 || error)
        return process < 0 ? ESRCH : error;
    struct rt_context *c = &rt_contexts[process];
    struct rt_thread *thread = rt_thread_of(t);
    pthread_attr_setstack(attr, c->stack, (size_t)(c->stack_end - c->stack));
    pthread_attr_setguardsize(attr, thread->guard_size);
    return pthread_attr_setdetachstate(attr, thread->detached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
}

RT_FUNCTION(int, pthread_getattr_np, (pthread_t t, pthread_attr_t *attr), (t, attr),
    NEXT, DO(first_thread(attr)), DO(group_pthread_getattr_np(t, attr)))

RT_INLINE int group_pthread_setname_np(pthread_t t, const char *name)
{
    int process = rt_thread_process(t);
    uint32_t room = sizeof rt_contexts->name, length = rt_length(name, room);
    if (process < 0 || length == room)
        return process < 0 ? ESRCH : ERANGE;
    memcpy(rt_contexts[process].name, name, length + 1);
    return 0;
}

RT_GROUPED(int, pthread_setname_np, (pthread_t t, const char *name), (t, name), NEXT, DO(group_pthread_setname_np(t, name)))

RT_INLINE int group_pthread_getname_np(pthread_t t, char *name, size_t room)
{
    int process = rt_thread_process(t);
    if (process < 0 || room < sizeof rt_contexts->name)
        return process < 0 ? ESRCH : ERANGE;
    const char *own = rt_contexts[process].name[0] ? rt_contexts[process].name : program_invocation_short_name;
    uint32_t length = rt_length(own, sizeof rt_contexts->name - 1);
    memcpy(name, own, length);
    name[length] = 0;
    return 0;
}

RT_GROUPED(int, pthread_getname_np, (pthread_t t, char *name, size_t room), (t, name, room),
    NEXT, DO(group_pthread_getname_np(t, name, room)))
RT_CONTROLLED(int, pthread_setaffinity_np, (pthread_t t, size_t bytes, const cpu_set_t *set), (t, bytes, set), NEXT, DO(0))
RT_CONTROLLED(int, sched_setaffinity, (pid_t pid, size_t bytes, const cpu_set_t *set), (pid, bytes, set), NEXT, DO(0))
RT_CONTROLLED(int, sched_getcpu, (void), (), NEXT, DO(0))

RT_INLINE int controlled_getcpu(unsigned *processor, unsigned *node)
{
    if (processor)
        *processor = 0;
    if (node)
        *node = 0;
    return 0;
}

RT_CONTROLLED(int, getcpu, (unsigned *processor, unsigned *node), (processor, node), NEXT, DO(controlled_getcpu(processor, node)))

static void one_processor(size_t bytes, cpu_set_t *set)
{
    memset(set, 0, bytes);
    *(char *)set = 1;
}

RT_INLINE int ask_affinity(size_t bytes, cpu_set_t *set)
{
    if (bytes == 0)
        return EINVAL;
    one_processor(bytes, set);
    return 0;
}

RT_CONTROLLED(int, pthread_getaffinity_np, (pthread_t t, size_t bytes, cpu_set_t *set), (t, bytes, set),
    NEXT, DO(ask_affinity(bytes, set)))

RT_CONTROLLED(int, sched_getaffinity, (pid_t pid, size_t bytes, cpu_set_t *set), (pid, bytes, set),
    NEXT, DO(rt_answer(-ask_affinity(bytes, set))))

RT_CONTROLLED(int, pthread_getcpuclockid, (pthread_t t, clockid_t *clock), (t, clock),
    NEXT, DO(*clock = CLOCK_THREAD_CPUTIME_ID, 0))
