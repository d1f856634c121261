/* UNIX processes: fork, wait, exit and their like, with process ids that are the same in every run.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "atfork.h"
#include "group.h"
#include "rt.h"
#include "signals.h"
#include "sys.h"
#include "thread.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>
#pragma GCC poison malloc calloc free printf

extern int main(int, char **, char **) __attribute__((weak));

/* Closes what the process has open and others would notice, by visible operations, before it ends. */
extern void rt_leave_files(void) __attribute__((weak, visibility("hidden")));
extern bool rt_flushes(void) __attribute__((weak, visibility("hidden")));

static int parent_host = -1;                             /* in a group: the host that forked this one; -1: none did */

int rt_parent_host(void) { return parent_host; }

static int fails(int error)
{
    errno = error;
    return -1;
}

/* ---- fork ---- */

RT_INLINE pid_t fork_alone(void)
{
    struct rt_call call = {.event = EVENT_FORK, .index = -1};
    return (pid_t)RT_ENTER(&call);
}

RT_INLINE pid_t fork_in_group(void)
{
    int host = rt_current()->host;
    struct rt_call call = {.event = EVENT_OPERATION, .type = TYPE_PROCESS, .code = PROCESS_CREATE, .index = -1, .arg = {1},
                           .text = "fork"};
    uint32_t child = (uint32_t)RT_ENTER(&call);
    if (child >= MAX_PROCESSES) {
        RT_NO_ROOM(RT_TOO_MANY);
        return fails(EAGAIN);
    }
    rt_signals_inherited((int)child);
    int side = rt_fork((int)child);
    if (side > 0)
        return FIRST_PID + (pid_t)child;
    if (side < 0) {
        struct rt_call none = {.event = EVENT_COPIED};
        rt->slot->outcome = side;
        RT_ENTER(&none);
        return fails(-side);
    }
    parent_host = host;
    rt_thread.others = 0;
    return 0;
}

RT_INLINE pid_t fork_controlled(void)
{
    if (rt_mode == RT_ENDING)
        return fails(EAGAIN);
    rt_before_fork();
    pid_t pid = rt_in_group() ? fork_in_group() : fork_alone();
    if (pid == 0)
        rt_thread.busy = rt_thread.busy_children = 0;
    rt_after_fork(pid == 0);
    return pid;
}

RT_API pid_t fork(void)
{
    return rt_controlled() ? fork_controlled() : RT_NEXT(fork)();
}

/* A fork is a correct vfork: who needs more of it relies on what POSIX does not promise. */
RT_API pid_t vfork(void)
{
    return rt_controlled() ? fork_controlled() : RT_NEXT(fork)();
}

/* ---- process ids ---- */

static int own_host(void)
{
    return rt_in_group() ? rt_current()->host : rt->slot->process;
}

RT_API pid_t getpid(void)
{
    return rt_controlled() ? FIRST_PID + own_host() : (pid_t)RT_SYS(SYS_getpid);
}

RT_API pid_t gettid(void)
{
    return rt_controlled() ? FIRST_PID + rt_self() : (pid_t)RT_SYS(SYS_gettid);
}

RT_API pid_t getppid(void)
{
    if (!rt_controlled())
        return (pid_t)RT_SYS(SYS_getppid);
    if (rt_in_group())
        return parent_host >= 0 ? FIRST_PID + parent_host : 1;
    return rt->slot->process ? FIRST_PID : 1;
}

/* ---- wait ---- */

static bool has_options(int options)                     /* no process is ever stopped, so none is seen to be */
{
    return options & ~(WNOHANG | WUNTRACED | WCONTINUED);
}

/* Which child is meant: -1 any, -2 none. All processes of a program are in one process group. */
static int child_of(pid_t pid)
{
    if (pid <= 0)
        return pid == -1 || pid == 0 ? -1 : -2;
    return pid > FIRST_PID && pid < FIRST_PID + MAX_PROCESSES ? pid - FIRST_PID : -2;
}

enum { INTERRUPTED = (int)(WAIT_NOT_YET - 1) };

RT_INLINE pid_t wait_for(pid_t pid, int *status, int options, const char *refused)
{
    if (has_options(options)) {
        RT_REFUSE(refused);
        return 0;
    }
    struct rt_call call = {.event = EVENT_OPERATION, .type = TYPE_PROCESS, .code = PROCESS_WAIT, .index = -1,
                           .arg = {child_of(pid), 0, options & WNOHANG ? ARG_NOWAIT : 0}, .interrupted = INTERRUPTED};
    if (call.arg[0] == -2)
        return fails(ECHILD);
    uint32_t result = (uint32_t)RT_ENTER_CANCELLABLE(&call);
    if (result == (uint32_t)INTERRUPTED)
        return fails(EINTR);
    if (result == WAIT_NO_CHILD)
        return fails(ECHILD);
    if (result == WAIT_NOT_YET)
        return 0;
    if (rt_in_group() && WIFSIGNALED(result & 0xffff))
        rt_seen((int)(result >> 16), status);
    if (status)
        *status = (int)(result & 0xffff);
    rt_thread.busy_children += 1000000000 / 100;         /* a tick: it was there */
    return FIRST_PID + (pid_t)(result >> 16);
}

static void no_usage(struct rusage *usage)
{
    if (usage)
        memset(usage, 0, sizeof *usage);
}

RT_API pid_t wait(int *status)
{
    return rt_controlled() ? wait_for(-1, status, 0, NULL) : RT_NEXT(wait)(status);
}

RT_API pid_t waitpid(pid_t pid, int *status, int options)
{
    if (!rt_controlled())
        return RT_NEXT(waitpid)(pid, status, options);
    return wait_for(pid, status, options, "waitpid (with options other than WNOHANG, WUNTRACED, WCONTINUED)");
}

RT_API pid_t wait3(int *status, int options, struct rusage *usage)
{
    if (!rt_controlled())
        return RT_NEXT(wait3)(status, options, usage);
    no_usage(usage);
    return wait_for(-1, status, options, "wait3 (with options other than WNOHANG, WUNTRACED, WCONTINUED)");
}

RT_API pid_t wait4(pid_t pid, int *status, int options, struct rusage *usage)
{
    if (!rt_controlled())
        return RT_NEXT(wait4)(pid, status, options, usage);
    no_usage(usage);
    return wait_for(pid, status, options, "wait4 (with options other than WNOHANG, WUNTRACED, WCONTINUED)");
}

static void fill_info(siginfo_t *info, pid_t pid, int status)
{
    memset(info, 0, sizeof *info);
    if (pid == 0)
        return;
    info->si_signo = SIGCHLD;
    info->si_code = WIFEXITED(status) ? CLD_EXITED : WCOREDUMP(status) ? CLD_DUMPED : CLD_KILLED;
    info->si_status = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
    info->si_pid = pid;
    info->si_uid = getuid();
}

RT_API int waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
    if (!rt_controlled())
        return RT_NEXT(waitid)(type, id, info, options);
    int status = 0, rest = (options & ~WEXITED) | (options & WEXITED && (type == P_ALL || type == P_PID) ? 0 : WNOWAIT);
    pid_t pid = wait_for(type == P_ALL ? -1 : (pid_t)id, &status, rest, "waitid (other than for the end of children)");
    if (pid < 0)
        return -1;
    if (info)
        fill_info(info, pid, status);
    return 0;
}

/* ---- exit ---- */

/* Of several threads that exit, the first one does; the others wait for its end, and do not run handlers beside it. */
RT_INLINE void begin_exit(uint64_t place)
{
    struct rt_call call = {.event = EVENT_OPERATION, .type = TYPE_PROCESS, .code = PROCESS_EXITING, .index = -1, .place = place};
    if (rt_in_group() && !rt_alone())
        RT_ENTER(&call);
}

/* The other threads are gone before anything is closed. */
uint32_t rt_leave(int status, void *frame, uint64_t place)
{
    struct rt_call alone = {.event = EVENT_OPERATION, .type = TYPE_PROCESS, .code = PROCESS_ALONE, .index = -1,
                            .arg = {status}, .place = place};
    struct rt_call call = alone;
    call.code = PROCESS_LEAVE;
    rt_thread.ending = 1;
    if (!rt_alone())
        rt_group_enter(&alone, frame);
    if (rt_leave_files)
        rt_leave_files();
    return (uint32_t)rt_group_enter(&call, frame);
}

RT_INLINE void leave(int status, uint64_t place)
{
    struct rt_told told = {.code = CLD_EXITED, .pid = FIRST_PID + own_host(), .status = status & 0xff};
    uint32_t result = rt_leave((status & 0xff) << 8, (__builtin_unwind_init(), __builtin_frame_address(0)), place);
    if (result & SIGNAL_SENT)
        rt_tell(result, &told);
    rt_nobody_saw();
}

RT_INLINE _Noreturn void ended(int status, uint64_t place)
{
    struct rt_call call = {.event = EVENT_OPERATION, .type = TYPE_PROCESS, .code = PROCESS_EXIT, .index = -1,
                           .arg = {status & 0xff}, .place = place};
    if (rt_in_group())
        leave(status, place);
    if (rt_mode == RT_CONTROLLED || rt_in_group())
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

/* In a group what is remembered must go back with the thread's memory. */
static void note_end(void *place)
{
    if (rt_in_group())
        rt_thread.end_place = (uint64_t)place;
    else if (rt_controlled())
        rt->end_place = (uint64_t)place;
}

RT_API _Noreturn void exit(int status)
{
    note_end(__builtin_return_address(0));
    begin_exit(0);
    RT_NEXT(exit)(status);
    __builtin_unreachable();
}

static int quick_status;

RT_API _Noreturn void quick_exit(int status)
{
    note_end(__builtin_return_address(0));
    if (rt_in_group())
        quick_status = status;
    else if (rt_controlled())
        rt->quick_status = status;
    begin_exit(0);
    RT_NEXT(quick_exit)(status);
    __builtin_unreachable();
}

/* Without a call of exit it was main that returned; where, the stack does not tell any more. */
static uint64_t end_place(void)
{
    uint64_t place = rt_in_group() ? rt_thread.end_place : rt->end_place;
    return place ? place : (uint64_t)&main + 1;
}

static __attribute__((noinline)) void at_exit(int status, void *unused)
{
    (void)unused;
    ended(status, end_place());
}

static __attribute__((noinline)) void at_quick(void)
{
    ended(rt_in_group() ? quick_status : rt->quick_status, end_place());
}

/* Registered before the program registers any, they run after all of the program's. */
void rt_catch_exits(void)
{
    RT_NEXT(on_exit)(at_exit, NULL);
    at_quick_exit(at_quick);
}

/* ---- the return from main, which the C library takes for an exit without calling ours ---- */

typedef int main_function(int, char **, char **);
int __libc_start_main(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

static main_function *programs_main;

static __attribute__((noinline)) int main_and_exit(int count, char **words, char **environment)
{
    int status = programs_main(count, words, environment);
    begin_exit((uint64_t)programs_main + 1);
    return status;
}

RT_API int __libc_start_main(main_function *function, int count, char **words, void (*init)(void), void (*fini)(void),
                             void (*linker_fini)(void), void *stack_end)
{
    programs_main = function;
    return RT_NEXT(__libc_start_main)(main_and_exit, count, words, init, fini, linker_fini, stack_end);
}

/* ---- what the program wants to be done at exit ---- */

int __cxa_atexit(void (*)(void *), void *argument, void *library);

static bool own_handlers;

/* Those of system libraries do nothing that others could see. Before the group begins it is not known what is one. */
static void note_handler(void (*function)(void))
{
    const struct rt_code *code = rt_core ? rt_code_at((uint64_t)function) : NULL;
    own_handlers |= !code || !code->system;
}

RT_API int __cxa_atexit(void (*function)(void *), void *argument, void *library)
{
    note_handler((void (*)(void))function);
    return RT_NEXT(__cxa_atexit)(function, argument, library);
}

RT_API int on_exit(void (*function)(int, void *), void *argument)
{
    note_handler((void (*)(void))function);
    return RT_NEXT(on_exit)(function, argument);
}

bool rt_has_exit_handlers(void)
{
    return own_handlers || (rt_flushes && rt_flushes());
}
