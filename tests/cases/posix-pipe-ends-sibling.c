/* expect: complete.
 * expect -DWRONG: deadlock.
 *
 * Two children, a pipe to each. WRONG: the second one inherits the writing end of the first one's pipe and keeps it, so the
 * first never sees its end, though the parent closed it and waits for the first.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>

static void child(const int *mine, const int *sibling)
{
    char c;
    close(mine[1]);
#ifndef WRONG
    if (sibling)
        close(sibling[1]);
#else
    (void)sibling;
#endif
    while (read(mine[0], &c, 1) == 1)                            /* ERROR */
        ;
    _exit(0);
}

int main(void)
{
    int first[2], second[2], status;
    assert(pipe(first) == 0);
    pid_t one = fork();
    if (one == 0)
        child(first, NULL);
    assert(pipe(second) == 0);
    pid_t two = fork();
    if (two == 0)
        child(second, first);
    close(first[1]);
    assert(waitpid(one, &status, 0) == one && status == 0);      /* ERROR */
    close(second[1]);
    assert(waitpid(two, &status, 0) == two && status == 0);
    return 0;
}
