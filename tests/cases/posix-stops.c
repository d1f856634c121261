/* expect: unsupported in process 2.  message: "a signal that stops a process".
 * expect -DSIGNAL=SIGTSTP: unsupported in process 2.  message: "a signal that stops a process".
 * expect -DSIGNAL=0: complete.
 *
 * A process that stops itself would go on here as if nothing had happened, and its parent see it end. So it is not controlled, whether the program is
 * a group or not.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SIGNAL
#define SIGNAL SIGSTOP
#endif

int main(void)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        raise(SIGNAL);                                           /* ERROR */
        _exit(0);
    }
    waitpid(child, &status, WUNTRACED);
    assert(SIGNAL ? WIFSTOPPED(status) : WIFEXITED(status));
    kill(child, SIGKILL);
    return 0;
}
