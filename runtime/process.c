/* Processes: fork, wait, exit and their like, with process ids that are the same in every run.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "rt.h"
#include "sys.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>
#pragma GCC poison malloc calloc free printf

extern int main(int, char **, char **) __attribute__((weak));

static int fails(int error)
{
    errno = error;
    return -1;
}

RT_API pid_t fork(void)
{
    if (!rt_controlled())
        return RT_NEXT(fork)();
    if (rt_mode == RT_ENDING)
        return fails(EAGAIN);
    struct rt_call call = {.event = EVENT_FORK, .index = -1};
    return (pid_t)RT_ENTER(&call);
}

RT_API pid_t getpid(void)
{
    return rt_controlled() ? FIRST_PID + rt->slot->process : (pid_t)RT_SYS(SYS_getpid);
}

RT_API pid_t gettid(void)
{
    return rt_controlled() ? FIRST_PID + rt->slot->process : (pid_t)RT_SYS(SYS_gettid);
}

RT_API pid_t getppid(void)
{
    if (!rt_controlled())
        return (pid_t)RT_SYS(SYS_getppid);
    return rt->slot->process ? FIRST_PID : 1;
}

RT_INLINE pid_t wait_for(int child, int *status, bool block)
{
    struct rt_call call = {.event = EVENT_OPERATION, .type = TYPE_PROCESS, .code = PROCESS_WAIT, .index = -1,
                           .arg = {child, !block}};
    uint32_t result = (uint32_t)RT_ENTER(&call);
    if (result == WAIT_NO_CHILD)
        return fails(ECHILD);
    if (result == WAIT_NOT_YET)
        return 0;
    if (status)
        *status = (int)(result & 0xffff);
    return FIRST_PID + (pid_t)(result >> 16);
}

RT_API pid_t wait(int *status)
{
    return rt_controlled() ? wait_for(-1, status, true) : RT_NEXT(wait)(status);
}

RT_API pid_t waitpid(pid_t pid, int *status, int options)
{
    if (!rt_controlled())
        return RT_NEXT(waitpid)(pid, status, options);
    if (options & ~WNOHANG) {
        struct rt_call call = {.event = EVENT_REFUSE, .text = "waitpid (with options other than WNOHANG)"};
        return (pid_t)RT_ENTER(&call);
    }
    if (pid == -1 || pid == 0)
        return wait_for(-1, status, !(options & WNOHANG));
    if (pid <= FIRST_PID || pid >= FIRST_PID + MAX_PROCESSES)
        return fails(ECHILD);
    return wait_for(pid - FIRST_PID, status, !(options & WNOHANG));
}

RT_INLINE _Noreturn void ended(int status, uint64_t place)
{
    struct rt_call call = {.event = EVENT_OPERATION, .type = TYPE_PROCESS, .code = PROCESS_EXIT, .index = -1,
                           .arg = {status & 0xff}, .place = place};
    if (rt_mode == RT_CONTROLLED)
        RT_ENTER(&call);
    rt_die(status);
}

RT_API _Noreturn void _exit(int status)
{
    ended(status, 0);
}

RT_API _Noreturn void _Exit(int status)
{
    ended(status, 0);
}

static void note_end(void *place)
{
    if (rt_controlled())
        rt->end_place = (uint64_t)place;
}

RT_API _Noreturn void exit(int status)
{
    note_end(__builtin_return_address(0));
    RT_NEXT(exit)(status);
    __builtin_unreachable();
}

RT_API _Noreturn void quick_exit(int status)
{
    note_end(__builtin_return_address(0));
    if (rt_controlled())
        rt->quick_status = status;
    RT_NEXT(quick_exit)(status);
    __builtin_unreachable();
}

/* Without a call of exit it was main that returned; where, the stack does not tell any more. */
static uint64_t end_place(void)
{
    return rt->end_place ? rt->end_place : (uint64_t)&main + 1;
}

static __attribute__((noinline)) void at_exit(int status, void *unused)
{
    (void)unused;
    ended(status, end_place());
}

static __attribute__((noinline)) void at_quick(void)
{
    ended(rt->quick_status, end_place());
}

/* Registered before the program registers any, they run after all of the program's. */
void rt_catch_exits(void)
{
    on_exit(at_exit, NULL);
    at_quick_exit(at_quick);
}
