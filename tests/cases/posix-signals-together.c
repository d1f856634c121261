/* expect: complete.
 * expect -DMASKED: complete.
 * expect -DWRONG: assertion in process 1.
 *
 * Two signals that become due at the same moment: the kernel makes the frames of both, the lower one's first, before any handler runs, so
 * that the other one's handler is the first to run. MASKED: not if it is blocked while the lower one is handled. WRONG: the lower one's
 * runs first. SPDX-License-Identifier: MIT */
#include <assert.h>
#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t count, first, second;

static void one(int signal)
{
    (void)signal;
    first = ++count;
}

static void two(int signal)
{
    (void)signal;
    second = ++count;
}

int main(void)
{
    struct sigaction action = {.sa_handler = one};
    sigset_t both, old;
    sigemptyset(&both);
    sigaddset(&both, SIGUSR1);
    sigaddset(&both, SIGUSR2);
#ifdef MASKED
    sigaddset(&action.sa_mask, SIGUSR2);
#endif
    sigaction(SIGUSR1, &action, NULL);
    action = (struct sigaction){.sa_handler = two};
    sigaction(SIGUSR2, &action, NULL);
    sigprocmask(SIG_BLOCK, &both, &old);
    raise(SIGUSR1);
    raise(SIGUSR2);
    sigprocmask(SIG_SETMASK, &old, NULL);
#if defined MASKED
    assert(first == 1 && second == 2);
#elif defined WRONG
    assert(first == 1);                                          /* ERROR */
#else
    assert(first == 2 && second == 1);
#endif
}
