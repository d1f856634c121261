/* expect: complete.
 * expect -DWRONG: deadlock.
 * expect -DREAPED: assertion in process 1.
 *
 * WRONG: the parent waits for a child that waits for the parent to close a pipe, so it never ends. REAPED: wait() for any
 * child has taken the status of the one that is waited for later.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

static void reader(const int *ends)
{
    char c;
    close(ends[1]);
    while (read(ends[0], &c, 1) == 1)                            /* ERROR */
        ;
    _exit(0);
}

int main(void)
{
    int ends[2], status;
    assert(pipe(ends) == 0);
    pid_t first = fork();
    if (first == 0)
        reader(ends);
    pid_t second = fork();
    if (second == 0)
        _exit(4);
#ifndef WRONG
    close(ends[1]);
#endif
#ifdef REAPED
    assert(wait(NULL) > 0);
    assert(waitpid(second, &status, 0) == second);               /* ERROR */
#else
    assert(waitpid(second, &status, 0) == second && WEXITSTATUS(status) == 4);
    assert(waitpid(first, &status, 0) == first && status == 0);  /* ERROR */
    assert(wait(&status) == -1 && errno == ECHILD);
    assert(waitpid(first, &status, 0) == -1 && errno == ECHILD);
#endif
    return 0;
}
