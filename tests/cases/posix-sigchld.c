/* expect: complete.
 * expect -DWRONG: deadlock.
 * expect -DALL: complete.
 *
 * A handler of SIGCHLD waits for the children. WRONG: two that end together may be one signal, and it waits for one only. ALL: a signal
 * for the whole process group.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t gone;

static void reap(int signal)
{
    int saved = errno;
    assert(signal == SIGCHLD);
#ifdef WRONG
    gone += waitpid(-1, NULL, WNOHANG) > 0;
#else
    while (waitpid(-1, NULL, WNOHANG) > 0)
        gone++;
#endif
    errno = saved;
}

int main(void)
{
    sigset_t set, old;
    struct sigaction action = {.sa_handler = reap};
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigaction(SIGCHLD, &action, NULL);
    sigprocmask(SIG_BLOCK, &set, &old);
    for (int i = 0; i < 2; i++)
        if (fork() == 0) {
#ifdef ALL
            pause();                                             /* ERROR */
#endif
            _exit(0);
        }
#ifdef ALL
    signal(SIGTERM, SIG_IGN);
    kill(0, SIGTERM);
#endif
    while (gone < 2)
        sigsuspend(&old);                                        /* ERROR */
    return 0;
}
