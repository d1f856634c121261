/* expect: complete.
 * expect -DSTAYS: deadlock.
 *
 * Who asks poll or epoll for nothing is told all the same when the other end is gone, and waits for that; data is nothing to it. A
 * connection that is closed with something unread in it fails once. STAYS: the other end is closed by one of two who have it.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* A child that writes a byte, then lets go of its end. */
static void child(int keeps, int closes)
{
    if (fork())
        return;
    close(closes);
    assert(write(keeps, "x", 1) == 1);
    close(keeps);
    _exit(0);
}

static short waits_for(int fd, short events)
{
    struct pollfd f = {fd, events, 0};
    assert(poll(&f, 1, -1) == 1);
    return f.revents;
}

static short now(int fd, short events)
{
    struct pollfd f = {fd, events, 0};
    assert(poll(&f, 1, 0) == (f.revents != 0));
    return f.revents;
}

static void pipes(void)
{
    int p[2];
    assert(!pipe(p));
    child(p[1], p[0]);
    close(p[1]);
    assert(waits_for(p[0], 0) == POLLHUP && waits_for(p[0], POLLIN) == (POLLIN | POLLHUP) && !close(p[0]));
    wait(NULL);
    assert(!pipe(p) && !now(p[0], POLLOUT) && !now(p[1], POLLIN));
    if (!fork())
        _exit(close(p[0]));
    close(p[0]);
    assert(waits_for(p[1], 0) == POLLERR);
    wait(NULL);
    close(p[1]);
}

static void sockets(void)
{
    int s[2];
    char bytes[4];
    assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, s));
    child(s[1], s[0]);
    close(s[1]);
    struct epoll_event ev = {.events = 0}, got;
    int set = epoll_create1(0);
    assert(!epoll_ctl(set, EPOLL_CTL_ADD, s[0], &ev) && epoll_wait(set, &got, 1, -1) == 1 && got.events == EPOLLHUP && !close(set));
    assert(waits_for(s[0], POLLRDHUP) == (POLLRDHUP | POLLHUP) && now(s[0], POLLIN) == (POLLIN | POLLHUP));
    assert(read(s[0], bytes, 4) == 1 && read(s[0], bytes, 4) == 0 && !close(s[0]));
    wait(NULL);

    assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, s) && !shutdown(s[1], SHUT_WR) && now(s[0], POLLRDHUP) == POLLRDHUP && !now(s[0], 0));
    if (!fork())
        _exit(close(s[1]));
    close(s[1]);
    assert(waits_for(s[0], 0) == POLLHUP && !close(s[0]));
    wait(NULL);

    assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, s));
    if (!fork())
        _exit(close(s[0]) || shutdown(s[1], SHUT_WR) || close(s[1]));
    close(s[1]);
    assert(waits_for(s[0], 0) == POLLHUP && !close(s[0]));
    wait(NULL);

    assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, s) && write(s[0], "ab", 2) == 2 && write(s[1], "c", 1) == 1 && !close(s[1]));
    assert(read(s[0], bytes, 4) == 1 && read(s[0], bytes, 4) == -1 && errno == ECONNRESET && read(s[0], bytes, 4) == 0);
    assert(send(s[0], "d", 1, MSG_NOSIGNAL) == -1 && errno == EPIPE && !close(s[0]));
}

static void ports(void)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(23457), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int one = 1, there, listener = socket(AF_INET, SOCK_STREAM, 0), s = socket(AF_INET, SOCK_STREAM, 0);
    socklen_t bytes = sizeof one;
    char byte;
    assert(!setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) && !bind(listener, (struct sockaddr *)&a, sizeof a) && !listen(listener, 3));
    one = 0;
    assert(!getsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, &bytes) && one == 1 && !now(listener, POLLIN | POLLOUT));
    assert(!connect(s, (struct sockaddr *)&a, sizeof a) && now(listener, POLLIN | POLLOUT) == POLLIN);
    int other = accept(listener, NULL, NULL);
    assert(other >= 0 && send(s, "abc", 3, 0) == 3 && !ioctl(other, FIONREAD, &there) && !close(other));
    assert(recv(s, &byte, 1, 0) == -1 && errno == ECONNRESET && recv(s, &byte, 1, 0) == 0 && send(s, "x", 1, MSG_NOSIGNAL) == -1 && errno == EPIPE);
    close(s);
    close(listener);
}

int main(void)
{
#ifdef STAYS
    int p[2];
    assert(!pipe(p));
    if (!fork()) {
        struct pollfd f = {p[0], 0, 0};
        close(p[1]);
        poll(&f, 1, -1);             /* ERROR */
        _exit(0);
    }
    if (!fork())
        _exit(close(p[1]));
    while (wait(NULL) > 0)           /* ERROR */
        ;
#else
    pipes();
    sockets();
    ports();
#endif
    return 0;
}
