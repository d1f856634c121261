/* expect: complete.
 *     verisoft dual-stack.c -pthread
 * expect -DWRONG: assertion.
 *     verisoft dual-stack.c -pthread -DWRONG
 *
 * A server listens at a port of IPv6, and is meant for clients of IPv4, too: these come as ::ffff:127.0.0.1. One client is of each kind. WRONG: the server says
 * IPV6_V6ONLY, as some libraries do unasked, and nobody is there for the client of IPv4.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int listening(void)
{
    struct addrinfo hints = { .ai_family = AF_INET6, .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE }, *here;
    int only = 0;
#ifdef WRONG
    only = 1;
#endif
    assert(getaddrinfo(NULL, "7070", &hints, &here) == 0);
    int fd = socket(here->ai_family, here->ai_socktype, here->ai_protocol);
    setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &only, sizeof only);
    assert(bind(fd, here->ai_addr, here->ai_addrlen) == 0 && listen(fd, 4) == 0);
    freeaddrinfo(here);
    return fd;
}

static void *client(void *host)
{
    struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST }, *there;
    char answer[8];
    assert(getaddrinfo(host, "7070", &hints, &there) == 0);
    int fd = socket(there->ai_family, there->ai_socktype, there->ai_protocol);
    assert(connect(fd, there->ai_addr, there->ai_addrlen) == 0);
    assert(recv(fd, answer, sizeof answer, MSG_WAITALL) == 4);
    close(fd);
    freeaddrinfo(there);
    return NULL;
}

int main(void)
{
    pthread_t clients[2];
    int server = listening(), of_v4 = 0;
    pthread_create(&clients[0], NULL, client, "127.0.0.1");
    pthread_create(&clients[1], NULL, client, "::1");
    for (int i = 0; i < 2; i++) {
        struct sockaddr_in6 who;
        socklen_t bytes = sizeof who;
        int fd = accept(server, (struct sockaddr *)&who, &bytes);
        of_v4 += IN6_IS_ADDR_V4MAPPED(&who.sin6_addr);
        assert(send(fd, "done", 4, 0) == 4);
        close(fd);
    }
    assert(of_v4 == 1);
    for (int i = 0; i < 2; i++)
        pthread_join(clients[i], NULL);
    close(server);
    return 0;
}
