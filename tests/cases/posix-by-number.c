/* expect: complete.
 * expect -DEMPTY: deadlock.
 * expect -DRAW: unsupported in process 1.  message: "syscall(SYS_rt_sigprocmask)".
 * expect -DVIRTUAL: complete.
 *
 * What is done by the number of a system call is as if it were done by the name of its function. SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static int ends[2], pair[2];

static void *writes(void *unused)
{
    char got;
    assert(syscall(SYS_write, ends[1], "x", 1) == 1);
    assert(syscall(SYS_recvfrom, pair[1], &got, 1, 0, NULL, NULL) == 1 && got == 'y');
    return unused;
}

/* syscall is no point of cancellation, whatever it does. */
static void *is_cancelled(void *unused)
{
    assert(pthread_cancel(pthread_self()) == 0);
    assert(syscall(SYS_close, syscall(SYS_dup, ends[0])) == 0);
    ends[0] = -1;
    pthread_testcancel();
    return unused;
}

static void exchange(void)
{
    pthread_t other;
    char got;
    struct pollfd p = {.events = POLLIN};
    assert(syscall(SYS_pipe2, ends, O_CLOEXEC) == 0 && syscall(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    assert(pthread_create(&other, NULL, writes, NULL) == 0);
    p.fd = ends[0];
    assert(syscall(SYS_poll, &p, 1, -1) == 1 && p.revents == POLLIN);
    assert(syscall(SYS_read, ends[0], &got, 1) == 1 && got == 'x');
    assert(syscall(SYS_sendto, pair[0], "y", 1, 0, NULL, 0) == 1);
    pthread_join(other, NULL);
    assert(syscall(SYS_read, 99, &got, 1) == -1 && errno == EBADF);
    void *result;
    assert(pthread_create(&other, NULL, is_cancelled, NULL) == 0 && pthread_join(other, &result) == 0);
    assert(result == PTHREAD_CANCELED && ends[0] == -1);
}

static void with_a_child(void)
{
    int status;
    pid_t child = (pid_t)syscall(SYS_fork);
    if (child == 0)
        syscall(SYS_exit_group, 3);
    assert(syscall(SYS_wait4, child, &status, 0, NULL) == child && WEXITSTATUS(status) == 3);
}

/* The time is that of the program, not of the world. */
static void in_time(void)
{
    struct timespec second = {1, 0};
    struct timeval before, after;
    assert(syscall(SYS_gettimeofday, &before, NULL) == 0 && syscall(SYS_nanosleep, &second, NULL) == 0);
    assert(syscall(SYS_gettimeofday, &after, NULL) == 0 && after.tv_sec == before.tv_sec + 1);
}

int main(void)
{
#if defined EMPTY
    char got;
    syscall(SYS_pipe, ends);
    syscall(SYS_read, ends[0], &got, 1);                         /* ERROR */
#elif defined RAW
    unsigned long none = 0;
    syscall(SYS_pipe, ends);
    syscall(SYS_rt_sigprocmask, SIG_BLOCK, &none, NULL, sizeof none);    /* ERROR */
#elif defined VIRTUAL
    in_time();
#else
    exchange();
    with_a_child();
#endif
    return 0;
}
