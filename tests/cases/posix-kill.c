/* expect: complete.
 * expect -DWRONG: deadlock.
 *
 * kill: the child dies by the signal, whatever it waits for; a process that is not there is ESRCH. WRONG: the signal is
 * ignored.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int ends[2], status;
    char c;
    assert(pipe(ends) == 0);
#ifdef WRONG
    signal(SIGTERM, SIG_IGN);
#endif
    pid_t child = fork();
    if (child == 0) {
        read(ends[0], &c, 1);                                    /* ERROR */
        _exit(0);
    }
    assert(kill(child, 0) == 0);
    assert(kill(child, SIGTERM) == 0);
    assert(waitpid(child, &status, 0) == child);                 /* ERROR */
    assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    assert(kill(child, SIGTERM) == -1 && errno == ESRCH);

    child = fork();
    if (child == 0) {
        read(ends[0], &c, 1);
        _exit(0);
    }
    assert(kill(child, SIGKILL) == 0);
    assert(waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    return 0;
}
