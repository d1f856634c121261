/* Faults. A signal that means a fault of the program is told to the controller from a stack of its own, and the process
 * stays as it is, so that the controller can unwind it. One fault is ours: the processor's time stamp counter is switched
 * off, and whoever reads it gets the virtual clock.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "group.h"
#include "signals.h"
#include "sys.h"

#include <assert.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <ucontext.h>
#include <unwind.h>

#pragma GCC poison malloc calloc free printf

static bool answer_clock_reading(const siginfo_t *info, greg_t *registers)
{
    const unsigned char *code = (const unsigned char *)registers[REG_RIP];
    if (info->si_signo != SIGSEGV || info->si_code != SI_KERNEL || registers[REG_RIP] < 0)
        return false;
    bool rdtsc = code[0] == 0x0f && code[1] == 0x31, rdtscp = code[0] == 0x0f && code[1] == 0x01 && code[2] == 0xf9;
    if (!rdtsc && !rdtscp)
        return false;
    uint64_t now = rt_clock();
    registers[REG_RAX] = (greg_t)(now & 0xffffffff);
    registers[REG_RDX] = (greg_t)(now >> 32);
    if (rdtscp)
        registers[REG_RCX] = 0;
    registers[REG_RIP] += rdtsc ? 2 : 3;
    return true;
}

/* Such that the call before it is at fault: after a jump into nowhere, the address to which that call would return. */
static uint64_t place_of(const siginfo_t *info, const greg_t *registers)
{
    uint64_t pc = (uint64_t)registers[REG_RIP];
    return info->si_signo == SIGSEGV && (uint64_t)info->si_addr == pc ? *(uint64_t *)registers[REG_RSP] : pc + 1;
}

/* ---- in a sharing group, where the stack does not stay as it is: who called whom is found out here ---- */

enum { FRAMES = 32 };
struct trace { uint64_t from, frames[FRAMES]; int count; };      /* from: where the fault is; further in is our handler */

static _Unwind_Reason_Code add_frame(struct _Unwind_Context *context, void *self)
{
    struct trace *trace = self;
    uint64_t pc = _Unwind_GetIP(context);
    if (trace->count == FRAMES || !pc)
        return _URC_END_OF_STACK;
    if (trace->count || pc == trace->from)
        trace->frames[trace->count++] = pc;
    return _URC_NO_REASON;
}

static _Unwind_Reason_Code stop(struct _Unwind_Context *context, void *self)
{
    (void)context;
    (void)self;
    return _URC_END_OF_STACK;
}

void rt_warm_unwinder(void)
{
    _Unwind_Backtrace(stop, NULL);
}

static bool is_system(uint64_t address)
{
    const struct rt_code *code = rt_code_at(address);
    return code && code->system;
}

/* The place is moved out of the C library, into which the program gave a bad pointer, or which aborts it. */
static void use_trace(struct wire_slot *slot, const struct trace *trace)
{
    int at = 1, count = 0;
    while (at < trace->count && is_system(slot->place - 1))
        slot->place = trace->frames[at++];
    memset(slot->callers, 0, sizeof slot->callers);
    for (; at < trace->count && count < MAX_CALLERS; at++)
        if (!is_system(trace->frames[at] - 1))
            slot->callers[count++] = trace->frames[at];
}

/* The stack may be broken in such a way that the unwinder itself fails. What it calls must be no operation. */
static void unwind(uint64_t from)
{
    struct trace trace = {.from = from};
    rt_core->unwinding = true;
    rt_mode = RT_REAL;
    _Unwind_Backtrace(add_frame, &trace);
    rt_mode = RT_GROUP;
    rt_core->unwinding = false;
    if (trace.count)
        use_trace(rt->slot, &trace);
}

/* In the scheduler it was an argument of the call that is being described, or the room for the text of its result. */
static _Noreturn void tell_group(const siginfo_t *info, const greg_t *registers)
{
    const struct rt_context *context = rt_current();
    struct rt_call call = {.type = TYPE_PROCESS, .code = PROCESS_CRASH, .index = -1, .arg = {info->si_signo}};
    uint64_t sp = (uint64_t)registers[REG_RSP], frame = (uint64_t)registers[REG_RBP], place = 0;
    bool scheduler = sp - (uint64_t)rt->stack < RT_STACK;
    if (scheduler && context->frame) {
        place = rt_place(context->call, context->frame);
        frame = *(uint64_t *)context->frame;
        sp = (uint64_t)context->frame;
    } else if (!scheduler)
        place = place_of(info, registers);
    rt_group_describe(&call, place);
    rt->slot->address = (uint64_t)info->si_addr;
    rt_callers(frame, (uint64_t)context->stack_end, sp - 1, rt->slot->callers);
    if (!scheduler)
        unwind((uint64_t)registers[REG_RIP]);
    rt->slot->digest = (rt->slot->digest ^ rt->slot->place) | 1;
    rt_group_crashed((void *)sp);
}

/* What was told before the unwinder failed is good enough. */
static _Noreturn void crashed_in_group(const siginfo_t *info, const greg_t *registers)
{
    if (rt_core->copying)
        rt_die(127);
    if (rt_core->unwinding) {
        rt_mode = RT_GROUP;
        rt_group_crashed((void *)rt_current()->stack_pointer);
    }
    tell_group(info, registers);
}

/* Not static: by this name an unwinder knows that what is further in is not the program. */
void rt_crashed(int signal, siginfo_t *info, void *context)
{
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    if (answer_clock_reading(info, registers))
        return;
    if (rt_mode == RT_ENDING)
        rt_die(1);
    rt_exception_failed();
    bool own = registers[REG_RSP] - (greg_t)rt->stack < (greg_t)RT_STACK && registers[REG_RSP] > (greg_t)rt->stack;
    if (rt_in_group() && !rt_core->copying && !rt_core->unwinding && !rt_kernel_threads && !own && rt_handle_fault(info, context))
        return;
    if (rt_in_group() || (rt_core && rt_core->unwinding))
        crashed_in_group(info, registers);
    bool may_be_seen = rt->slot->process && !rt->manual; /* its parent may look at how it ended: only a group knows */
    struct rt_call call = {.type = TYPE_PROCESS, .code = PROCESS_CRASH, .arg = {signal}, .text = may_be_seen ? "wait" : NULL};
    rt_describe(&call, place_of(info, registers));
    rt->slot->address = (uint64_t)info->si_addr;
    rt_post(may_be_seen ? EVENT_GROUP : EVENT_CRASH);
    rt_await();
    rt_die(1);
}

/* assert() of the C library, which failed: the end of its process. */
RT_INLINE void assertion_failed(const char *expression)
{
    struct rt_call call = {.event = EVENT_OPERATION, .type = TYPE_ASSERT, .code = ASSERT_FAILED, .index = -1,
                           .text = expression};
    RT_ENTER(&call);
}

#define FAIL DO(assertion_failed(expression), RT_NEXT(__assert_fail)(expression, file, line, function))
RT_NORETURN(__assert_fail, (const char *expression, const char *file, unsigned line, const char *function),
    (expression, file, line, function), NEXT, FAIL, FAIL)

void rt_catch_crashes(void)
{
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
    stack_t stack = {.ss_sp = rt->signal_stack, .ss_size = RT_SIGNAL_STACK};
    sigaltstack(&stack, NULL);
    struct sigaction action = {.sa_sigaction = rt_crashed, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    for (unsigned i = 0; i < sizeof crashes / sizeof *crashes; i++)
        sigaction(crashes[i], &action, NULL);
    RT_SYS(SYS_prctl, PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0);
}
