/* Faults. A signal that means a fault of the program is told to the controller from a stack of its own, and the process
 * stays as it is, so that the controller can unwind it. One fault is ours: the processor's time stamp counter is switched
 * off, and whoever reads it gets the virtual clock.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "rt.h"
#include "sys.h"

#include <signal.h>
#include <sys/prctl.h>
#include <ucontext.h>

void rt_crashed(int, siginfo_t *, void *);
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

/* Not static: by this name an unwinder knows that what is further in is not the program. */
void rt_crashed(int signal, siginfo_t *info, void *context)
{
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    if (answer_clock_reading(info, registers))
        return;
    if (rt_mode == RT_ENDING)
        rt_die(1);
    struct rt_call call = {.type = TYPE_PROCESS, .code = PROCESS_CRASH, .arg = {signal}};
    rt_describe(&call, place_of(info, registers));
    rt->slot->address = (uint64_t)info->si_addr;
    rt_post(EVENT_CRASH);
    rt_await();
    rt_die(1);
}

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
