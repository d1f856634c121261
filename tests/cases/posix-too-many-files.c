/* expect -DFILES: unsupported in process 1.  message: "open() (more files than VeriSoft can control".  searches: optimal.
 * expect -DPLAIN: unsupported in process 1.  message: "open() (more files than VeriSoft can control".  searches: optimal.
 * expect -DSTREAMS: unsupported in process 1.  message: "fopen() (more files than VeriSoft can control".  searches: optimal.
 * expect -DCOPIES: unsupported in process 1.  message: "dup() (more files than VeriSoft can control".  searches: optimal.
 * expect -DHIGH: unsupported in process 1.  message: "fcntl() (more files than VeriSoft can control".  searches: optimal.
 * expect -DOVER: unsupported in process 1.  message: "dup2() (more files than VeriSoft can control".  searches: optimal.
 * expect -DSOCKETS: unsupported in process 1.  message: "socket() (more files than VeriSoft can control".  searches: optimal.
 * expect -DLIMIT: assertion in process 1.  message: "all".  searches: optimal.
 * expect -DLIMIT -DPIPES: assertion in process 1.  message: "all".  searches: optimal.
 * expect -DLIMIT -DPAIRS: assertion in process 1.  message: "all".  searches: optimal.
 * expect -DPACKET=100000: unsupported in process 1.  message: "send() (of a packet of more than 65536 bytes".  searches: optimal.
 * expect -DPACKET=250000: assertion in process 1.  message: "all".  searches: optimal.
 * expect -DMASK: unsupported in process 1.  message: "pselect() (with another signal mask)".  searches: optimal.
 * expect -DHANDLERS: unsupported in process 1.  message: "64 handlers of pthread_atfork".  searches: optimal.
 *
 * What the system would give and VeriSoft has no room for is its limit: a program that was told otherwise would give up, and what it does
 * then would pass for all that it can do. What nobody has, the program does not get. SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MANY = 300 };

static void *nothing(void *argument) { return argument; }
static void handle(void) { }

static int next(int number)          /* one of the things; negative: there is none */
{
    int ends[2];
    sigset_t others;
    static char packet[300000];
    (void)number, (void)packet, (void)ends, (void)others;
#if defined FILES
    return open("/dev/null", O_RDONLY);                          /* ERROR */
#elif defined PLAIN
    return open("/etc/passwd", O_RDONLY);                        /* ERROR */
#elif defined STREAMS
    return fopen("/etc/passwd", "r") ? 0 : -1;                   /* ERROR */
#elif defined PIPES
    return pipe(ends);
#elif defined PAIRS
    return socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
#elif defined COPIES || defined LIMIT
    return dup(1);                                               /* ERROR */
#elif defined HIGH
    return fcntl(1, F_DUPFD, 500);                               /* ERROR */
#elif defined OVER
    return dup2(1, 400);                                         /* ERROR */
#elif defined SOCKETS
    return socket(AF_UNIX, SOCK_STREAM, 0);                      /* ERROR */
#elif defined PACKET
    if (number || socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends))
        return 0;
    return (int)send(ends[0], packet, PACKET, 0);                /* ERROR */
#elif defined MASK
    sigemptyset(&others);
    sigaddset(&others, SIGUSR1);
    return pselect(0, NULL, NULL, NULL, &(struct timespec){0}, &others);         /* ERROR */
#else
    return number < 100 ? -pthread_atfork(handle, NULL, NULL) : 0;
#endif
}

int main(void)
{
    pthread_t thread;
    int got = 0;
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_join(thread, NULL);
#ifdef LIMIT
    struct rlimit few = {20, 20};
    setrlimit(RLIMIT_NOFILE, &few);
#endif
    while (got < MANY && next(got) >= 0)
        got++;
#ifdef HANDLERS
    if (fork() == 0)                                             /* ERROR */
        _exit(0);
#endif
    int all = got == MANY;
    assert(all);                                                 /* ERROR */
    return 0;
}
