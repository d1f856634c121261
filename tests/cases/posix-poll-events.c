/* expect: complete.
 *
 * What poll says, as the kernel does: bytes and the end of a pipe together, the end alone, a pipe that nobody reads, a
 * descriptor that is closed or negative, a socket whose other side is gone.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <assert.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

static int look(int fd, short events)
{
    struct pollfd p = { .fd = fd, .events = events };
    int ready = poll(&p, 1, 0);
    assert(ready == (p.revents != 0));
    return p.revents;
}

static void pipes(void)
{
    int ends[2];
    char c;
    assert(pipe(ends) == 0);
    assert(look(ends[0], POLLIN) == 0);
    assert(look(ends[1], POLLOUT) == POLLOUT);
    assert(look(-1, POLLIN) == 0);
    assert(write(ends[1], "x", 1) == 1);
    assert(look(ends[0], POLLIN) == POLLIN);
    assert(look(ends[0], 0) == 0);
    close(ends[1]);
    assert(look(ends[0], POLLIN) == (POLLIN | POLLHUP));
    assert(read(ends[0], &c, 1) == 1);
    assert(look(ends[0], POLLIN) == POLLHUP);
    close(ends[0]);
    assert(look(ends[0], POLLIN) == POLLNVAL);
    assert(pipe(ends) == 0);
    close(ends[0]);
    assert(look(ends[1], POLLOUT) == (POLLOUT | POLLERR));
    close(ends[1]);
}

static void sockets(void)
{
    int fds[2];
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0);
    assert(look(fds[0], POLLIN | POLLOUT) == POLLOUT);
    assert(write(fds[1], "x", 1) == 1);
    assert(look(fds[0], POLLIN) == POLLIN);
    close(fds[1]);
    assert(look(fds[0], POLLIN) & POLLIN);
    close(fds[0]);
}

int main(void)
{
    pipes();
    sockets();
    return 0;
}
