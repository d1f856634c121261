/* Priorities and scheduling policies: remembered with the thread, so that they go back with memory, and of no other effect. The
 * kernel is not told: it would keep them, and a thread that goes before all others would go before the controller, too.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "group.h"
#include "rt.h"
#include "thread.h"

#include <errno.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>
#pragma GCC poison malloc calloc free printf

static int fails(int error)
{
    errno = error;
    return -1;
}

RT_INLINE int refused(const char *words)
{
    struct rt_call call = {.event = EVENT_REFUSE, .text = words};
    return fails(-(int)RT_ENTER(&call));
}

/* ---- policies ---- */

static bool is_real_time(int policy) { return policy == SCHED_FIFO || policy == SCHED_RR; }

static bool is_policy(int policy)
{
    return is_real_time(policy) || policy == SCHED_OTHER || policy == SCHED_BATCH || policy == SCHED_IDLE;
}

int rt_set_schedule(struct rt_thread *t, int policy, int priority)
{
    struct rlimit limit = {0};
    int plain = policy & ~SCHED_RESET_ON_FORK;
    if (!is_policy(plain) || (is_real_time(plain) ? priority < 1 || priority > 99 : priority != 0))
        return EINVAL;
    getrlimit(RLIMIT_RTPRIO, &limit);
    if (is_real_time(plain) && geteuid() && (rlim_t)priority > limit.rlim_cur)
        return EPERM;
    t->policy = (uint8_t)plain;
    t->priority = (uint8_t)priority;
    return 0;
}

static bool is_caller(pid_t pid) { return pid == 0 || pid == gettid(); }

static struct rt_thread *thread_of(pid_t pid)            /* NULL: it is of another UNIX process */
{
    int p = pid - FIRST_PID;
    if (is_caller(pid))
        return &rt_thread;
    bool own = p >= 0 && p < rt_contexts_end && rt_contexts[p].state == RT_LIVE
            && rt_contexts[p].host == rt_current()->host;
    return own ? rt_thread_of((pthread_t)rt_contexts[p].thread_pointer) : NULL;
}

static bool is_nobody(pid_t pid) { return pid < FIRST_PID || pid >= FIRST_PID + MAX_PROCESSES; }

#define OF_ANOTHER(pid, words) \
    if (pid < 0)                             return fails(EINVAL); \
    if (!thread_of(pid) && is_nobody(pid))   return fails(pid == 1 && geteuid() ? EPERM : ESRCH); \
    if (!thread_of(pid))                     return refused(words)

RT_INLINE int controlled_sched_getscheduler(pid_t pid)
{
    OF_ANOTHER(pid, "sched_getscheduler (of another process)");
    return thread_of(pid)->policy;
}

RT_CONTROLLED(int, sched_getscheduler, (pid_t pid), (pid), NEXT, DO(controlled_sched_getscheduler(pid)))

RT_INLINE int controlled_sched_setscheduler(pid_t pid, int policy, const struct sched_param *param)
{
    OF_ANOTHER(pid, "sched_setscheduler (of another process)");
    int error = rt_set_schedule(thread_of(pid), policy, param->sched_priority);
    return error ? fails(error) : 0;
}

RT_CONTROLLED(int, sched_setscheduler, (pid_t pid, int policy, const struct sched_param *param), (pid, policy, param),
    NEXT, DO(controlled_sched_setscheduler(pid, policy, param)))

RT_INLINE int controlled_sched_getparam(pid_t pid, struct sched_param *param)
{
    if (!param)
        return fails(EINVAL);
    OF_ANOTHER(pid, "sched_getparam (of another process)");
    *param = (struct sched_param){thread_of(pid)->priority};
    return 0;
}

RT_CONTROLLED(int, sched_getparam, (pid_t pid, struct sched_param *param), (pid, param),
    NEXT, DO(controlled_sched_getparam(pid, param)))

RT_INLINE int controlled_sched_setparam(pid_t pid, const struct sched_param *param)
{
    if (!param)
        return fails(EINVAL);
    OF_ANOTHER(pid, "sched_setparam (of another process)");
    int error = rt_set_schedule(thread_of(pid), thread_of(pid)->policy, param->sched_priority);
    return error ? fails(error) : 0;
}

RT_CONTROLLED(int, sched_setparam, (pid_t pid, const struct sched_param *param), (pid, param),
    NEXT, DO(controlled_sched_setparam(pid, param)))

/* ---- of threads ---- */

static struct rt_thread *thread_at(pthread_t t)          /* NULL: there is no such thread */
{
    if (pthread_equal(t, pthread_self()))
        return &rt_thread;
    return rt_thread_process(t) < 0 ? NULL : rt_thread_of(t);
}

RT_INLINE int controlled_pthread_setschedparam(pthread_t t, int policy, const struct sched_param *param)
{
    struct rt_thread *thread = thread_at(t);
    return thread ? rt_set_schedule(thread, policy, param->sched_priority) : ESRCH;
}

RT_CONTROLLED(int, pthread_setschedparam, (pthread_t t, int policy, const struct sched_param *param), (t, policy, param),
    NEXT, DO(controlled_pthread_setschedparam(t, policy, param)))

RT_INLINE int controlled_pthread_setschedprio(pthread_t t, int priority)
{
    struct rt_thread *thread = thread_at(t);
    return thread ? rt_set_schedule(thread, thread->policy, priority) : ESRCH;
}

RT_CONTROLLED(int, pthread_setschedprio, (pthread_t t, int priority), (t, priority),
    NEXT, DO(controlled_pthread_setschedprio(t, priority)))

RT_INLINE int controlled_pthread_getschedparam(pthread_t t, int *policy, struct sched_param *param)
{
    const struct rt_thread *thread = thread_at(t);
    if (!thread)
        return ESRCH;
    *policy = thread->policy;
    *param = (struct sched_param){thread->priority};
    return 0;
}

RT_CONTROLLED(int, pthread_getschedparam, (pthread_t t, int *policy, struct sched_param *param), (t, policy, param),
    NEXT, DO(controlled_pthread_getschedparam(t, policy, param)))

/* ---- how nice a process is ---- */

static int niceness;

static int be_nice(int value)
{
    int bounded = value < -20 ? -20 : value > 19 ? 19 : value;
    if (bounded < niceness && geteuid())
        return fails(EPERM);
    niceness = bounded;
    return 0;
}

static bool is_own(int which, id_t who)
{
    return which == PRIO_PROCESS && (who == 0 || (pid_t)who == getpid() || (pid_t)who == gettid());
}

RT_INLINE int controlled_nice(int more)
{
    return be_nice(niceness + more) ? -1 : niceness;
}

RT_CONTROLLED(int, nice, (int more), (more), NEXT, DO(controlled_nice(more)))

RT_INLINE int controlled_getpriority(__priority_which_t which, id_t who)
{
    return is_own((int)which, who) ? niceness : refused("getpriority (of another process)");
}

RT_CONTROLLED(int, getpriority, (__priority_which_t which, id_t who), (which, who), NEXT, DO(controlled_getpriority(which, who)))

RT_INLINE int controlled_setpriority(__priority_which_t which, id_t who, int value)
{
    return is_own((int)which, who) ? be_nice(value) : refused("setpriority (of another process)");
}

RT_CONTROLLED(int, setpriority, (__priority_which_t which, id_t who, int value), (which, who, value),
    NEXT, DO(controlled_setpriority(which, who, value)))
