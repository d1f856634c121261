/* Functions about signals: what is done about them, sending, blocking, waiting. Without a group there is one thread, the kernel does all
 * that, and a process may only send signals to itself.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "group.h"
#include "insides.h"
#include "rt.h"
#include "signals.h"
#include "sys.h"
#include "thread.h"
#include "waits.h"

#include <errno.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>
#pragma GCC poison malloc calloc free printf
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/* The frame of the function that the program called: what is told of a place begins there. */
#define FRAME (__builtin_unwind_init(), __builtin_frame_address(0))

static int answer(long result)
{
    if (result >= 0)
        return 0;
    errno = (int)-result;
    return -1;
}

/* ---- sets ---- */

static void to_set(sigset_t *set, uint64_t bits)
{
    memset(set, 0, sizeof *set);
    memcpy(set, &bits, sizeof bits);
}

/* ---- what is done about a signal ---- */

struct words { char text[40]; };

static struct words naming(const char *function, int signal)     /* sigaction(SIGUSR1) */
{
    struct words w = {""};
    const char *name = sigabbrev_np(signal), *parts[] = {function, name ? "(SIG" : "(SIGRT", name ? name : "", ")"};
    uint32_t at = 0;
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++)
        for (const char *c = parts[i]; *c && at + 1 < sizeof w.text; c++)
            w.text[at++] = *c;
    return w;
}

static int act(const char *name, int signal, const struct sigaction *new, struct sigaction *old, void *frame)
{
    if (!rt_is_signal(signal) || (new && (signal == SIGKILL || signal == SIGSTOP)))
        return answer(-EINVAL);
    struct rt_action before = *rt_action_of(signal);
    struct words words = naming(name, signal);
    struct rt_action after = {0};
    if (new)
        after = (struct rt_action){(uint64_t)new->sa_handler, rt_mask_of(&new->sa_mask), new->sa_flags};
    if (old) {
        memset(old, 0, sizeof *old);
        old->sa_handler = (sighandler_t)before.handler;
        old->sa_flags = before.flags;
        to_set(&old->sa_mask, before.mask);
    }
    if (new)
        rt_set_action(signal, &after, frame, words.text);
    return 0;
}

/* That a child has ended nobody sends: who wants to be told of it, or has them end unseen, needs a group. */
#define TOLD_OF_CHILDREN(name, signal, handler) \
    if ((signal) == SIGCHLD && (handler) != SIG_DFL) \
        RT_NEED_GROUP(name)

RT_INLINE int sigaction_alone(int signal, const struct sigaction *new, struct sigaction *old)
{
    TOLD_OF_CHILDREN(sigaction, signal, new ? new->sa_handler : SIG_DFL);
    return RT_NEXT(sigaction)(signal, new, old);
}

RT_FUNCTION(int, sigaction, (int signal, const struct sigaction *restrict new, struct sigaction *restrict old), (signal, new, old),
    NEXT, DO(sigaction_alone(signal, new, old)), DO(act("sigaction", signal, new, old, FRAME)))

static uint64_t interrupting;                            /* signals of which siginterrupt said so */

static sighandler_t set_handler(const char *name, int signal, sighandler_t handler, int flags, void *frame)
{
    struct sigaction new = {.sa_handler = handler, .sa_flags = flags}, old;
    if (handler == SIG_ERR || !rt_is_signal(signal))
        return (sighandler_t)(intptr_t)answer(-EINVAL);
    if (!(flags & SA_NODEFER))
        to_set(&new.sa_mask, rt_signal_bit(signal));
    return act(name, signal, &new, &old, frame) ? SIG_ERR : old.sa_handler;
}

static int usual_flags(int signal)
{
    return rt_is_signal(signal) && interrupting & rt_signal_bit(signal) ? 0 : SA_RESTART;
}

sighandler_t bsd_signal(int, sighandler_t);
sighandler_t __sysv_signal(int, sighandler_t);
enum { ONE_SHOT = (int)SA_RESETHAND | SA_NODEFER };

#define SETTER(name, flags) \
    RT_INLINE sighandler_t name##_alone(int number, sighandler_t handler) \
    { \
        TOLD_OF_CHILDREN(name, number, handler); \
        return RT_NEXT(name)(number, handler); \
    } \
    RT_FUNCTION(sighandler_t, name, (int number, sighandler_t handler), (number, handler), \
        NEXT, DO(name##_alone(number, handler)), DO(set_handler(#name, number, handler, flags, FRAME)))
SETTER(signal, usual_flags(number))
SETTER(bsd_signal, usual_flags(number))
SETTER(sysv_signal, ONE_SHOT)
SETTER(__sysv_signal, ONE_SHOT)

RT_INLINE int interrupt(int signal, int on)
{
    struct sigaction action;
    if (act("siginterrupt", signal, NULL, &action, NULL))
        return -1;
    interrupting = on ? interrupting | rt_signal_bit(signal) : interrupting & ~rt_signal_bit(signal);
    action.sa_flags = on ? action.sa_flags & ~SA_RESTART : action.sa_flags | SA_RESTART;
    return act("siginterrupt", signal, &action, NULL, FRAME);
}

RT_GROUPED(int, siginterrupt, (int signal, int on), (signal, on), NEXT, DO(interrupt(signal, on)))

static const struct sigaction ignore = {.sa_handler = SIG_IGN};
RT_INLINE int sigignore_alone(int signal)
{
    TOLD_OF_CHILDREN(sigignore, signal, SIG_IGN);
    return RT_NEXT(sigignore)(signal);
}

RT_FUNCTION(int, sigignore, (int signal), (signal), NEXT, DO(sigignore_alone(signal)), DO(act("sigignore", signal, &ignore, NULL, FRAME)))

/* ---- what a thread blocks ---- */

static void block(uint64_t mask, const char *name, void *frame)
{
    if (mask != rt_thread.mask)
        rt_change_mask(mask, false, frame, name);
}

static int change(int how, const sigset_t *set, sigset_t *old, const char *name, void *frame)    /* 0 or an errno */
{
    uint64_t before = rt_thread.mask, bits = set ? rt_mask_of(set) : 0;
    if (set && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK)
        return EINVAL;
    if (set)
        block(how == SIG_BLOCK ? before | bits : how == SIG_UNBLOCK ? before & ~bits : bits, name, frame);
    if (old)
        to_set(old, before);
    return 0;
}

RT_GROUPED(int, sigprocmask, (int how, const sigset_t *restrict set, sigset_t *restrict old), (how, set, old),
    NEXT, DO(answer(-change(how, set, old, "sigprocmask()", FRAME))))
RT_GROUPED(int, pthread_sigmask, (int how, const sigset_t *restrict set, sigset_t *restrict old), (how, set, old),
    NEXT, DO(change(how, set, old, "pthread_sigmask()", FRAME)))

RT_INLINE int group_sigblock(int mask)
{
    uint64_t before = rt_thread.mask;
    block(before | (uint32_t)mask, "sigblock()", FRAME);
    return (int)before;
}

RT_GROUPED(int, sigblock, (int mask), (mask), NEXT, DO(group_sigblock(mask)))

RT_INLINE int group_sigsetmask(int mask)
{
    uint64_t before = rt_thread.mask;
    block((uint32_t)mask, "sigsetmask()", FRAME);
    return (int)before;
}

RT_GROUPED(int, sigsetmask, (int mask), (mask), NEXT, DO(group_sigsetmask(mask)))

RT_INLINE int group_sighold(int signal)
{
    if (!rt_is_signal(signal))
        return answer(-EINVAL);
    block(rt_thread.mask | rt_signal_bit(signal), "sighold()", FRAME);
    return 0;
}

RT_GROUPED(int, sighold, (int signal), (signal), NEXT, DO(group_sighold(signal)))

RT_INLINE int group_sigrelse(int signal)
{
    if (!rt_is_signal(signal))
        return answer(-EINVAL);
    block(rt_thread.mask & ~rt_signal_bit(signal), "sigrelse()", FRAME);
    return 0;
}

RT_GROUPED(int, sigrelse, (int signal), (signal), NEXT, DO(group_sigrelse(signal)))

RT_INLINE sighandler_t group_sigset(int signal, sighandler_t handler)
{
    if (!rt_is_signal(signal))
        return (sighandler_t)(intptr_t)answer(-EINVAL);
    bool held = rt_thread.mask & rt_signal_bit(signal);
    sighandler_t before = handler == SIG_HOLD ? (sighandler_t)rt_action_of(signal)->handler
                                              : set_handler("sigset", signal, handler, 0, FRAME);
    if (before != SIG_ERR)
        block(handler == SIG_HOLD ? rt_thread.mask | rt_signal_bit(signal) : rt_thread.mask & ~rt_signal_bit(signal), "sigset()", FRAME);
    return held && before != SIG_ERR ? SIG_HOLD : before;
}

RT_GROUPED(sighandler_t, sigset, (int signal, sighandler_t handler), (signal, handler), NEXT, DO(group_sigset(signal, handler)))

RT_INLINE int group_sigpending(sigset_t *set)
{
    struct rt_call low = {.event = EVENT_OPERATION, .type = TYPE_PROCESS, .code = PROCESS_SIGPENDING, .index = -1}, high = low;
    high.arg[0] = 1;
    uint32_t first = (uint32_t)RT_ENTER(&low);
    to_set(set, first | RT_ENTER(&high) << 32);
    return 0;
}

RT_GROUPED(int, sigpending, (sigset_t *set), (set), NEXT, DO(group_sigpending(set)))

RT_INLINE int group_sigaltstack(const stack_t *restrict new, stack_t *restrict old)
{
    char here;
    bool there = &here >= rt_thread.stack && &here < rt_thread.stack + rt_thread.stack_size;
    stack_t before = {.ss_sp = rt_thread.stack, .ss_size = rt_thread.stack_size,
                      .ss_flags = there ? SS_ONSTACK : rt_thread.stack_size ? 0 : SS_DISABLE};
    if (new && there)
        return answer(-EPERM);
    if (new && new->ss_flags != 0 && new->ss_flags != SS_DISABLE && new->ss_flags != SS_ONSTACK)
        return answer(-EINVAL);
    if (new && !(new->ss_flags & SS_DISABLE) && new->ss_size < 2048)
        return answer(-ENOMEM);
    if (new) {
        bool off = new->ss_flags & SS_DISABLE;
        rt_thread.stack = off ? NULL : new->ss_sp;
        rt_thread.stack_size = off ? 0 : new->ss_size;
    }
    if (old)
        *old = before;
    return 0;
}

RT_GROUPED(int, sigaltstack, (const stack_t *restrict new, stack_t *restrict old), (new, old),
    NEXT, DO(group_sigaltstack(new, old)))

/* ---- jumps that put back what was blocked ---- */

void *rt_before_sigsetjmp(struct __jmp_buf_tag *, int);
__attribute__((used)) void *rt_before_sigsetjmp(struct __jmp_buf_tag *environment, int keep)
{
    if (keep)                        /* in a group; elsewhere it is 0, and nobody asks */
        *rt_jump_mask(environment) = rt_thread.mask;
    return rt_next("__sigsetjmp");
}

__asm__(".text\n.globl __sigsetjmp\n.type __sigsetjmp, @function\n"
        "__sigsetjmp:\n"
        "    .cfi_startproc\n"
        "    pushq %rdi\n    pushq %rsi\n    subq $8, %rsp\n"
        "    .cfi_adjust_cfa_offset 24\n"
        "    call rt_before_sigsetjmp\n"
        "    addq $8, %rsp\n    popq %rsi\n    popq %rdi\n"
        "    .cfi_adjust_cfa_offset -24\n"
        "    jmp *%rax\n"
        "    .cfi_endproc\n"
        ".size __sigsetjmp, .-__sigsetjmp\n");

static void before_longjmp(struct __jmp_buf_tag *environment, void *frame)
{
    rt_current()->kept_stack = NULL;
    if (rt_jump_has_mask(environment))
        block(*rt_jump_mask(environment), "siglongjmp()", frame);
}

void __longjmp_chk(struct __jmp_buf_tag[1], int) __attribute__((noreturn));
#define JUMP(name) \
    RT_NORETURN(name, (struct __jmp_buf_tag environment[1], int value), (environment, value), \
        NEXT, NEXT, DO(before_longjmp(environment, FRAME), RT_NEXT(name)(environment, value)))
JUMP(siglongjmp)
JUMP(longjmp)
JUMP(_longjmp)
JUMP(__longjmp_chk)

/* ---- sending: without a group, to itself ---- */

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

/* ---- sending, in a group ---- */

/* Gives 0 or a negative errno. */
static long send(int target, int signal, int bits, const struct rt_told *told, const char *name, void *frame)
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

/* All processes of a program are in one group. Who is in it is asked after an operation that says so. */
static long send_all(int signal, const struct rt_told *told, const char *name, void *frame)
{
    long result = send(rt_current()->host, 0, KILL_FIRST_OF_MANY, told, name, frame);
    uint64_t hosts = rt_hosts() & ~(UINT64_C(1) << rt_current()->host);
    for (; hosts && result == 0; hosts &= hosts - 1)
        send(__builtin_ctzll(hosts), signal, 0, told, name, frame);
    return result ? result : send(rt_current()->host, signal, 0, told, name, frame);
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
    if (pid == 0 || pid == -FIRST_PID || pid == -1)
        return send_all(signal, told, name, frame);
    if (host < 0 || host >= MAX_PROCESSES)
        return pid == 1 && geteuid() ? -EPERM : -ESRCH;  /* the first process of the system is always there */
    return send(process_of(host), signal, 0, told, name, frame);
}

RT_INLINE int kill_alone(pid_t pid, int signal)
{
    if (pid == getpid())
        return answer(send_self(signal));
    RT_NEED_GROUP(kill);
    return answer(-ESRCH);
}

RT_INLINE int kill_in_group(pid_t pid, int signal)
{
    struct rt_told told = from_here(SI_USER, 0);
    return answer(send_to(pid, signal, &told, "kill", FRAME));
}

RT_FUNCTION(int, kill, (pid_t pid, int signal), (pid, signal),
    KERNEL(SYS_kill, pid, signal), DO(kill_alone(pid, signal)), DO(kill_in_group(pid, signal)))

RT_API int killpg(pid_t group, int signal)
{
    return group < 0 ? answer(-EINVAL) : kill(group == 0 || group == getpgrp() ? 0 : -group, signal);
}

RT_INLINE int group_sigqueue(pid_t pid, int signal, const union sigval value)
{
    struct rt_told told = from_here(SI_QUEUE, (uint64_t)value.sival_ptr);
    return pid <= 0 ? answer(-ESRCH) : answer(send_to(pid, signal, &told, "sigqueue", FRAME));
}

RT_FUNCTION(int, sigqueue, (pid_t pid, int signal, const union sigval value), (pid, signal, value),
    NEXT, NEED_GROUP, DO(group_sigqueue(pid, signal, value)))

/* ---- to a thread ---- */

static long send_thread(int process, int signal, const struct rt_told *told, const char *name, void *frame)
{
    if (signal && !rt_is_signal(signal))
        return -EINVAL;
    return process < 0 ? -ESRCH : send(process, signal, KILL_THREAD, told, name, frame);
}

void rt_raise(int signal, void *frame)
{
    struct rt_told told = from_here(SI_KERNEL, 0);
    send_thread(rt_self(), signal, &told, "signal", frame);
}

RT_INLINE int group_raise(int signal)
{
    struct rt_told told = from_here(SI_TKILL, 0);
    return answer(send_thread(rt_self(), signal, &told, "raise", FRAME));
}

RT_FUNCTION(int, raise, (int signal), (signal),
    KERNEL(SYS_tgkill, RT_SYS(SYS_getpid), RT_SYS(SYS_gettid), signal), DO(answer(send_self(signal))), DO(group_raise(signal)))

RT_INLINE int group_pthread_kill(pthread_t t, int signal)
{
    struct rt_told told = from_here(SI_TKILL, 0);
    return (int)-send_thread(rt_thread_process(t), signal, &told, "pthread_kill", FRAME);
}

RT_FUNCTION(int, pthread_kill, (pthread_t t, int signal), (t, signal),
    NEXT, DO(pthread_equal(t, pthread_self()) ? (int)-send_self(signal) : ESRCH), DO(group_pthread_kill(t, signal)))

RT_INLINE int group_pthread_sigqueue(pthread_t t, int signal, const union sigval value)
{
    struct rt_told told = from_here(SI_QUEUE, (uint64_t)value.sival_ptr);
    return (int)-send_thread(rt_thread_process(t), signal, &told, "pthread_sigqueue", FRAME);
}

RT_FUNCTION(int, pthread_sigqueue, (pthread_t t, int signal, const union sigval value), (t, signal, value),
    NEXT, NEED_GROUP, DO(group_pthread_sigqueue(t, signal, value)))

RT_INLINE int group_tgkill(pid_t pid, pid_t thread, int signal)
{
    int process = thread - FIRST_PID;
    struct rt_told told = from_here(SI_TKILL, 0);
    if (pid <= 0 || thread <= 0)
        return answer(-EINVAL);
    return process < 0 || process >= MAX_PROCESSES ? answer(-ESRCH) : answer(send_thread(process, signal, &told, "tgkill", FRAME));
}

RT_FUNCTION(int, tgkill, (pid_t pid, pid_t thread, int signal), (pid, thread, signal),
    NEXT, DO(pid == getpid() && thread == gettid() ? answer(send_self(signal)) : answer(-ESRCH)),
    DO(group_tgkill(pid, thread, signal)))

/* The C library's would only listen to the kernel. */
RT_INLINE void abort_in_group(void)
{
    char words[RT_WORDS] = "";
    uint64_t caller = rt_exception(words);
    struct rt_action usual = {0};
    block(rt_thread.mask & ~rt_signal_bit(SIGABRT), "abort()", FRAME);
    if (rt_action_of(SIGABRT)->handler > (uint64_t)SIG_IGN)
        raise(SIGABRT);
    rt_set_action(SIGABRT, &usual, FRAME, "abort()");
    rt_end_by_signal(SIGABRT, words, caller, FRAME);
}

RT_INLINE void abort_alone(void)
{
    char words[RT_WORDS] = "";
    rt_exception(words);
    end_self(SIGABRT, words, "abort");
    RT_NEXT(abort)();
}

RT_NORETURN(abort, (void), (), NEXT, DO(abort_alone()), DO(abort_in_group()))

/* ---- waiting ---- */

/* Gives the signal or a negative errno. */
RT_INLINE int await(const sigset_t *set, siginfo_t *info, bool timed, const char *name)
{
    uint64_t bits = rt_mask_of(set);
    struct rt_call call = {.event = EVENT_OPERATION, .type = TYPE_PROCESS, .code = PROCESS_SIGWAIT, .index = -1,
                           .arg = {timed, (int32_t)bits, (int32_t)(bits >> 32)}, .text = name, .interrupted = -EINTR};
    int32_t result = (int32_t)RT_ENTER_CANCELLABLE(&call);
    if (result <= 0)
        return result ? result : -EAGAIN;
    rt_timer_seen(rt_told_with((uint32_t)result));
    if (info)
        rt_fill_info(info, result & SIGNAL_NUMBER, rt_told_with((uint32_t)result));
    if (info && info->si_code == SI_TKILL)               /* the C library does not tell raise from kill here */
        info->si_code = SI_USER;
    return result & SIGNAL_NUMBER;
}

static int told_signal(int result)
{
    return result < 0 ? answer(result) : result;
}

RT_INLINE int group_sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info)
{
    return told_signal(await(set, info, false, "sigwaitinfo"));
}

RT_FUNCTION(int, sigwaitinfo, (const sigset_t *restrict set, siginfo_t *restrict info), (set, info),
    NEXT, NEED_GROUP, DO(group_sigwaitinfo(set, info)))

RT_INLINE int group_sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info, const struct timespec *restrict time)
{
    if (time && (time->tv_nsec < 0 || time->tv_nsec >= 1000000000 || time->tv_sec < 0))
        return answer(-EINVAL);
    rt_wait_begins("sigtimedwait", time, false);
    int result = await(set, info, time, "sigtimedwait");
    if (result == -EAGAIN)
        rt_pass_time(time, false);
    return told_signal(result);
}

RT_FUNCTION(int, sigtimedwait, (const sigset_t *restrict set, siginfo_t *restrict info, const struct timespec *restrict time),
    (set, info, time),
    NEXT, NEED_GROUP, DO(group_sigtimedwait(set, info, time)))

RT_INLINE int group_sigwait(const sigset_t *restrict set, int *restrict signal)
{
    int result;
    do
        result = await(set, NULL, false, "sigwait");
    while (result == -EINTR);
    if (result < 0)
        return -result;
    *signal = result;
    return 0;
}

RT_FUNCTION(int, sigwait, (const sigset_t *restrict set, int *restrict signal), (set, signal),
    NEXT, NEED_GROUP, DO(group_sigwait(set, signal)))

RT_INLINE int group_pause(void)
{
    struct rt_call call = {.event = EVENT_OPERATION, .type = TYPE_PROCESS, .code = PROCESS_PAUSE, .index = -1, .text = "pause",
                           .interrupted = EINTR};
    RT_ENTER_CANCELLABLE(&call);
    return answer(-EINTR);
}

RT_FUNCTION(int, pause, (void), (), NEXT, NEED_GROUP, DO(group_pause()))

/* What is blocked before is blocked again only after the handler: nothing comes in between. */
RT_INLINE int suspend(uint64_t mask, const char *name, void *frame)
{
    uint64_t before = rt_thread.mask;
    struct rt_call call = {.event = EVENT_OPERATION, .type = TYPE_PROCESS, .code = PROCESS_PAUSE, .index = -1, .arg = {1},
                           .text = name};
    rt_change_mask(mask, true, frame, name);
    if (rt_may_be_cancelled())
        call.arg[2] |= ARG_CANCELLABLE;
    uint32_t result = (uint32_t)rt_group_enter(&call, frame);
    if (result == RESULT_CANCELLED)
        rt_cancel_now();
    rt_handle(result, NULL, before, frame);
    return answer(-EINTR);
}

RT_FUNCTION(int, sigsuspend, (const sigset_t *set), (set), NEXT, NEED_GROUP, DO(suspend(rt_mask_of(set), "sigsuspend", FRAME)))

int __xpg_sigpause(int);
RT_INLINE int suspend_without(int signal)
{
    return rt_is_signal(signal) ? suspend(rt_thread.mask & ~rt_signal_bit(signal), "sigpause", FRAME) : answer(-EINVAL);
}

RT_FUNCTION(int, __xpg_sigpause, (int signal), (signal), NEXT, NEED_GROUP_FOR(sigpause), DO(suspend_without(signal)))
