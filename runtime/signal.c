/* Signals. A process may send one to itself; and in a sharing group one to another process, if all it can do there is end it:
 * a handler would have to run at any moment, and only visible operations are moments.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "group.h"
#include "rt.h"
#include "signals.h"
#include "sys.h"
#include "thread.h"

#include <errno.h>
#include <signal.h>
#include <sys/types.h>
#include <unistd.h>
#pragma GCC poison malloc calloc free printf

/* ---- what a process does about signals ---- */

/* The kernel keeps it, where it does not go back with snapshots; so it is kept here, too, and put in force where it matters. */
struct action { uint64_t handler, flags, restorer, mask; };      /* as the kernel has it */
enum { SIGNALS = 64 };
static struct action actions[SIGNALS + 1];

static bool is_signal(int signal) { return signal > 0 && signal <= SIGNALS; }

static void enforce(int signal)
{
    if (rt_in_group() && is_signal(signal))
        RT_SYS(SYS_rt_sigaction, signal, &actions[signal], 0, sizeof actions->mask);
}

static void keep(int signal)
{
    RT_SYS(SYS_rt_sigaction, signal, 0, &actions[signal], sizeof actions->mask);
}

/* The first who says what to do about a signal is the runtime itself, before there is a snapshot. */
static void note_action(int signal)
{
    static bool begun;
    if (!rt || !(rt->wire->group & GROUP_ON))
        return;
    for (int other = 1; other <= SIGNALS && !begun; other++)
        keep(other);
    begun = true;
    if (is_signal(signal))
        keep(signal);
}

static __attribute__((noinline)) long post(int signal)
{
    siginfo_t info = {.si_signo = signal, .si_code = SI_TKILL};
    info.si_pid = getpid();
    info.si_uid = getuid();
    return RT_SYS(SYS_rt_tgsigqueueinfo, RT_SYS(SYS_getpid), RT_SYS(SYS_gettid), signal, &info);
}

/* The frame of the handler, on the program's stack, holds the sender and all registers: neither may show a real process id.
 * So the signal is held back while it is sent, and delivered by a system call that knows of none. */
static long send_self(int signal)
{
    uint64_t all = ~0ull, old = 0;
    enforce(signal);
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

/* ---- what others know of it ---- */

static struct known { uint64_t handled, ignored; } *known;       /* by host; a bit for each signal */

static void begin(void)
{
    if (!known)
        known = rt_shared(MAX_PROCESSES * sizeof *known);
}

void rt_signals_inherited(int child)
{
    begin();
    known[child] = known[rt_current()->host];
}

static uint64_t bit(int signal)
{
    return is_signal(signal) ? 1ull << (signal - 1) : 0;
}

static void note(int signal, const void *handler)
{
    if (!rt_in_group())
        return;
    begin();
    struct known *own = &known[rt_current()->host];
    own->handled &= ~bit(signal);
    own->ignored &= ~bit(signal);
    if (handler == (const void *)SIG_IGN)
        own->ignored |= bit(signal);
    else if (handler != (const void *)SIG_DFL)
        own->handled |= bit(signal);
}

/* A child that ends tells its parent at once, whatever that one is doing: nobody controls that moment. */
RT_INLINE void refuse_sigchld(int signal, const void *handler)
{
    struct rt_call call = {.event = EVENT_REFUSE, .text = "sigaction (of SIGCHLD: it is not delivered; wait for the child instead)"};
    if (rt_in_group() && signal == SIGCHLD && handler != (const void *)SIG_DFL && handler != (const void *)SIG_IGN)
        RT_ENTER(&call);
}

RT_API int sigaction(int signal, const struct sigaction *restrict action, struct sigaction *restrict old)
{
    if (action) {
        refuse_sigchld(signal, (const void *)action->sa_handler);
        note(signal, (const void *)action->sa_handler);
    }
    enforce(signal);
    int result = RT_NEXT(sigaction)(signal, action, old);
    note_action(signal);
    return result;
}

#define SETTERS(X) X(signal) X(bsd_signal) X(sysv_signal) X(__sysv_signal) X(sigset)
sighandler_t bsd_signal(int, sighandler_t);
sighandler_t __sysv_signal(int, sighandler_t);
typedef sighandler_t setter_t(int, sighandler_t);

static sighandler_t set(setter_t *setter, int signal, sighandler_t handler)
{
    note(signal, (const void *)handler);
    enforce(signal);
    sighandler_t result = setter(signal, handler);
    note_action(signal);
    return result;
}

#define X(name) \
    RT_API sighandler_t name(int number, sighandler_t handler) \
    { \
        refuse_sigchld(number, (const void *)handler); \
        return set(rt_next(#name), number, handler); \
    }
SETTERS(X)
#undef X

/* ---- sending ---- */

enum effect { ENDS, NOTHING, UNKNOWN };

static enum effect effect_of(int signal)                 /* on a process that leaves it as it is at the start */
{
    switch (signal) {
    case SIGKILL: case SIGTERM: case SIGINT: case SIGHUP: case SIGQUIT: case SIGUSR1: case SIGUSR2: case SIGPIPE: case SIGALRM:
        return ENDS;
    case 0: case SIGCHLD: case SIGURG: case SIGWINCH:
        return NOTHING;
    default:
        return UNKNOWN;
    }
}

static bool is_ignored(int host, int signal)
{
    return effect_of(signal) == NOTHING || (known && signal != SIGKILL && known[host].ignored & bit(signal));
}

static const char *objection(int host, int signal)       /* NULL: none */
{
    if (known && known[host].handled & bit(signal))
        return "kill (of a process that handles the signal)";
    return is_ignored(host, signal) || effect_of(signal) == ENDS ? NULL
         : "kill (of another process, with a signal that may not end it)";
}

RT_INLINE int refuse(const char *words)
{
    struct rt_call call = {.event = EVENT_REFUSE, .text = words};
    return answer((int)RT_ENTER(&call));
}

RT_INLINE int kill_other(pid_t pid, int signal)
{
    int host = pid - FIRST_PID;
    if (pid <= 0)
        return refuse("kill (of a process group)");
    if (host < 0 || host >= MAX_PROCESSES)
        return answer(-ESRCH);
    const char *why = objection(host, signal);
    if (why)
        return refuse(why);
    struct rt_call call = {.event = EVENT_OPERATION, .type = TYPE_PROCESS, .code = PROCESS_KILL, .index = -1,
                           .arg = {host, is_ignored(host, signal) ? 0 : signal}};
    return answer(-(long)RT_ENTER(&call));
}

RT_API int kill(pid_t pid, int signal)
{
    if (!rt_controlled())
        return answer(RT_SYS(SYS_kill, pid, signal));
    if (signal && !is_signal(signal))
        return answer(-EINVAL);
    if (pid == getpid())
        return answer(signal ? send_self(signal) : 0);
    if (!rt_in_group())
        RT_NEED_GROUP(kill);
    return kill_other(pid, signal);
}

RT_API int raise(int signal)
{
    return answer(rt_controlled() ? send_self(signal)
                                  : RT_SYS(SYS_tgkill, RT_SYS(SYS_getpid), RT_SYS(SYS_gettid), signal));
}

RT_API int pthread_kill(pthread_t t, int signal)
{
    if (!rt_controlled())
        return RT_NEXT(pthread_kill)(t, signal);
    if (pthread_equal(t, pthread_self()))
        return signal ? (int)-send_self(signal) : 0;
    if (rt_in_group() && rt_thread_process(t) < 0)
        return ESRCH;
    if (signal == 0)
        return 0;
    struct rt_call call = {.event = EVENT_REFUSE, .text = "pthread_kill (of another thread)"};
    return (int)RT_ENTER(&call);
}
