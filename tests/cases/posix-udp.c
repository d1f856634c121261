/* expect: complete.  optimal: 2 executions.
 *
 * UDP on the loopback: datagrams keep their bounds and say who sent them; one to nobody is gone, which a socket that is connected is told by its next
 * call. The two of two senders come in either order.
 * SPDX-License-Identifier: MIT */
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct sockaddr_in at(int port)
{
    return (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static int bound(int port)
{
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in a = at(port);
    assert(bind(fd, (struct sockaddr *)&a, sizeof a) == 0);
    return fd;
}

static int receiver, senders[2];

static void to_nobody(void)
{
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in nobody = at(9009);
    struct pollfd p = {fd, POLLIN, 0};
    char got;
    assert(connect(fd, (struct sockaddr *)&nobody, sizeof nobody) == 0 && send(fd, "lost", 4, 0) == 4);
    assert(poll(&p, 1, -1) == 1 && p.revents == POLLERR);
    assert(recv(fd, &got, 1, 0) == -1 && errno == ECONNREFUSED);
    assert(recv(fd, &got, 1, MSG_DONTWAIT) == -1 && errno == EAGAIN);
    assert(send(fd, "lost", 4, 0) == 4 && send(fd, "lost", 4, 0) == -1 && errno == ECONNREFUSED);
    close(fd);
}

static void *send_one(void *argument)
{
    int fd = *(int *)argument;
    struct sockaddr_in a = at(9000);
    assert(sendto(fd, "hello", 5, 0, (struct sockaddr *)&a, sizeof a) == 5);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    struct sockaddr_in from, nobody = at(9009);
    socklen_t bytes = sizeof from;
    char got[16];
    int seen[2] = {0};
    receiver = bound(9000);
    for (int i = 0; i < 2; i++)
        senders[i] = bound(9001 + i);
    assert(sendto(senders[0], "lost", 4, 0, (struct sockaddr *)&nobody, sizeof nobody) == 4);
    to_nobody();
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, send_one, &senders[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 2; i++) {
        assert(recvfrom(receiver, got, sizeof got, 0, (struct sockaddr *)&from, &bytes) == 5 && !memcmp(got, "hello", 5));
        seen[ntohs(from.sin_port) - 9001]++;
    }
    assert(seen[0] == 1 && seen[1] == 1);
    assert(recv(receiver, got, 3, MSG_DONTWAIT) == -1 && errno == EAGAIN);
    from = at(9001);
    assert(connect(receiver, (struct sockaddr *)&from, sizeof from) == 0 && send(receiver, "back", 4, 0) == 4);
    assert(recv(senders[0], got, 3, MSG_TRUNC) == 4 && !memcmp(got, "bac", 3));
    return 0;
}
