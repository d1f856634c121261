/* Functions about signals: what is done about them, blocking, waiting; kill.c sends them. Without a group there is one thread, and the kernel
 * does all that.
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
        return (int)rt_answer(-EINVAL);
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
    NEXT, DO(sigaction_alone(signal, new, old)), DO(act("sigaction", signal, new, old, RT_FRAME)))

static uint64_t interrupting;                            /* signals of which siginterrupt said so */

static sighandler_t set_handler(const char *name, int signal, sighandler_t handler, int flags, void *frame)
{
    struct sigaction new = {.sa_handler = handler, .sa_flags = flags}, old;
    if (handler == SIG_ERR || !rt_is_signal(signal))
        return (sighandler_t)rt_answer(-EINVAL);
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
        NEXT, DO(name##_alone(number, handler)), DO(set_handler(#name, number, handler, flags, RT_FRAME)))
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
    return act("siginterrupt", signal, &action, NULL, RT_FRAME);
}

RT_GROUPED(int, siginterrupt, (int signal, int on), (signal, on), NEXT, DO(interrupt(signal, on)))

static const struct sigaction ignore = {.sa_handler = SIG_IGN};
RT_INLINE int sigignore_alone(int signal)
{
    TOLD_OF_CHILDREN(sigignore, signal, SIG_IGN);
    return RT_NEXT(sigignore)(signal);
}

RT_FUNCTION(int, sigignore, (int signal), (signal), NEXT, DO(sigignore_alone(signal)), DO(act("sigignore", signal, &ignore, NULL, RT_FRAME)))

/* ---- what a thread blocks ---- */

void rt_set_mask(uint64_t mask, const char *name, void *frame)
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
        rt_set_mask(how == SIG_BLOCK ? before | bits : how == SIG_UNBLOCK ? before & ~bits : bits, name, frame);
    if (old)
        to_set(old, before);
    return 0;
}

RT_GROUPED(int, sigprocmask, (int how, const sigset_t *restrict set, sigset_t *restrict old), (how, set, old),
    NEXT, DO((int)rt_answer(-change(how, set, old, "sigprocmask()", RT_FRAME))))
RT_GROUPED(int, pthread_sigmask, (int how, const sigset_t *restrict set, sigset_t *restrict old), (how, set, old),
    NEXT, DO(change(how, set, old, "pthread_sigmask()", RT_FRAME)))

RT_INLINE int group_sigblock(int mask)
{
    uint64_t before = rt_thread.mask;
    rt_set_mask(before | (uint32_t)mask, "sigblock()", RT_FRAME);
    return (int)before;
}

RT_GROUPED(int, sigblock, (int mask), (mask), NEXT, DO(group_sigblock(mask)))

RT_INLINE int group_sigsetmask(int mask)
{
    uint64_t before = rt_thread.mask;
    rt_set_mask((uint32_t)mask, "sigsetmask()", RT_FRAME);
    return (int)before;
}

RT_GROUPED(int, sigsetmask, (int mask), (mask), NEXT, DO(group_sigsetmask(mask)))

RT_INLINE int group_sighold(int signal)
{
    if (!rt_is_signal(signal))
        return (int)rt_answer(-EINVAL);
    rt_set_mask(rt_thread.mask | rt_signal_bit(signal), "sighold()", RT_FRAME);
    return 0;
}

RT_GROUPED(int, sighold, (int signal), (signal), NEXT, DO(group_sighold(signal)))

RT_INLINE int group_sigrelse(int signal)
{
    if (!rt_is_signal(signal))
        return (int)rt_answer(-EINVAL);
    rt_set_mask(rt_thread.mask & ~rt_signal_bit(signal), "sigrelse()", RT_FRAME);
    return 0;
}

RT_GROUPED(int, sigrelse, (int signal), (signal), NEXT, DO(group_sigrelse(signal)))

RT_INLINE sighandler_t group_sigset(int signal, sighandler_t handler)
{
    if (!rt_is_signal(signal))
        return (sighandler_t)rt_answer(-EINVAL);
    bool held = rt_thread.mask & rt_signal_bit(signal);
    sighandler_t before = handler == SIG_HOLD ? (sighandler_t)rt_action_of(signal)->handler
                                              : set_handler("sigset", signal, handler, 0, RT_FRAME);
    if (before != SIG_ERR)
        rt_set_mask(handler == SIG_HOLD ? rt_thread.mask | rt_signal_bit(signal) : rt_thread.mask & ~rt_signal_bit(signal), "sigset()", RT_FRAME);
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
        return (int)rt_answer(-EPERM);
    if (new && new->ss_flags != 0 && new->ss_flags != SS_DISABLE && new->ss_flags != SS_ONSTACK)
        return (int)rt_answer(-EINVAL);
    if (new && !(new->ss_flags & SS_DISABLE) && new->ss_size < 2048)
        return (int)rt_answer(-ENOMEM);
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
    rt_leave_handlers(rt_jump_stack(environment));
    if (rt_jump_has_mask(environment))
        rt_set_mask(*rt_jump_mask(environment), "siglongjmp()", frame);
}

void __longjmp_chk(struct __jmp_buf_tag[1], int) __attribute__((noreturn));
#define JUMP(name) \
    RT_NORETURN(name, (struct __jmp_buf_tag environment[1], int value), (environment, value), \
        NEXT, NEXT, DO(before_longjmp(environment, RT_FRAME), RT_NEXT(name)(environment, value)))
JUMP(siglongjmp)
JUMP(longjmp)
JUMP(_longjmp)
JUMP(__longjmp_chk)

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

RT_INLINE int group_sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info)
{
    return (int)rt_answer(await(set, info, false, "sigwaitinfo"));
}

RT_FUNCTION(int, sigwaitinfo, (const sigset_t *restrict set, siginfo_t *restrict info), (set, info),
    NEXT, NEED_GROUP, DO(group_sigwaitinfo(set, info)))

RT_INLINE int group_sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info, const struct timespec *restrict time)
{
    if (time && (time->tv_nsec < 0 || time->tv_nsec >= 1000000000 || time->tv_sec < 0))
        return (int)rt_answer(-EINVAL);
    rt_wait_begins("sigtimedwait", time, false);
    int result = await(set, info, time, "sigtimedwait");
    if (result == -EAGAIN)
        rt_pass_time(time, false);
    return (int)rt_answer(result);
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
    return (int)rt_answer(-EINTR);
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
    return (int)rt_answer(-EINTR);
}

RT_FUNCTION(int, sigsuspend, (const sigset_t *set), (set), NEXT, NEED_GROUP, DO(suspend(rt_mask_of(set), "sigsuspend", RT_FRAME)))

int __xpg_sigpause(int);
RT_INLINE int suspend_without(int signal)
{
    return rt_is_signal(signal) ? suspend(rt_thread.mask & ~rt_signal_bit(signal), "sigpause", RT_FRAME) : (int)rt_answer(-EINVAL);
}

RT_FUNCTION(int, __xpg_sigpause, (int signal), (signal), NEXT, NEED_GROUP_FOR(sigpause), DO(suspend_without(signal)))
