/* UNIX processes: fork, wait, exit and their like, with process ids that are the same in every run.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "atfork.h"
#include "group.h"
#include "inet.h"
#include "rt.h"
#include "session.h"
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
static bool has_forked;                                  /* in a group: this host, or one that it comes from */
static uint64_t reaped;                                  /* in a group: children that it waited for */

int rt_parent_host(void) { return parent_host; }

static int fails(int error)
{
    errno = error;
    return -1;
}

/* ---- fork ---- */

bool rt_has_forked(void) { return has_forked; }

RT_INLINE pid_t fork_alone(void)
{
    if (rt_mode == RT_ENDING)        /* 0, as its operations give, would make a child of it */
        return fails(EAGAIN);
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
    has_forked = true;
    rt_signals_inherited((int)child);
    rt_names_inherited((int)child);
    rt_family_inherited((int)child);
    reaped &= ~(UINT64_C(1) << child);
    int side = rt_fork((int)child);
    if (side > 0 && rt_was_moved())
        RT_REFUSE("fork (of a process that another one has put into its process group)");
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
    reaped = 0;
    return 0;
}

RT_INLINE void before_fork(void)
{
    if (!rt_knows_fork_handlers())
        RT_REFUSE_SIZE("fork (with more than 64 handlers of pthread_atfork, more than VeriSoft has room for)");
    rt_before_fork();
}

static pid_t forked(pid_t pid)
{
    if (pid == 0)
        rt_thread.busy = rt_thread.busy_children = 0;
    rt_after_fork(pid == 0);
    return pid;
}

/* A fork is a correct vfork: who needs more of it relies on what POSIX does not promise. */
#define FORK(name) \
    RT_FUNCTION(pid_t, name, (void), (), DO(RT_NEXT(fork)()), DO(before_fork(), forked(fork_alone())), \
        DO(before_fork(), forked(fork_in_group())))
FORK(fork)
FORK(vfork)

/* ---- process ids ---- */

static int own_host(void)
{
    return rt_current() ? rt_current()->host : rt->slot->process;
}

RT_CONTROLLED(pid_t, getpid, (void), (), DO((pid_t)RT_SYS(SYS_getpid)), DO(FIRST_PID + own_host()))
RT_CONTROLLED(pid_t, gettid, (void), (), DO((pid_t)RT_SYS(SYS_gettid)), DO(FIRST_PID + rt_self()))

RT_FUNCTION(pid_t, getppid, (void), (),
    KERNEL(SYS_getppid), DO(rt->slot->process ? FIRST_PID : 1), DO(parent_host >= 0 ? FIRST_PID + parent_host : 1))

/* ---- wait ---- */

static bool has_options(int options)                     /* no process is ever stopped, so none is seen to be */
{
    return options & ~(WNOHANG | WUNTRACED | WCONTINUED);
}

enum { ANY = -1, NONE = -2 };

/* Which child is meant. */
static int child_of(pid_t pid)
{
    if (pid == -1)
        return ANY;
    return pid > FIRST_PID && pid < FIRST_PID + MAX_PROCESSES ? pid - FIRST_PID : NONE;
}

/* Of a process group: as one, or as any, if that comes to the same. */
RT_INLINE int child_in(int group)
{
    struct rt_call look = rt_access_call(false, rt_root->families, "wait(process group)");
    RT_ENTER(&look);
    uint64_t children = rt_children() & ~reaped, in = children & rt_group_members(group);
    rt_root->families[rt_host()].waits = true;
    if (in == children)
        return ANY;
    if (in & (in - 1))
        RT_REFUSE("waitpid (for a process group that has several of the children, and not all)");
    return in ? __builtin_ctzll(in) : NONE;
}

enum { INTERRUPTED = (int)(WAIT_NOT_YET - 1) };

static struct rt_call wait_call(int child, int options)
{
    return (struct rt_call){.event = EVENT_OPERATION, .type = TYPE_PROCESS, .code = PROCESS_WAIT, .index = -1,
                            .arg = {child, 0, options & WNOHANG ? ARG_NOWAIT : 0}, .interrupted = INTERRUPTED};
}

static pid_t waited(uint32_t result, int *status)
{
    if (result == (uint32_t)INTERRUPTED || result == WAIT_NO_CHILD)
        return fails(result == WAIT_NO_CHILD ? ECHILD : EINTR);
    if (result == WAIT_NOT_YET)
        return 0;
    if (status)
        *status = (int)(result & 0xffff);
    rt_thread.busy_children += 1000000000 / 100;         /* a tick: it was there */
    return FIRST_PID + (pid_t)(result >> 16);
}

/* Alone, a child that does nothing visible has ended as soon as it has begun. Who looks whether it has ended could find that it has not. */
RT_INLINE pid_t wait_alone(pid_t pid, int *status, int options, const char *refused)
{
    struct rt_call call = wait_call(child_of(pid == 0 || pid == -FIRST_PID ? -1 : pid), options);      /* all are in one group */
    if (options & WNOHANG)
        RT_NEED_GROUP(waitpid with WNOHANG);
    if (has_options(options))
        RT_REFUSE(refused);
    return call.arg[0] == NONE ? fails(ECHILD) : waited((uint32_t)RT_ENTER(&call), status);
}

/* Whether somebody looks at how the child ended matters there. */
RT_INLINE pid_t wait_in_group(pid_t pid, int *status, int options, const char *refused)
{
    int own = 0;
    if (has_options(options))
        RT_REFUSE(refused);
    struct rt_call call = wait_call(pid > 0 || pid == -1 ? child_of(pid) : child_in(pid ? -pid - FIRST_PID : RT_OWN_GROUP), options);
    pid_t child = call.arg[0] == NONE ? fails(ECHILD) : waited((uint32_t)RT_ENTER_CANCELLABLE(&call), &own);
    if (pid == 0 || pid < -1)
        rt_root->families[rt_host()].waits = false;
    if (child > 0)
        reaped |= UINT64_C(1) << (child - FIRST_PID);
    if (child > 0 && WIFSIGNALED(own))
        rt_seen(child - FIRST_PID, status);
    if (child > 0 && status)
        *status = own;
    return child;
}

static void no_usage(struct rusage *usage)
{
    if (usage)
        memset(usage, 0, sizeof *usage);
}

#define OPTIONS(name) #name " (with options other than WNOHANG, WUNTRACED, WCONTINUED)"
#define WAIT(name, parameters, arguments, pid, status, options) \
    RT_FUNCTION(pid_t, name, parameters, arguments, \
        NEXT, DO(wait_alone(pid, status, options, OPTIONS(name))), DO(wait_in_group(pid, status, options, OPTIONS(name))))
#define WAIT_USAGE(name, parameters, arguments, pid, status, options) \
    RT_FUNCTION(pid_t, name, parameters, arguments, NEXT, DO(no_usage(usage), wait_alone(pid, status, options, OPTIONS(name))), \
        DO(no_usage(usage), wait_in_group(pid, status, options, OPTIONS(name))))
WAIT(wait, (int *status), (status), -1, status, 0)
WAIT(waitpid, (pid_t pid, int *status, int options), (pid, status, options), pid, status, options)
WAIT_USAGE(wait3, (int *status, int options, struct rusage *usage), (status, options, usage), -1, status, options)
WAIT_USAGE(wait4, (pid_t pid, int *status, int options, struct rusage *usage), (pid, status, options, usage), pid, status, options)

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

static int waitid_options(idtype_t type, int options)    /* such that wait_for knows what is refused */
{
    return (options & ~WEXITED) | (options & WEXITED && (type == P_ALL || type == P_PID) ? 0 : WNOWAIT);
}

static int tell_info(siginfo_t *info, pid_t pid, int status)
{
    if (pid >= 0 && info)
        fill_info(info, pid, status);
    return pid < 0 ? -1 : 0;
}

#define WAITID(function) \
    ({ int status = 0; \
       pid_t pid = function(type == P_ALL ? -1 : (pid_t)id, &status, waitid_options(type, options), \
                            "waitid (other than for the end of children)"); \
       tell_info(info, pid, status); })
RT_FUNCTION(int, waitid, (idtype_t type, id_t id, siginfo_t *info, int options), (type, id, info, options),
    NEXT, DO(WAITID(wait_alone)), DO(WAITID(wait_in_group)))

/* ---- exit ---- */

/* Of several threads that exit, the first one does; the others wait for its end, and do not run handlers beside it. */
RT_INLINE void begin_exit(uint64_t place)
{
    struct rt_call call = {.event = EVENT_OPERATION, .type = TYPE_PROCESS, .code = PROCESS_EXITING, .index = -1, .place = place};
    if (!rt_alone())
        RT_ENTER(&call);
}

/* The other threads are gone before anything is closed. Where there has never been another host, nobody is left who could see it closed. */
uint32_t rt_leave(int status, void *frame, uint64_t place)
{
    struct rt_call alone = {.event = EVENT_OPERATION, .type = TYPE_PROCESS, .code = PROCESS_ALONE, .index = -1,
                            .arg = {status}, .place = place};
    struct rt_call call = alone;
    call.code = PROCESS_LEAVE;
    rt_thread.ending = 1;
    if (!rt_alone())
        rt_group_enter(&alone, frame);
    rt_thread.leaving = 1;
    if (rt_leave_files && has_forked)
        rt_leave_files();
    return (uint32_t)rt_group_enter(&call, frame);
}

RT_INLINE void leave(int status, uint64_t place)
{
    struct rt_told told = {.code = CLD_EXITED, .pid = FIRST_PID + own_host(), .status = status & 0xff};
    uint32_t result = rt_leave((status & 0xff) << 8, RT_FRAME, place);
    if (result & SIGNAL_SENT)
        rt_tell(result, &told);
    rt_nobody_saw();
}

RT_INLINE _Noreturn void ended(int status, uint64_t place)
{
    struct rt_call call = {.event = EVENT_OPERATION, .type = TYPE_PROCESS, .code = PROCESS_EXIT, .index = -1,
                           .arg = {status & 0xff}, .place = place};
    if (rt_current())
        leave(status, place);
    RT_ENTER(&call);
    rt_die(status);
}

RT_NORETURN(_exit, (int status), (), DO(rt_die(status)), DO(ended(status, 0)), DO(ended(status, 0)))
RT_NORETURN(_Exit, (int status), (), DO(rt_die(status)), DO(ended(status, 0)), DO(ended(status, 0)))

/* What is remembered of the end: in a group it must go back with the thread's memory, elsewhere it is no part of a state. */
static int quick_status;
static uint64_t *noted_place(void) { return rt_current() ? &rt_thread.end_place : &rt->end_place; }
static int *noted_status(void)     { return rt_current() ? &quick_status : &rt->quick_status; }

RT_INLINE void exit_from(void *place, int status)
{
    *noted_place() = (uint64_t)place;
    *noted_status() = status;
    begin_exit(0);
}

#define EXIT(name) \
    DO(exit_from(__builtin_return_address(0), status), RT_NEXT(name)(status))
RT_NORETURN(exit, (int status), (status), NEXT, EXIT(exit), EXIT(exit))
RT_NORETURN(quick_exit, (int status), (status), NEXT, EXIT(quick_exit), EXIT(quick_exit))

/* Without a call of exit it was main that returned; where, the stack does not tell any more. */
static uint64_t end_place(void)
{
    return *noted_place() ? *noted_place() : (uint64_t)&main + 1;
}

/* Destructors that the linker runs come last. Where the runtime is linked with the program, that is after at_exit; else it is before. */
static void (*run_destructors)(void);
static bool  has_destroyed, at_exit_came;

static __attribute__((noinline)) void at_exit(int status, void *unused)
{
    (void)unused;
    if (!run_destructors || has_destroyed)
        ended(status, end_place());
    *noted_status() = status;
    at_exit_came = true;
}

static __attribute__((noinline)) void destroy(void)
{
    run_destructors();
    has_destroyed = true;
    if (at_exit_came)
        ended(*noted_status(), end_place());
}

static __attribute__((noinline)) void at_quick(void)
{
    ended(*noted_status(), end_place());
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
    run_destructors = linker_fini;
    return RT_NEXT(__libc_start_main)(main_and_exit, count, words, init, fini, linker_fini ? destroy : NULL, stack_end);
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
