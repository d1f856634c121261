/* Signals. A process may send one to itself; one to another process would be an operation that nobody controls.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "rt.h"
#include "sys.h"

#include <errno.h>
#include <signal.h>
#include <sys/types.h>
#include <unistd.h>
#pragma GCC poison malloc calloc free printf

static __attribute__((noinline)) long post(int signal)
{
    siginfo_t info = {.si_signo = signal, .si_code = SI_TKILL};
    info.si_pid = FIRST_PID + rt->slot->process;
    info.si_uid = getuid();
    return RT_SYS(SYS_rt_tgsigqueueinfo, RT_SYS(SYS_getpid), RT_SYS(SYS_gettid), signal, &info);
}

/* The frame of the handler, on the program's stack, holds the sender and all registers: neither may show a real process id.
 * So the signal is held back while it is sent, and delivered by a system call that knows of none. */
static long send_self(int signal)
{
    uint64_t all = ~0ull, old = 0;
    RT_SYS(SYS_rt_sigprocmask, SIG_SETMASK, &all, &old, sizeof all);
    long result = post(signal);
    RT_SYS(SYS_rt_sigprocmask, SIG_SETMASK, &old, 0, sizeof old);
    return result;
}

static int answer(long result)
{
    if (result >= 0)
        return 0;
    errno = (int)-result;
    return -1;
}

RT_API int kill(pid_t pid, int signal)
{
    if (!rt_controlled())
        return answer(RT_SYS(SYS_kill, pid, signal));
    if (pid == FIRST_PID + rt->slot->process)
        return answer(signal ? send_self(signal) : 0);
    struct rt_call call = {.event = EVENT_REFUSE, .text = "kill (of another process)"};
    return answer((int)RT_ENTER(&call));
}

RT_API int raise(int signal)
{
    return answer(rt_controlled() ? send_self(signal)
                                  : RT_SYS(SYS_tgkill, RT_SYS(SYS_getpid), RT_SYS(SYS_gettid), signal));
}
