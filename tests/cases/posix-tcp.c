/* expect: complete.
 *
 * TCP on the loopback: connecting before anybody listens is refused, ports are told, the end of a connection is seen, and a reset where
 * something was not read; the port is free again afterwards.
 * SPDX-License-Identifier: MIT */
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

static struct sockaddr_in at(int port)
{
    return (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static int listening(int port)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;
    struct sockaddr_in a = at(port);
    assert(setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) == 0);
    assert(bind(fd, (struct sockaddr *)&a, sizeof a) == 0);
    struct sockaddr_in b = at(port);
    int other = socket(AF_INET, SOCK_STREAM, 0);
    assert(bind(other, (struct sockaddr *)&b, sizeof b) == -1 && errno == EADDRINUSE);
    close(other);
    assert(listen(fd, 2) == 0);
    return fd;
}

static void *client(void *argument)
{
    struct sockaddr_in a = at(7000), own;
    socklen_t bytes = sizeof own;
    char got[4];
    int fd = socket(AF_INET, SOCK_STREAM, IPPROTO_TCP);
    assert(connect(fd, (struct sockaddr *)&a, sizeof a) == 0);
    assert(getsockname(fd, (struct sockaddr *)&own, &bytes) == 0 && own.sin_family == AF_INET && own.sin_port != 0);
    assert(getpeername(fd, (struct sockaddr *)&own, &bytes) == 0 && ntohs(own.sin_port) == 7000);
    assert(write(fd, "abc", 3) == 3);
    shutdown(fd, SHUT_WR);
    assert(read(fd, got, 4) == 2);
    assert(read(fd, got, 4) == -1 && errno == ECONNRESET);
    close(fd);
    return argument;
}

int main(void)
{
    struct sockaddr_in a = at(7000), peer;
    socklen_t bytes = sizeof peer;
    pthread_t thread;
    char got[2];
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert(connect(fd, (struct sockaddr *)&a, sizeof a) == -1 && errno == ECONNREFUSED);
    close(fd);
    signal(SIGPIPE, SIG_IGN);
    int listener = listening(7000);
    pthread_create(&thread, NULL, client, NULL);
    int one = accept(listener, (struct sockaddr *)&peer, &bytes);
    assert(one >= 0 && bytes == sizeof peer && peer.sin_family == AF_INET && peer.sin_port != 0);
    assert(setsockopt(one, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int)) == 0);
    assert(read(one, got, 1) == 1 && got[0] == 'a');
    assert(write(one, "xy", 2) == 2);
    close(one);                                                  /* "bc" was not read */
    pthread_join(thread, NULL);
    close(listener);
    close(listening(7000));
    return 0;
}
