/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "native/returns.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>

enum { SOON = 300, MANY_STEPS = 1000 };                  /* milliseconds; instructions to follow */

/* Waits for the traced process to stop by this signal; other signals on the way are passed on. */
static bool stops(pid_t pid, int signal, int milliseconds)
{
    struct timespec a_while = {.tv_nsec = 1000000};
    for (int status; milliseconds > 0; milliseconds--) {
        pid_t got = waitpid(pid, &status, WNOHANG);
        if (got == pid && !WIFSTOPPED(status))
            return false;
        if (got == pid && WSTOPSIG(status) == signal)
            return true;
        if (got == pid)
            ptrace(PTRACE_CONT, pid, NULL, WSTOPSIG(status));
        nanosleep(&a_while, NULL);
    }
    return false;
}

static bool steps(pid_t pid)
{
    int status;
    if (ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL) < 0)
        return false;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    return WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP;
}

static void follow(pid_t pid, struct where *where, const char *function, int *lo, int *hi)
{
    struct user_regs_struct registers;
    for (int i = 0; i < MANY_STEPS && steps(pid) && ptrace(PTRACE_GETREGS, pid, NULL, &registers) == 0; i++) {
        struct place p = where_exact(where, registers.rip);
        if (!p.file || !p.function || strcmp(p.function, function))
            return;                                      /* into another function */
        *lo = p.line > 0 && p.line < *lo ? p.line : *lo;         /* 0: of no line */
        *hi = p.line > *hi ? p.line : *hi;
    }
}

void returns_lines(pid_t pid, const struct place *here, struct where *where, int *lo, int *hi)
{
    if (!here->function || ptrace(PTRACE_ATTACH, pid, NULL, NULL) < 0)
        return;
    if (stops(pid, SIGSTOP, SOON))
        follow(pid, where, here->function, lo, hi);
    ptrace(PTRACE_DETACH, pid, NULL, NULL);
}

static bool run_into(pid_t pid, uint64_t address)
{
    long code = ptrace(PTRACE_PEEKTEXT, pid, address, NULL);
    struct user_regs_struct registers;
    ptrace(PTRACE_POKETEXT, pid, address, (code & ~0xffl) | 0xcc);
    ptrace(PTRACE_CONT, pid, NULL, NULL);
    bool came = stops(pid, SIGTRAP, SOON);
    if (!came && (kill(pid, SIGSTOP) < 0 || !stops(pid, SIGSTOP, SOON)))
        return false;
    ptrace(PTRACE_POKETEXT, pid, address, code);
    if (!came || ptrace(PTRACE_GETREGS, pid, NULL, &registers) < 0 || registers.rip != address + 1)
        return false;
    registers.rip = address;
    return ptrace(PTRACE_SETREGS, pid, NULL, &registers) == 0;
}

bool returns_to(pid_t pid, uint64_t address, struct where *where, int *lo, int *hi)
{
    struct place caller = where_call(where, address);
    if (!caller.function || ptrace(PTRACE_ATTACH, pid, NULL, NULL) < 0)
        return false;
    bool came = stops(pid, SIGSTOP, SOON) && run_into(pid, address);
    if (came)
        follow(pid, where, caller.function, lo, hi);
    ptrace(PTRACE_DETACH, pid, NULL, NULL);
    return came;
}
