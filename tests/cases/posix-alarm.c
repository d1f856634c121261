/* expect: complete.  optimal: 2 executions.
 * expect -DLOST: deadlock in process 0.
 * expect -DDEFAULT: crash in process 2.  message: "SIGALRM".
 *
 * An alarm can come at any time: before the wait for it, too. Who blocks it until sigsuspend misses none: it comes before that call, or
 * while it waits. LOST: it is gone before pause() when it comes early. DEFAULT: nobody handles it.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t rung;

static void ring(int signal)
{
    rung += signal == SIGALRM;
}

int main(void)
{
#ifndef DEFAULT
    signal(SIGALRM, ring);
#endif
#ifdef LOST
    assert(alarm(5) == 0);                                       /* ERROR */
    pause();                                                     /* ERROR */
#else
    sigset_t blocked, before;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGALRM);
    sigprocmask(SIG_BLOCK, &blocked, &before);
    assert(alarm(5) == 0);                                       /* ERROR */
    sigsuspend(&before);                                         /* ERROR */
#endif
    assert(rung == 1);
    assert(alarm(0) == 0);
    return 0;
}
