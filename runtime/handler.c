/* Signals that come: what a process does about them, and how their handlers run.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "group.h"
#include "signals.h"
#include "thread.h"
#include "timers.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>
#pragma GCC poison malloc calloc free printf

/* ---- what is known of them ---- */

static struct rt_action actions[RT_SIGNALS + 1];

/* Shared by all UNIX processes. */
static struct shared {
    struct rt_told told[2 * MAX_PROCESSES][SIGNAL_SLOTS];        /* with what is pending, by target and slot */
    struct death {
        int32_t  signal, parent;                         /* signal 0: it lives */
        uint64_t place, address;
        bool     seen;
        char     words[RT_WORDS];                        /* why; "": by the signal */
    } deaths[MAX_PROCESSES];                             /* by host */
    uint64_t hosts;                                      /* a bit for each that was forked */
} *shared;

static void begin(void)
{
    if (!shared)
        shared = rt_shared(sizeof *shared);
}

const struct rt_action *rt_action_of(int signal) { return &actions[signal]; }

void rt_tell(uint32_t sent, const struct rt_told *told)
{
    uint32_t target = sent >> SIGNAL_TARGET_SHIFT & SIGNAL_TARGET, slot = sent & (SIGNAL_SLOTS - 1);
    begin();
    if (shared && target < 2 * MAX_PROCESSES)
        shared->told[target][slot] = *told;
}

const struct rt_told *rt_told_with(uint32_t taken)
{
    int target = taken & SIGNAL_SHARED ? MAX_PROCESSES + rt_current()->host : rt_self();
    begin();
    return &shared->told[target][taken >> SIGNAL_SLOT_SHIFT & (SIGNAL_SLOTS - 1)];
}

static void fill_timer_info(siginfo_t *info, const struct rt_told *told)
{
    if (told->code != SI_TIMER)
        return;
    info->si_timerid = told->timer;
    info->si_overrun = rt_timer_of(told->timer) ? rt_timer_of(told->timer)->told_overruns : 0;
    info->si_value.sival_ptr = (void *)told->value;
}

void rt_fill_info(siginfo_t *info, int signal, const struct rt_told *told)
{
    memset(info, 0, sizeof *info);
    info->si_signo = signal;
    info->si_code = told->code;
    if (told->timer) {
        fill_timer_info(info, told);
        return;
    }
    info->si_pid = told->pid;
    info->si_uid = getuid();
    if (signal == SIGCHLD && told->code > 0)
        info->si_status = told->status;
    else
        info->si_value.sival_ptr = (void *)told->value;
}

/* ---- changes that others must know of ---- */

static struct rt_call sigmask_call(uint64_t mask, bool suspends, const char *name)
{
    return (struct rt_call){.event = EVENT_OPERATION, .type = TYPE_PROCESS, .code = PROCESS_SIGMASK, .index = -1,
                            .arg = {suspends, (int32_t)mask, (int32_t)(mask >> 32)}, .text = name};
}

/* Gives the signal that the change frees, which is still to be handled; 0: none. */
static uint32_t change_mask(uint64_t mask, bool suspends, void *frame, const char *name)
{
    struct rt_call call = sigmask_call(mask, suspends, name);
    uint32_t result = (uint32_t)rt_group_enter(&call, frame);
    while (IS_RESULT_SIGNAL(result) && !(result & SIGNAL_DONE)) {
        rt_handle(result, NULL, rt_thread.mask, frame);
        result = (uint32_t)rt_group_enter(&call, frame);
    }
    rt_thread.mask = mask;
    return IS_RESULT_SIGNAL(result) ? result : 0;
}

/* What it frees comes before it returns. */
void rt_change_mask(uint64_t mask, bool suspends, void *frame, const char *name)
{
    uint32_t freed = change_mask(mask, suspends, frame, name);
    if (freed)
        rt_handle(freed, NULL, rt_thread.mask, frame);
}

static bool equal(const struct rt_action *a, const struct rt_action *b)
{
    return a->handler == b->handler && a->mask == b->mask && a->flags == b->flags;
}

static uint64_t blocked_meanwhile(const struct rt_action *a, int signal)
{
    return a->mask | (a->flags & SA_NODEFER ? 0 : rt_signal_bit(signal));
}

void rt_set_action(int signal, const struct rt_action *action, void *frame, const char *name)
{
    uint64_t mask = blocked_meanwhile(action, signal);
    int bits = action->handler == (uint64_t)SIG_DFL ? 0 : action->handler == (uint64_t)SIG_IGN ? SIGACTION_IGNORED
             : SIGACTION_HANDLED | (action->flags & SA_RESTART ? SIGACTION_RESTARTS : 0)
                                 | (action->flags & (int)SA_RESETHAND ? SIGACTION_ONCE : 0);
    bits |= action->flags & SA_NOCLDWAIT ? SIGACTION_NO_WAIT : 0;
    struct rt_call call = {.event = EVENT_OPERATION, .type = TYPE_PROCESS, .code = PROCESS_SIGACTION, .index = -1,
                           .arg = {signal | bits << SIGACTION_SHIFT, (int32_t)mask, (int32_t)(mask >> 32)}, .text = name};
    if (equal(&actions[signal], action))
        return;
    rt_group_call(&call, frame);
    actions[signal] = *action;
}

/* ---- the handler ---- */

/* On another stack, if the program wants that; what is in use of its own stack is then above this. */
long rt_call_on(void *stack, void (*)(int, siginfo_t *, void *), int, siginfo_t *, void *);
__asm__(".text\n.globl rt_call_on\n.hidden rt_call_on\n.type rt_call_on, @function\n"
        "rt_call_on:\n"
        "    .cfi_startproc\n"
        "    pushq %rbp\n"
        "    .cfi_def_cfa_offset 16\n"
        "    .cfi_offset %rbp, -16\n"
        "    movq %rsp, %rbp\n"
        "    .cfi_def_cfa_register %rbp\n"
        "    movq %rsi, %rax\n"
        "    movq %rdi, %rsp\n"
        "    andq $-16, %rsp\n"
        "    movl %edx, %edi\n"
        "    movq %rcx, %rsi\n"
        "    movq %r8, %rdx\n"
        "    call *%rax\n"
        "    movq %rbp, %rsp\n"
        "    popq %rbp\n"
        "    .cfi_def_cfa %rsp, 8\n"
        "    ret\n"
        "    .cfi_endproc\n"
        ".size rt_call_on, .-rt_call_on\n");

static bool is_other_stack(const void *p)
{
    return (const char *)p >= rt_thread.stack && (const char *)p < rt_thread.stack + rt_thread.stack_size;
}

static bool wants_other_stack(const struct rt_action *a)
{
    return a->flags & SA_ONSTACK && rt_thread.stack_size && !is_other_stack(__builtin_frame_address(0));
}

static void call_in_its_place(const struct rt_action *a, int signal, siginfo_t *info, ucontext_t *context)
{
    void (*handler)(int, siginfo_t *, void *) = (void (*)(int, siginfo_t *, void *))a->handler;
    if (!wants_other_stack(a)) {
        handler(signal, info, context);
        return;
    }
    struct rt_context *self = rt_current();
    char *kept = self->kept_stack;
    self->kept_stack = (char *)__builtin_frame_address(0) - 256;
    rt_call_on(rt_thread.stack + rt_thread.stack_size, handler, signal, info, context);
    self->kept_stack = kept;
}

/* It may jump out of the wait that had begun. */
static void call_handler(const struct rt_action *a, int signal, siginfo_t *info, ucontext_t *context)
{
    uint8_t begun = rt_thread.begun;
    struct rt_handling here = {rt_thread.handling};
    rt_thread.begun = false;
    rt_thread.handling = &here;
    call_in_its_place(a, signal, info, context);
    rt_thread.begun = begun;
    rt_thread.handling = here.outer;
}

static bool is_left(const struct rt_handling *h, const char *to)
{
    bool there = is_other_stack(to);
    return there == is_other_stack(h) ? to > (const char *)h : !there;
}

void rt_leave_handlers(const char *to)
{
    while (rt_thread.handling && is_left(rt_thread.handling, to))
        rt_thread.handling = rt_thread.handling->outer;
}

/* What the thread blocks is as the controller has it: what it blocked, and what the action says. */
static void run_handler(uint32_t result, siginfo_t *info, ucontext_t *context, uint64_t mask, void *frame)
{
    int signal = result & SIGNAL_NUMBER;
    struct rt_action a = actions[signal];
    rt_thread.mask = mask | blocked_meanwhile(&a, signal);
    if (a.flags & (int)SA_RESETHAND)
        actions[signal].handler = (uint64_t)SIG_DFL;
    if (result & SIGNAL_MORE)
        rt_change_mask(rt_thread.mask, false, frame, "another handler comes first");
    call_handler(&a, signal, info, context);
}

/* Gives what is to be blocked after it. */
static uint64_t handle_one(uint32_t result, const struct rt_told *told, uint64_t after, void *frame)
{
    int signal = result & SIGNAL_NUMBER;
    uint64_t before = rt_thread.mask;
    struct rt_told own = told ? *told : *rt_told_with(result);
    siginfo_t info;
    ucontext_t context;
    if (actions[signal].handler == (uint64_t)SIG_DFL)
        rt_end_by_signal(signal, NULL, 0, frame);
    rt_timer_seen(&own);
    rt_fill_info(&info, signal, &own);
    memset(&context, 0, sizeof context);
    memcpy(&context.uc_sigmask, &after, sizeof after);
    run_handler(result, &info, &context, before, frame);
    memcpy(&after, &context.uc_sigmask, sizeof after);
    return after;
}

/* What a return frees is handled next, not within it: a signal that its own handler sends may come for ever, and the stack is as it was. */
void rt_handle(uint32_t result, const struct rt_told *told, uint64_t after, void *frame)
{
    while (result) {
        after = handle_one(result, told, after, frame);
        told = NULL;
        result = change_mask(after, false, frame, "return from the handler");
    }
}

/* Who waits for a variable to change looks at it once more: the handler may have written there, and that is no news for its own process. */
static void look_anew(struct rt_call *call)
{
    if (call->type == TYPE_LOCATION && call->code == LOCATION_AWAIT)
        call->code = LOCATION_LOAD;
}

uint64_t rt_deliver(struct rt_call *call, void *frame, uint32_t result)
{
    while (IS_RESULT_SIGNAL(result)) {
        rt_handle(result, NULL, rt_thread.mask, frame);
        look_anew(call);
        if (result & SIGNAL_DONE)
            return 0;
        call->was_interrupted = result & SIGNAL_INTERRUPTS && call->interrupted;
        if (call->was_interrupted)
            return (uint32_t)call->interrupted;
        result = (uint32_t)rt_group_enter(call, frame);
    }
    return result;
}

/* ---- faults ---- */

/* The kernel's frame of the fault, copied to the stack of the thread; the system call that returns from handlers finds it there. */
enum { ALIGNMENT = 64, ROOM = 16 << 10 };

static uint64_t float_bytes(const void *state)
{
    enum { MAGIC_AT = 464, MAGIC = 0x46505853, USUAL = 512 };
    const uint32_t *about = (const uint32_t *)((const char *)state + MAGIC_AT);
    return about[0] == MAGIC && about[1] < ROOM / 2 ? about[1] : USUAL;
}

struct fault { ucontext_t context; siginfo_t info; };    /* the context first: see rt_return_from_fault */

_Noreturn void rt_return_from_fault(struct fault *);
__asm__(".text\n.globl rt_return_from_fault\n.hidden rt_return_from_fault\n"
        "rt_return_from_fault:\n"
        "    movq %rdi, %rsp\n"
        "    movl $15, %eax\n"                           /* rt_sigreturn */
        "    syscall\n"
        "    ud2\n");

/* Runs on the stack of the thread, as if called from where the fault is. */
static void handle_fault(struct fault *fault)
{
    int signal = fault->info.si_signo;
    uint64_t before = rt_thread.mask, during = before | blocked_meanwhile(&actions[signal], signal);
    void *frame = __builtin_frame_address(0);
    bool once = actions[signal].flags & (int)SA_RESETHAND;
    struct rt_action a = actions[signal], usual = {.handler = (uint64_t)SIG_DFL};
    rt_change_mask(during, false, frame, "handler of a fault");
    if (once)
        rt_set_action(signal, &usual, frame, "handler of a fault");
    call_handler(&a, signal, &fault->info, &fault->context);
    rt_change_mask(before, false, frame, "return from the handler");
    rt_return_from_fault(fault);
}

static void end_by_fault(struct fault *);

static bool is_room(const struct rt_context *c, const char *stack)
{
    return stack - ROOM >= c->stack && stack <= c->stack_end;
}

/* NULL: there is none. A thread that only ends needs nothing of what is on its stack, which may be full. */
static char *stack_for(const struct rt_action *a, bool handled, const greg_t *registers)
{
    enum { RED_ZONE = 128 };
    char *stack = (char *)registers[REG_RSP] - RED_ZONE;
    if (wants_other_stack(a) && rt_thread.stack_size >= ROOM)
        return rt_thread.stack + rt_thread.stack_size;
    if (is_room(rt_current(), stack))
        return stack;
    return handled ? NULL : rt_current()->stack_end;
}

bool rt_handle_fault(const siginfo_t *info, ucontext_t *context)
{
    int signal = info->si_signo;
    const struct rt_action *a = &actions[signal];
    bool handled = a->handler > (uint64_t)SIG_IGN && !(rt_thread.mask & rt_signal_bit(signal));
    greg_t *registers = context->uc_mcontext.gregs;
    char *stack = stack_for(a, handled, registers);
    if (!stack || (!handled && !rt_end_can_be_seen()))
        return false;
    uint64_t bytes = context->uc_mcontext.fpregs ? float_bytes(context->uc_mcontext.fpregs) : 0;
    char *floats = (char *)((uint64_t)(stack - bytes - ALIGNMENT) & ~(uint64_t)(ALIGNMENT - 1));
    struct fault *fault = (struct fault *)((uint64_t)(floats - sizeof *fault) & ~(uint64_t)15);
    memcpy(&fault->context, context, sizeof fault->context);
    fault->info = *info;
    if (bytes)
        fault->context.uc_mcontext.fpregs = memcpy(floats, context->uc_mcontext.fpregs, bytes);
    ((uint64_t *)fault)[-1] = (uint64_t)registers[REG_RIP] + 1;          /* where it seems to be called from */
    registers[REG_RIP] = (greg_t)(handled ? handle_fault : end_by_fault);
    registers[REG_RDI] = (greg_t)fault;
    registers[REG_RSP] = (greg_t)fault - 8;              /* as after a call */
    registers[REG_EFL] &= ~(greg_t)0x400;                /* strings go upwards, as functions want it */
    return true;
}

/* ---- deaths ---- */

bool rt_end_can_be_seen(void) { return rt_parent_host() >= 0; }

static _Noreturn void crash(const struct death *death, int32_t how, void *frame)
{
    struct rt_call call = {.event = EVENT_CRASH, .type = TYPE_PROCESS, .code = PROCESS_CRASH, .index = -1,
                           .arg = {death->signal, how}, .place = death->place, .text = death->words};
    rt->slot->address = death->address;
    rt_group_enter(&call, frame);
    rt_die(1);
}

/* First its end, for all to see; then, if nobody can look at it, the error. */
static _Noreturn void end_by(const struct death *death, int32_t how, uint64_t caller, void *frame)
{
    int host = rt_current()->host;
    struct rt_told told = {.code = CLD_KILLED, .pid = FIRST_PID + host, .status = death->signal};
    struct death told_death = *death;
    told_death.place = death->place ? death->place : caller;
    if (!rt_end_can_be_seen())
        crash(&told_death, how, frame);
    begin();
    shared->deaths[host] = *death;
    shared->deaths[host].parent = rt_parent_host();
    shared->deaths[host].place = death->place ? death->place : caller ? caller : ((uint64_t *)frame)[1];
    uint32_t result = rt_leave(death->signal, frame, death->place);
    if (result & SIGNAL_SENT)
        rt_tell(result, &told);
    if (result & SIGNAL_NOBODY)
        crash(&told_death, how, frame);
    struct rt_call end = {.event = EVENT_OPERATION, .type = TYPE_PROCESS, .code = PROCESS_EXIT, .index = -1, .place = death->place};
    rt_group_enter(&end, frame);
    rt_die(1);
}

void rt_end_by_signal(int signal, const char *words, uint64_t caller, void *frame)
{
    struct death death = {.signal = signal};
    if (words)
        memcpy(death.words, words, rt_length(words, RT_WORDS - 1));
    end_by(&death, CRASH_BY_ITSELF, caller, frame);
}

static void end_by_fault(struct fault *fault)
{
    struct death death = {.signal = fault->info.si_signo, .place = (uint64_t)fault->context.uc_mcontext.gregs[REG_RIP] + 1,
                          .address = (uint64_t)fault->info.si_addr};
    end_by(&death, 0, 0, NULL);
}

static _Noreturn void nobody_saw(int child)
{
    crash(&shared->deaths[child], CRASH_OF_CHILD(child), NULL);
}

void rt_seen(int child, bool looks)
{
    begin();
    struct death *death = &shared->deaths[child];
    if (!death->signal || death->seen)
        return;
    death->seen = true;
    if (!looks)
        nobody_saw(child);
}

void rt_nobody_saw(void)
{
    for (int child = 0; shared && child < MAX_PROCESSES; child++) {
        const struct death *death = &shared->deaths[child];
        if (death->signal && !death->seen && death->parent == rt_current()->host)
            nobody_saw(child);
    }
}

void rt_signals_inherited(int child)
{
    begin();
    shared->deaths[child] = (struct death){0};
    shared->hosts |= UINT64_C(1) << child;
}

uint64_t rt_hosts(void) { return 1 | (shared ? shared->hosts : 0); }
