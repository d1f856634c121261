/* A function of the C library reads or writes a variable that it was given while another thread uses it: which one, the argument says. What was
 * there before is 0, and -DSAW=1 says that it was seen, -DSAW=2 that something else was.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static union { char bytes[128]; int number, two[2]; long word; struct pollfd poll; struct epoll_event event; struct timespec time; sigset_t set; void *value;
               fd_set files; pthread_key_t key; } it;
static int which, ends[2], child, epoll, gets;
static sem_t sem;
static pthread_t ended;

static void *nothing(void *unused) { (void)unused; return &it; }

static int write_it(void)
{
    sigset_t all;
    switch (which) {
    case 1:  return (int)read(ends[0], it.bytes, 4);
    case 2:  return (int)recv(gets, it.bytes, 4, 0);
    case 3:  return waitpid(child, &it.number, 0);
    case 4:  return wait(&it.number);
    case 5:  return pipe(it.two);
    case 6:  return socketpair(AF_UNIX, SOCK_STREAM, 0, it.two);
    case 7:  it.poll.fd = ends[0], it.poll.events = POLLIN; return poll(&it.poll, 1, -1);
    case 8:  return epoll_wait(epoll, &it.event, 1, -1);
    case 9:  return clock_gettime(CLOCK_REALTIME, &it.time);
    case 10: return sigfillset(&all), sigprocmask(SIG_BLOCK, &all, NULL), sigprocmask(SIG_BLOCK, &all, &it.set);
    case 11: return pthread_join(ended, &it.value);
    case 12: return sem_getvalue(&sem, &it.number);
    case 13: return pthread_key_create(&it.key, NULL), pthread_key_create(&it.key, NULL);
    case 14: return time(&it.word) > 0;
    }
    return 0;
}

static int read_it(void)
{
    switch (which) {
    case 20: return (int)write(ends[1], it.bytes, 4);
    case 21: return sigprocmask(SIG_BLOCK, &it.set, NULL);
    case 22: return open(it.bytes, O_RDONLY);
    case 23: return nanosleep(&it.time, NULL);
    case 24: return (int)send(gets, it.bytes, 4, 0);
    }
    return 0;
}

static void *other(void *unused)
{
    if (which < 20)
        write_it();
    else
        read_it();
    return unused;
}

static void prepare(void)
{
    int both[2];
    struct epoll_event event = {EPOLLIN, {.u64 = 1}};
    if (pipe(ends) || socketpair(AF_UNIX, SOCK_STREAM, 0, both) || write(ends[1], "wxyz", 4) != 4 || send(both[1], "wxyz", 4, 0) != 4)
        exit(2);
    gets = both[0];
    epoll = epoll_create1(0);
    epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event);
    sem_init(&sem, 0, 1);
    if ((which == 3 || which == 4) && (child = fork()) == 0)
        _exit(3);
    if (which == 11)
        pthread_create(&ended, NULL, nothing, NULL);
}

int main(int argc, char **argv)
{
    pthread_t a;
    which = argc > 1 ? atoi(argv[1]) : 1;
    prepare();
    if (which == 5 || which == 6 || which == 7 || which == 10)
        memset(&it, 0, sizeof it);
    pthread_create(&a, NULL, other, NULL);
    if (which < 20) {
        int seen = which == 7 ? it.poll.revents : it.number;
        assert(SAW == 0 || (SAW == 1) == (seen != 0));
    } else {
        it.number = 0;
    }
    pthread_join(a, NULL);
    return 0;
}
