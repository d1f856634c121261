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
    bool own = rt_in_group() && p >= 0 && p < rt_contexts_end && rt_contexts[p].state == RT_LIVE
            && rt_contexts[p].host == rt_current()->host;
    return own ? rt_thread_of((pthread_t)rt_contexts[p].thread_pointer) : NULL;
}

static bool is_nobody(pid_t pid) { return pid < FIRST_PID || pid >= FIRST_PID + MAX_PROCESSES; }

#define OF_ANOTHER(pid, words) \
    if (pid < 0)                             return fails(EINVAL); \
    if (!thread_of(pid) && is_nobody(pid))   return fails(pid == 1 && geteuid() ? EPERM : ESRCH); \
    if (!thread_of(pid))                     return refused(words)

RT_API int sched_getscheduler(pid_t pid)
{
    if (!rt_controlled())
        return RT_NEXT(sched_getscheduler)(pid);
    OF_ANOTHER(pid, "sched_getscheduler (of another process)");
    return thread_of(pid)->policy;
}

RT_API int sched_setscheduler(pid_t pid, int policy, const struct sched_param *param)
{
    if (!rt_controlled())
        return RT_NEXT(sched_setscheduler)(pid, policy, param);
    OF_ANOTHER(pid, "sched_setscheduler (of another process)");
    int error = rt_set_schedule(thread_of(pid), policy, param->sched_priority);
    return error ? fails(error) : 0;
}

RT_API int sched_getparam(pid_t pid, struct sched_param *param)
{
    if (!rt_controlled())
        return RT_NEXT(sched_getparam)(pid, param);
    if (!param)
        return fails(EINVAL);
    OF_ANOTHER(pid, "sched_getparam (of another process)");
    *param = (struct sched_param){thread_of(pid)->priority};
    return 0;
}

RT_API int sched_setparam(pid_t pid, const struct sched_param *param)
{
    if (!rt_controlled())
        return RT_NEXT(sched_setparam)(pid, param);
    if (!param)
        return fails(EINVAL);
    OF_ANOTHER(pid, "sched_setparam (of another process)");
    int error = rt_set_schedule(thread_of(pid), thread_of(pid)->policy, param->sched_priority);
    return error ? fails(error) : 0;
}

/* ---- of threads ---- */

static struct rt_thread *thread_at(pthread_t t)          /* NULL: there is no such thread */
{
    if (!rt_in_group())
        return pthread_equal(t, pthread_self()) ? &rt_thread : NULL;
    return rt_thread_process(t) < 0 ? NULL : rt_thread_of(t);
}

RT_API int pthread_setschedparam(pthread_t t, int policy, const struct sched_param *param)
{
    if (!rt_controlled())
        return RT_NEXT(pthread_setschedparam)(t, policy, param);
    struct rt_thread *thread = thread_at(t);
    return thread ? rt_set_schedule(thread, policy, param->sched_priority) : ESRCH;
}

RT_API int pthread_setschedprio(pthread_t t, int priority)
{
    if (!rt_controlled())
        return RT_NEXT(pthread_setschedprio)(t, priority);
    struct rt_thread *thread = thread_at(t);
    return thread ? rt_set_schedule(thread, thread->policy, priority) : ESRCH;
}

RT_API int pthread_getschedparam(pthread_t t, int *policy, struct sched_param *param)
{
    if (!rt_controlled())
        return RT_NEXT(pthread_getschedparam)(t, policy, param);
    const struct rt_thread *thread = thread_at(t);
    if (!thread)
        return ESRCH;
    *policy = thread->policy;
    *param = (struct sched_param){thread->priority};
    return 0;
}

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

RT_API int nice(int more)
{
    if (!rt_controlled())
        return RT_NEXT(nice)(more);
    return be_nice(niceness + more) ? -1 : niceness;
}

RT_API int getpriority(__priority_which_t which, id_t who)
{
    if (!rt_controlled())
        return RT_NEXT(getpriority)(which, who);
    return is_own((int)which, who) ? niceness : refused("getpriority (of another process)");
}

RT_API int setpriority(__priority_which_t which, id_t who, int value)
{
    if (!rt_controlled())
        return RT_NEXT(setpriority)(which, who, value);
    return is_own((int)which, who) ? be_nice(value) : refused("setpriority (of another process)");
}
