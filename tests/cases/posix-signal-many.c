/* expect -DMANY=31: complete.  searches: none, optimal.
 * expect -DMANY=32: unsupported in process 1.  message: "more pending signals than VeriSoft can control".  searches: none, optimal.
 *
 * Signals that queue up, until there is no room; there is always some for that of a child which ends.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    sigset_t set;
    int got = 0;
    sigemptyset(&set);
    sigaddset(&set, SIGRTMIN);
    sigaddset(&set, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set, NULL);
    for (int i = 0; i < MANY; i++)
        sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = i});    /* ERROR */
    if (fork() == 0)
        _exit(0);
    sigdelset(&set, SIGRTMIN);
    sigwait(&set, &got);
    assert(got == SIGCHLD);
    return 0;
}
