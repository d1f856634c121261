/* expect: complete.
 * expect -DWRONG: deadlock.
 *
 * A reader sees the end of a pipe when nobody has its other end open any more. WRONG: the reader itself still has it.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>

static int count(int fd)
{
    char c;
    int bytes = 0;
    ssize_t n;
    while ((n = read(fd, &c, 1)) == 1)                           /* ERROR */
        bytes++;
    assert(n == 0);
    return bytes;
}

int main(void)
{
    int ends[2], status;
    assert(pipe(ends) == 0);
    pid_t child = fork();
    if (child == 0) {
#ifndef WRONG
        close(ends[1]);
#endif
        _exit(count(ends[0]) == 2 ? 0 : 1);
    }
    close(ends[0]);
    assert(write(ends[1], "ab", 2) == 2);
    close(ends[1]);
    assert(waitpid(child, &status, 0) == child && status == 0);  /* ERROR */
    return 0;
}
