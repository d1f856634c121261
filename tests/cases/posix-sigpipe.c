/* expect: complete.
 * expect -DWRONG: assertion in process 1.
 *
 * Who writes to a pipe that nobody reads is killed by SIGPIPE. WRONG: the parent takes it that the child gets to its exit.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int ends[2], status;
    assert(pipe(ends) == 0);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        if (write(ends[1], "x", 1) != 1)
            _exit(1);
        _exit(0);
    }
    close(ends[0]);
    assert(waitpid(child, &status, 0) == child);
#ifdef WRONG
    assert(WIFEXITED(status));                                   /* ERROR */
#else
    assert((WIFEXITED(status) && WEXITSTATUS(status) == 0) || (WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE));
#endif
    return 0;
}
