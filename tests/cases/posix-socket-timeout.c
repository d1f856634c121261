/* expect: complete.
 * expect -DWRONG: assertion in process 1.
 * expect -DBELL: complete.
 *
 * SO_RCVTIMEO and SO_SNDTIMEO: who waits for longer gets EAGAIN, of pairs, of datagrams and of accept, and is not restarted after a signal. WRONG: it always comes in
 * time. BELL: a timer that rings first does ring first.
 * SPDX-License-Identifier: MIT */
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

static int ends[2];
static volatile sig_atomic_t rang;

static void ring(int number) { rang = number; }

static void *writer(void *unused)
{
    assert(send(ends[1], "x", 1, 0) == 1);
    return unused;
}

static int limited(int domain, int kind, int seconds)
{
    struct timeval most = { seconds, 0 };
    int fd = socket(domain, kind, 0);
    assert(fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most) == 0);
    return fd;
}

int main(void)
{
    struct timeval most = { 5, 0 }, wrong = { 0, 1000000 };
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons(7171) };
    char byte;
    pthread_t t;
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    assert(setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &wrong, sizeof wrong) == -1 && errno == EDOM);
    assert(setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &most, 1) == -1 && errno == EINVAL);
    assert(setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most) == 0);
#ifdef BELL
    struct sigaction a = { .sa_handler = ring, .sa_flags = SA_RESTART };
    sigaction(SIGALRM, &a, NULL);
    alarm(1);
    errno = 0;
    ssize_t got = recv(ends[0], &byte, 1, 0);
    assert(rang && got == -1 && (errno == EINTR || errno == EAGAIN));     /* before the wait, or in it */
    (void)t, (void)at, (void)writer, (void)limited;
#else
    (void)ring, (void)rang;
    assert(pthread_create(&t, NULL, writer, NULL) == 0);
    ssize_t got = recv(ends[0], &byte, 1, 0);
# ifdef WRONG
    assert(got == 1);            /* ERROR */
# else
    assert(got == 1 || (got == -1 && errno == EAGAIN));
# endif
    assert(pthread_join(t, NULL) == 0);
    int udp = limited(AF_INET, SOCK_DGRAM, 1), tcp = limited(AF_INET, SOCK_STREAM, 1);
    assert(bind(udp, (struct sockaddr *)&at, sizeof at) == 0 && bind(tcp, (struct sockaddr *)&at, sizeof at) == 0 && listen(tcp, 1) == 0);
    assert(recv(udp, &byte, 1, 0) == -1 && errno == EAGAIN);
    assert(accept(tcp, NULL, NULL) == -1 && errno == EAGAIN);
#endif
    return 0;
}
