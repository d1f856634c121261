/* expect: complete.
 * expect -DNO_WAIT: complete.
 * expect -DLATE: assertion.  errors: assertion 1.
 *
 * Who ignores SIGCHLD, or handles it with SA_NOCLDWAIT, has no children to wait for: wait() waits until all have ended, and then there
 * was none. LATE: of one that ended before, there is.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t told;

static void handler(int signal) { told = signal; }

static void want_none(void)
{
#ifdef NO_WAIT
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_NOCLDWAIT | SA_RESTART};
    sigaction(SIGCHLD, &action, NULL);
#else
    signal(SIGCHLD, SIG_IGN);
    (void)handler;
#endif
}

int main(void)
{
    int pipes[2];
    char byte;
    assert(pipe(pipes) == 0);
#ifndef LATE
    want_none();
#endif
    for (int i = 0; i < 2; i++)
        if (fork() == 0) {
            assert(write(pipes[1], "x", 1) == 1);
            _exit(i);
        }
#ifdef LATE
    want_none();
#endif
    assert(wait(NULL) == -1 && errno == ECHILD);                /* ERROR */
    assert(read(pipes[0], &byte, 1) == 1 && read(pipes[0], &byte, 1) == 1);
    assert(wait(NULL) == -1 && errno == ECHILD);
#ifdef NO_WAIT
    assert(told == SIGCHLD);
#endif
    return 0;
}
