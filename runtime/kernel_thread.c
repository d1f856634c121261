/* Contexts that are kernel threads, too, so that a debugger shows each with its stack and its name. One runs at a time: the
 * switch is to give the turn to the other and to wait for one's own. The scheduler works on the stack of whoever calls it.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "group.h"
#include "sys.h"

#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#pragma GCC poison malloc calloc free printf

bool rt_kernel_threads;

static void pass_turn(struct rt_context *to)
{
    __atomic_store_n(&to->turn, 1, __ATOMIC_RELEASE);
    RT_SYS(SYS_futex, &to->turn, FUTEX_WAKE, 1, 0);
}

static void await_turn(struct rt_context *self)
{
    while (!__atomic_load_n(&self->turn, __ATOMIC_ACQUIRE))
        RT_SYS(SYS_futex, &self->turn, FUTEX_WAIT, 0, 0);
    __atomic_store_n(&self->turn, 0, __ATOMIC_RELAXED);
}

static void let_run(struct rt_context *self, struct rt_context *next)
{
    if (next == self)
        return;
    pass_turn(next);
    await_turn(self);
}

/* Another thread may get its number, and its stack: that waits until the kernel says that this one is gone. */
static _Noreturn void end(struct rt_context *next)
{
    pass_turn(next);
    RT_SYS(SYS_exit, 0);
    __builtin_unreachable();
}

uint64_t rt_group_enter_thread(struct rt_call *call, void *frame)
{
    struct rt_context *self = rt_running;
    struct rt_context *next = rt_group_schedule(call, frame);
    if (self->state == RT_ENDED && self->process != self->host && next != self)
        end(next);
    let_run(self, next);
    return self->result;
}

/* It stays where it is, for the debugger: its turn never comes. */
void rt_thread_crashed(void)
{
    struct rt_context *self = rt_running;
    let_run(self, rt_group_next(EVENT_CRASH));
    rt_die(127);
}

/* "thread N", or "N" and the name that the program gave it. */
void rt_thread_name(const struct rt_context *context)
{
    static const char unnamed[] = "thread ";
    char name[16] = "";
    int number = context->process + 1, at = 0;
    for (int i = 0; !context->name[0] && unnamed[i]; i++)
        name[at++] = unnamed[i];
    if (number >= 10)
        name[at++] = (char)('0' + number / 10);
    name[at++] = (char)('0' + number % 10);
    if (context->name[0])
        name[at++] = ' ';
    for (int i = 0; context->name[i] && at < 15; i++)
        name[at++] = context->name[i];
    RT_SYS(SYS_prctl, PR_SET_NAME, name, 0, 0, 0);
}

/* Also one that is no ancestor. Not inherited by a new process. */
void rt_allow_debugger(void)
{
    RT_SYS(SYS_prctl, PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
}

/* ---- starting one ---- */

static void await_end(int32_t *there)
{
    for (int32_t id; (id = __atomic_load_n(there, __ATOMIC_ACQUIRE));)
        RT_SYS(SYS_futex, there, FUTEX_WAIT, id, 0);
}

/* rdi: flags, rsi: stack, rdx: where the kernel writes the thread id, rcx: context, r8: its thread control block, r9: what the kernel
 * clears when the thread is gone */
long rt_thread_clone(long flags, uint64_t stack, int32_t *id, struct rt_context *, uint64_t block, int32_t *there);
__asm__(
    ".text\n"
    ".globl rt_thread_clone\n.hidden rt_thread_clone\n.type rt_thread_clone, @function\n"
    "rt_thread_clone:\n"
    "    .cfi_startproc\n"
    "    movq %r9, %r10\n"
    "    movq %rcx, %r9\n"
    "    movl $56, %eax\n"                               /* clone */
    "    syscall\n"
    "    testq %rax, %rax\n"
    "    jz begin\n"
    "    ret\n"
    "    .cfi_endproc\n"
    ".size rt_thread_clone, .-rt_thread_clone\n"
    ".type begin, @function\n"
    "begin:\n"
    "    .cfi_startproc\n"
    "    .cfi_undefined %rip\n"
    "    xorl %ebp, %ebp\n"
    "    movq %r9, %rdi\n"
    "    call rt_thread_begin\n"
    "    ud2\n"
    "    .cfi_endproc\n"
    ".size begin, .-begin\n");

__attribute__((used)) _Noreturn void rt_thread_begin(struct rt_context *);
void rt_thread_begin(struct rt_context *context)
{
    uint64_t at = RT_STACKS_AT + (uint64_t)context->process * RT_WINDOW;
    stack_t stack = {.ss_sp = (void *)at, .ss_size = RT_SIGNAL_STACK};
    rt_core->signal_stacks[context->process] |= rt_try_map(at, RT_SIGNAL_STACK, MAP_PRIVATE);
    if (rt_core->signal_stacks[context->process])
        RT_SYS(SYS_sigaltstack, &stack, 0);
    rt_thread_name(context);
    pass_turn(rt_running);           /* who made it goes on only now, when a debugger can tell which thread it is */
    await_turn(context);
    rt_context_main();
}

bool rt_thread_start(struct rt_context *context)
{
    int32_t *there = &rt_core->kernel_threads[context->process];
    await_end(there);
    *there = 1;
    uint64_t stack = context->stack_pointer & ~(uint64_t)15;
    int32_t unused, *id = rt_thread_id_at() ? (int32_t *)(context->thread_pointer + rt_thread_id_at()) : &unused;
    long flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_SETTLS |
                 CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID;
    if (rt_thread_clone(flags, stack, id, context, context->thread_pointer, there) <= 0)
        return false;
    await_turn(rt_running);
    return true;
}

void rt_threads_begin(void)
{
    rt_kernel_threads = true;
    if (rt_thread_id_at())                               /* debuggers look there */
        *(int32_t *)(rt_running->thread_pointer + rt_thread_id_at()) = (int32_t)RT_SYS(SYS_gettid);
    rt_allow_debugger();
    rt_thread_name(rt_running);
}
