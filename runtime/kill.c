/* Sending signals, and what ends a process by one. Without a group a process may send them only to itself.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "descriptors.h"
#include "group.h"
#include "inet.h"
#include "session.h"
#include "signals.h"
#include "sys.h"
#include "thread.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>
#pragma GCC poison malloc calloc free printf
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/* ---- without a group: to itself ---- */

#define STOPS "kill (with a signal that stops a process)"

static __attribute__((noinline)) long post(int signal)
{
    siginfo_t info = {.si_signo = signal, .si_code = SI_TKILL};
    info.si_pid = getpid();
    info.si_uid = getuid();
    return RT_SYS(SYS_rt_tgsigqueueinfo, RT_SYS(SYS_getpid), RT_SYS(SYS_gettid), signal, &info);
}

/* Would the signal do at once what is usual? */
static bool is_usual(int signal)
{
    struct { uint64_t handler, flags, restorer, mask; } action = {0};
    uint64_t blocked = 0;
    RT_SYS(SYS_rt_sigaction, signal, 0, &action, sizeof action.mask);
    RT_SYS(SYS_rt_sigprocmask, SIG_BLOCK, 0, &blocked, sizeof blocked);
    return (action.handler == (uint64_t)SIG_DFL || action.handler == (uint64_t)rt_crashed) && !(blocked & rt_signal_bit(signal));
}

static bool stops_itself(int signal)
{
    return signal == SIGSTOP || ((signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU) && is_usual(signal));
}

static bool ends_itself(int signal)
{
    bool harmless = signal == SIGCHLD || signal == SIGURG || signal == SIGWINCH || signal == SIGCONT
                 || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
    return signal == SIGKILL || (!harmless && is_usual(signal));
}

RT_INLINE void end_self(int signal, const char *words, const char *function)
{
    struct rt_call need = {.event = EVENT_GROUP, .text = function};
    struct rt_call call = {.event = EVENT_CRASH, .type = TYPE_PROCESS, .code = PROCESS_CRASH, .index = -1,
                           .arg = {signal, CRASH_BY_ITSELF}, .text = words};
    if (!ends_itself(signal))
        return;
    if (rt->slot->process && !rt->manual)
        RT_ENTER(&need);
    RT_ENTER(&call);
}

/* The frame of the handler, on the program's stack, holds the sender and all registers: neither may show a real process id.
 * So the signal is held back while it is sent, and delivered by a system call that knows of none. */
RT_INLINE long send_self(int signal)
{
    uint64_t all = ~0ull, old = 0;
    if (!signal)
        return 0;
    if (!rt_is_signal(signal))
        return -EINVAL;
    if (stops_itself(signal))
        RT_REFUSE(STOPS);
    end_self(signal, NULL, "raise");
    RT_SYS(SYS_rt_sigprocmask, SIG_SETMASK, &all, &old, sizeof all);
    long result = post(signal);
    RT_SYS(SYS_rt_sigprocmask, SIG_SETMASK, &old, 0, sizeof old);
    return result;
}

/* ---- in a group ---- */

enum { EVERYBODY = -1 };

/* Gives 0 or a negative errno. */
static long send_one(int target, int signal, int bits, const struct rt_told *told, const char *name, void *frame)
{
    struct rt_call call = {.event = EVENT_OPERATION, .type = TYPE_PROCESS, .code = PROCESS_KILL, .index = -1,
                           .arg = {target, signal, bits}, .text = name};
    struct rt_call none = {.event = EVENT_REFUSE};
    uint32_t result = (uint32_t)rt_group_enter(&call, frame);
    while (IS_RESULT_SIGNAL(result) && !(result & SIGNAL_DONE)) {
        rt_handle(result, NULL, rt_thread.mask, frame);
        result = (uint32_t)rt_group_enter(&call, frame);
    }
    if (IS_RESULT_SIGNAL(result)) {
        rt_handle(result, told, rt_thread.mask, frame);
        return 0;
    }
    if (result == SIGNAL_STOPS || result == SIGNAL_FULL) {
        none.arg[0] = result == SIGNAL_STOPS ? REFUSED_CALL : REFUSED_ROOM;
        none.text = result == SIGNAL_STOPS ? STOPS : "more pending signals than VeriSoft can control";
        rt_group_enter(&none, frame);
    }
    if (result & SIGNAL_ENDS)
        rt_end_by_signal(signal, NULL, 0, frame);
    if (result & SIGNAL_KILLED)
        rt_names_lost(bits & KILL_THREAD ? rt_contexts[target].host : target);
    if (result & SIGNAL_SENT) {
        struct rt_told of_child = {.code = CLD_KILLED, .pid = FIRST_PID + target, .status = signal};
        rt_tell(result, result & SIGNAL_KILLED ? &of_child : told);
    }
    return result & (SIGNAL_SENT | SIGNAL_KILLED) ? 0 : -(long)result;
}

static struct rt_told from_here(int code, uint64_t value)
{
    return (struct rt_told){.code = code, .pid = getpid(), .value = value};
}

bool rt_is_there(int host, const char *name, void *frame)
{
    return !send_one(host, 0, 0, NULL, name, frame);
}

/* To all processes of that group; group -1: to all but the caller. Who is in it is asked after operations that say so. */
static long send_all(int group, int signal, const struct rt_told *told, const char *name, void *frame)
{
    struct rt_call look = rt_access_call(false, rt_root->families, "kill(process group)");
    int self = rt_current()->host;
    uint64_t own = UINT64_C(1) << self;
    rt_group_enter(&look, frame);
    send_one(self, 0, KILL_FIRST_OF_MANY, told, name, frame);
    uint64_t members = group == EVERYBODY ? rt_hosts() & ~own : rt_group_members(group);
    long result = -ESRCH;
    for (uint64_t others = members & ~own; others; others &= others - 1)
        if (!send_one(__builtin_ctzll(others), signal, 0, told, name, frame))
            result = 0;
    return members & own ? send_one(self, signal, 0, told, name, frame) : result;
}

/* The kernel takes the number of a thread for that of its process. */
static int process_of(int number)
{
    return rt_contexts[number].state == RT_LIVE ? rt_contexts[number].host : number;
}

static long send_to(pid_t pid, int signal, const struct rt_told *told, const char *name, void *frame)
{
    int host = pid - FIRST_PID;
    if (signal && !rt_is_signal(signal))
        return -EINVAL;
    if (pid <= 0)
        return send_all(pid == 0 ? RT_OWN_GROUP : pid == -1 ? EVERYBODY : -pid - FIRST_PID, signal, told, name, frame);
    if (host < 0 || host >= MAX_PROCESSES)
        return pid == 1 && geteuid() ? -EPERM : -ESRCH;  /* the first process of the system is always there */
    return send_one(process_of(host), signal, 0, told, name, frame);
}

RT_INLINE int kill_alone(pid_t pid, int signal)
{
    if (pid == getpid())
        return (int)rt_answer(send_self(signal));
    RT_NEED_GROUP(kill);
    return (int)rt_answer(-ESRCH);
}

RT_INLINE int kill_in_group(pid_t pid, int signal)
{
    struct rt_told told = from_here(SI_USER, 0);
    return (int)rt_answer(send_to(pid, signal, &told, "kill", RT_FRAME));
}

RT_FUNCTION(int, kill, (pid_t pid, int signal), (pid, signal),
    KERNEL(SYS_kill, pid, signal), DO(kill_alone(pid, signal)), DO(kill_in_group(pid, signal)))

RT_API int killpg(pid_t group, int signal)
{
    return group < 0 ? (int)rt_answer(-EINVAL) : kill(-group, signal);
}

RT_INLINE int group_sigqueue(pid_t pid, int signal, const union sigval value)
{
    struct rt_told told = from_here(SI_QUEUE, (uint64_t)value.sival_ptr);
    return pid <= 0 ? (int)rt_answer(-ESRCH) : (int)rt_answer(send_to(pid, signal, &told, "sigqueue", RT_FRAME));
}

RT_FUNCTION(int, sigqueue, (pid_t pid, int signal, const union sigval value), (pid, signal, value),
    NEXT, NEED_GROUP, DO(group_sigqueue(pid, signal, value)))

/* ---- to a thread ---- */

static long send_thread(int process, int signal, const struct rt_told *told, const char *name, void *frame)
{
    if (signal && !rt_is_signal(signal))
        return -EINVAL;
    return process < 0 ? -ESRCH : send_one(process, signal, KILL_THREAD, told, name, frame);
}

void rt_raise(int signal, void *frame)
{
    struct rt_told told = from_here(SI_KERNEL, 0);
    send_thread(rt_self(), signal, &told, "signal", frame);
}

RT_INLINE int group_raise(int signal)
{
    struct rt_told told = from_here(SI_TKILL, 0);
    return (int)rt_answer(send_thread(rt_self(), signal, &told, "raise", RT_FRAME));
}

RT_FUNCTION(int, raise, (int signal), (signal),
    KERNEL(SYS_tgkill, RT_SYS(SYS_getpid), RT_SYS(SYS_gettid), signal), DO((int)rt_answer(send_self(signal))), DO(group_raise(signal)))

RT_INLINE int group_pthread_kill(pthread_t t, int signal)
{
    struct rt_told told = from_here(SI_TKILL, 0);
    return (int)-send_thread(rt_thread_process(t), signal, &told, "pthread_kill", RT_FRAME);
}

RT_FUNCTION(int, pthread_kill, (pthread_t t, int signal), (t, signal),
    NEXT, DO(pthread_equal(t, pthread_self()) ? (int)-send_self(signal) : ESRCH), DO(group_pthread_kill(t, signal)))

RT_INLINE int group_pthread_sigqueue(pthread_t t, int signal, const union sigval value)
{
    struct rt_told told = from_here(SI_QUEUE, (uint64_t)value.sival_ptr);
    return (int)-send_thread(rt_thread_process(t), signal, &told, "pthread_sigqueue", RT_FRAME);
}

RT_FUNCTION(int, pthread_sigqueue, (pthread_t t, int signal, const union sigval value), (t, signal, value),
    NEXT, NEED_GROUP, DO(group_pthread_sigqueue(t, signal, value)))

RT_INLINE int group_tgkill(pid_t pid, pid_t thread, int signal)
{
    int process = thread - FIRST_PID;
    struct rt_told told = from_here(SI_TKILL, 0);
    if (pid <= 0 || thread <= 0)
        return (int)rt_answer(-EINVAL);
    return process < 0 || process >= MAX_PROCESSES ? (int)rt_answer(-ESRCH) : (int)rt_answer(send_thread(process, signal, &told, "tgkill", RT_FRAME));
}

RT_FUNCTION(int, tgkill, (pid_t pid, pid_t thread, int signal), (pid, thread, signal),
    NEXT, DO(pid == getpid() && thread == gettid() ? (int)rt_answer(send_self(signal)) : (int)rt_answer(-ESRCH)),
    DO(group_tgkill(pid, thread, signal)))

/* The C library's would only listen to the kernel. */
RT_INLINE void abort_in_group(void)
{
    char words[RT_WORDS] = "";
    uint64_t caller = rt_exception(words);
    struct rt_action usual = {0};
    rt_set_mask(rt_thread.mask & ~rt_signal_bit(SIGABRT), "abort()", RT_FRAME);
    if (rt_action_of(SIGABRT)->handler > (uint64_t)SIG_IGN)
        raise(SIGABRT);
    rt_set_action(SIGABRT, &usual, RT_FRAME, "abort()");
    rt_end_by_signal(SIGABRT, words, caller, RT_FRAME);
}

RT_INLINE void abort_alone(void)
{
    char words[RT_WORDS] = "";
    rt_exception(words);
    end_self(SIGABRT, words, "abort");
    RT_NEXT(abort)();
}

RT_NORETURN(abort, (void), (), NEXT, DO(abort_alone()), DO(abort_in_group()))
