/* expect: complete.  searches: optimal, source.
 * expect -DWRONG: deadlock in process 0.  searches: optimal, source.
 *
 * Parent and child send each other more than a pipe can hold. WRONG: both write all of it before they read. Right: the child
 * reads first.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MUCH = 100000, PART = 20000 };

static char data[MUCH];

static void send(int fd)
{
    for (int sent = 0; sent < MUCH; ) {
        ssize_t n = write(fd, data, PART);                       /* ERROR */
        assert(n > 0);
        sent += (int)n;
    }
}

static void receive(int fd)
{
    for (int got = 0; got < MUCH; ) {
        ssize_t n = read(fd, data, PART);
        assert(n > 0);
        got += (int)n;
    }
}

int main(void)
{
    int down[2], up[2], status;
    assert(pipe(down) == 0 && pipe(up) == 0);
    pid_t child = fork();
    if (child == 0) {
#ifdef WRONG
        send(up[1]);
        receive(down[0]);
#else
        receive(down[0]);
        send(up[1]);
#endif
        _exit(0);
    }
    send(down[1]);
    receive(up[0]);
    assert(waitpid(child, &status, 0) == child && status == 0);
    return 0;
}
