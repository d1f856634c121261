/* expect: complete.
 *
 * An alarm is not inherited, and ends a process that does nothing about it: its parent sees that.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int status;
    signal(SIGALRM, SIG_IGN);
    alarm(7);
    pid_t child = fork();
    if (child == 0) {
        assert(alarm(0) == 0);
        signal(SIGALRM, SIG_DFL);
        alarm(1);
        for (;;)
            pause();
    }
    assert(waitpid(child, &status, 0) == child);
    assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM);
    return 0;
}
