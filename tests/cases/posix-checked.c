/* expect: complete.  optimal: 1 executions.
 * expect -DWRONG: crash in process 1.  errors: crash 1.
 *
 * What a program that is compiled with _FORTIFY_SOURCE calls in place of read, recv and poll: the same, as long as there is room.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <assert.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

ssize_t __read_chk(int, void *, size_t, size_t);
ssize_t __recv_chk(int, void *, size_t, size_t, int);
int     __poll_chk(struct pollfd *, nfds_t, int, size_t);

#ifdef WRONG
enum { ROOM = 3 };
#else
enum { ROOM = 4 };
#endif

int main(void)
{
    int ends[2], status;
    char text[4];
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    if (fork() == 0) {
        struct pollfd wait = {.fd = ends[1], .events = POLLIN};
        assert(__poll_chk(&wait, 1, -1, sizeof wait) == 1 && wait.revents == POLLIN);
        assert(__recv_chk(ends[1], text, 4, sizeof text, 0) == 4 && !memcmp(text, "ping", 4));
        assert(write(ends[1], "pong", 4) == 4);
        _exit(0);
    }
    assert(write(ends[0], "ping", 4) == 4);
    assert(__read_chk(ends[0], text, 4, ROOM) == 4 && !memcmp(text, "pong", 4));        /* ERROR */
    wait(&status);
    return 0;
}
