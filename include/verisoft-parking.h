/* vs_park: a driver in C or C++ of which each path gets a copy, by fork, instead of a new start (doc/drivers.md).
 *
 * Whoever calls it says: all that was done until here is in my own memory, and nobody saw it. So a table was read or computed; but no file was written,
 * nobody was spoken to, and neither VERISOFT_PORT nor the time was looked at. It does nothing, and the driver is started anew each time, where
 * a request was made before, where there are other threads, children or open files, where the driver is no direct child of its suite's shell (write `exec`
 * in front of it), in a replay, and without `verisoft test`.
 * SPDX-License-Identifier: MIT */
#ifndef VERISOFT_PARKING_H
#define VERISOFT_PARKING_H

#include "verisoft-driver.h"

#include <dirent.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

/* Has it this name in the folder, and nothing else? The names that stand for what VeriSoft gave it are left out. */
static inline int vs_only(const char *folder, int most, int parking)
{
    DIR *d = opendir(folder);
    int count = 0;
    for (struct dirent *e; d && (e = readdir(d));) {
        int n = atoi(e->d_name);
        count += *e->d_name != '.' && (!most || (n > 2 && n != dirfd(d) && n != parking && n != vs_socket()));
    }
    if (d)
        closedir(d);
    return d && count == !most;
}

/* One thread, no children, no files but those that it was given. */
static inline int vs_is_alone(int parking)
{
    siginfo_t one;
    return vs_only("/proc/self/task", 0, parking) && vs_only("/proc/self/fd", 1, parking)
        && waitid(P_ALL, 0, &one, WEXITED | WNOHANG | WNOWAIT) && errno == ECHILD;
}

static inline int vs_park_say(int parking, long number)
{
    char text[32];
    snprintf(text, sizeof text, "%ld", number);
    return send(parking, text, strlen(text) + 1, MSG_NOSIGNAL) > 0;
}

/* Its next order comes to `text`, and the files to `fds`. Who is told nothing more has no more to do. */
static inline void vs_park_hear(int parking, char *text, size_t room, int fds[2])
{
    union { struct cmsghdr header; char room[CMSG_SPACE(2 * sizeof(int))]; } control;
    struct iovec part = { text, room - 1 };
    struct msghdr m;
    ssize_t n;
    memset(&m, 0, sizeof m);
    m.msg_iov = &part;
    m.msg_iovlen = 1;
    m.msg_control = &control;
    m.msg_controllen = sizeof control;
    while ((n = recvmsg(parking, &m, 0)) < 0 && errno == EINTR)
        ;
    if (n <= 0)
        _exit(0);
    text[n] = '\0';
    fds[0] = fds[1] = -1;
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);
    if (c && c->cmsg_len > CMSG_LEN(0))
        memcpy(fds, CMSG_DATA(c), c->cmsg_len - CMSG_LEN(0));
}

/* In a copy: its parent is gone, so that it is a child of who starts drivers, as the others are. */
static inline void vs_park_leave(int parking, pid_t parent)
{
    while (getppid() == parent)
        sched_yield();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (!vs_park_say(parking, getpid()))
        _exit(0);
    close(parking);
}

/* 1 in a copy; -1: there can be none. What the driver does about its children is left out of it: else nobody could wait for this one. */
static inline int vs_park_copy(int parking)
{
    int status = 1;
    struct sigaction usual, its;
    memset(&usual, 0, sizeof usual);
    usual.sa_handler = SIG_DFL;
    sigaction(SIGCHLD, &usual, &its);
    pid_t between = fork();
    if (between == 0) {
        pid_t self = getpid(), copy = fork();
        if (copy)
            _exit(copy < 0);
        sigaction(SIGCHLD, &its, NULL);
        vs_park_leave(parking, self);
        return 1;
    }
    while (between > 0 && waitpid(between, &status, 0) < 0 && errno == EINTR)
        ;
    sigaction(SIGCHLD, &its, NULL);
    if (status)
        vs_park_say(parking, 0);
    return status ? -1 : 0;
}

static inline void vs_park_put(int fd, int at)
{
    if (fd >= 0)
        dup2(fd, at);
}

static inline void vs_park(void)
{
    const char *number = getenv("VERISOFT_PARKING");
    int parking = number ? atoi(number) : -1, talk = vs_socket(), fds[2];
    char order[32] = "";
    if (parking < 0 || talk < 0 || vs_has_asked || !vs_is_alone(parking) || !vs_park_say(parking, getpid()))
        return;
    unsetenv("VERISOFT_PARKING");
    vs_park_hear(parking, order, sizeof order, fds);
    if (strcmp(order, "yes"))
        return;
    if (vs_park_copy(parking))
        return;
    close(talk);
    dup2(0, 1);
    dup2(0, 2);
    for (;;) {
        vs_park_hear(parking, order, sizeof order, fds);
        int copy = vs_park_copy(parking) > 0;
        if (copy) {
            vs_park_put(fds[0], talk);
            vs_park_put(fds[1], 1);
            vs_park_put(fds[1], 2);
            setenv("VERISOFT_PORT", order, 1);
        }
        for (int i = 0; i < 2; i++)
            if (fds[i] >= 0 && !(copy && fds[i] == talk))
                close(fds[i]);
        if (copy)
            return;
    }
}

#endif
