/* expect: complete.
 * expect -DFAR: unsupported in process 1.  message: "gethostbyname() (of a host other than localhost)".  searches: auto, optimal.
 *
 * A client that looks its server up by name, as most do that are older than getaddrinfo.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

enum { PORT = 20202 };
static int listener;

static void *serve(void *unused)
{
    int s = accept(listener, NULL, NULL);
    assert(s >= 0 && write(s, "hello", 5) == 5 && !close(s));
    return unused;
}

static void answers(void)
{
    struct hostent *h = gethostbyname("127.1");
    assert(h && !strcmp(h->h_name, "127.1") && !h->h_aliases[0] && h->h_addr_list[0] && !h->h_addr_list[1]);
    assert(*(in_addr_t *)h->h_addr_list[0] == htonl(INADDR_LOOPBACK));
    h = gethostbyname2("::1", AF_INET6);
    assert(h && h->h_addrtype == AF_INET6 && h->h_length == 16 && !memcmp(h->h_addr_list[0], &in6addr_loopback, 16));
    assert(!gethostbyname("::1") && h_errno == HOST_NOT_FOUND);
    errno = 0;
    assert(!gethostbyname2("localhost", AF_UNIX) && h_errno == NO_DATA && errno == EAFNOSUPPORT);
}

static void answers_in_room(void)
{
    struct hostent entry, *h;
    char room[512];
    int why;
    assert(gethostbyname_r("localhost", &entry, room, 4, &h, &why) == ERANGE && !h);
    assert(!gethostbyname_r("10.1.2.3", &entry, room + 1, sizeof room - 1, &h, &why) && h == &entry && !strcmp(inet_ntoa(*(struct in_addr *)h->h_addr), "10.1.2.3"));
    assert(h->h_name > room && h->h_name < room + sizeof room);
    assert(!gethostbyname2_r("::2", AF_INET, &entry, room, sizeof room, &h, &why) && !h && why == HOST_NOT_FOUND);
}

int main(void)
{
#ifdef FAR
    gethostbyname("example.org");                        /* ERROR */
#endif
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(PORT), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    pthread_t server;
    char got[8];
    answers();
    answers_in_room();
    listener = socket(AF_INET, SOCK_STREAM, 0);
    assert(!bind(listener, (struct sockaddr *)&a, sizeof a) && !listen(listener, 1) && !pthread_create(&server, NULL, serve, NULL));
    int s = socket(AF_INET, SOCK_STREAM, 0);
    struct hostent *h = gethostbyname("localhost");
    assert(h && h->h_addrtype == AF_INET && h->h_length == 4 && !strcmp(h->h_name, "localhost"));
    memcpy(&a.sin_addr, h->h_addr_list[0], (size_t)h->h_length);
    assert(!connect(s, (struct sockaddr *)&a, sizeof a) && read(s, got, sizeof got) == 5 && !memcmp(got, "hello", 5));
    return pthread_join(server, NULL);
}
