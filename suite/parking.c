/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "suite/parking.h"

#include "suite/box.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* By unit; of those that talk to nobody there is none. */
static struct { int socket; pid_t pid; } all[UNITS_OF_BOX];      /* socket 0: none; pid 0: it may still ask */

static void forget(int unit)
{
    if (all[unit].socket)
        close(all[unit].socket);
    all[unit].socket = 0;
    all[unit].pid = 0;
}

int parking_offer(int unit)
{
    int ends[2];
    forget(unit);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
        return -1;
    all[unit].socket = ends[0];
    return ends[1];
}

int parking_waits(struct pollfd *out)
{
    int count = 0;
    for (int i = 0; i < UNITS_OF_BOX; i++)
        if (all[i].socket && !all[i].pid)
            out[count++] = (struct pollfd){ all[i].socket, POLLIN, 0 };
    return count;
}

ssize_t parking_pass(int socket, const void *bytes, size_t length, const int *fds, int count, int flags)
{
    union { struct cmsghdr header; char room[CMSG_SPACE(2 * sizeof(int))]; } control = { 0 };
    struct iovec part = { (void *)bytes, length };
    struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1 };
    assert(count >= 0 && count <= 2);
    if (count) {
        m.msg_control = &control;
        m.msg_controllen = CMSG_SPACE((size_t)count * sizeof(int));
        struct cmsghdr *c = CMSG_FIRSTHDR(&m);
        *c = (struct cmsghdr){ .cmsg_len = CMSG_LEN((size_t)count * sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS };
        memcpy(CMSG_DATA(c), fds, (size_t)count * sizeof(int));
    }
    return sendmsg(socket, &m, MSG_NOSIGNAL | flags);
}

static bool say(int unit, const char *text, const int *fds, int count)
{
    return parking_pass(all[unit].socket, text, strlen(text) + 1, fds, count, MSG_DONTWAIT) > 0;
}

/* A number that it says; -1: it says nothing, and will not. */
static pid_t hear(int unit, int milliseconds)
{
    char text[32] = "";
    struct pollfd p = { all[unit].socket, POLLIN, 0 };
    if (poll(&p, 1, milliseconds) <= 0)
        return -1;
    ssize_t length = recv(all[unit].socket, text, sizeof text - 1, MSG_DONTWAIT);
    return length > 0 ? (pid_t)atoi(text) : -1;
}

/* Of whom is told to make one: 0: it could not. Who does not even say so is no longer parked. */
static pid_t copy_of(int unit)
{
    enum { PATIENCE = 5000 };
    pid_t copy = hear(unit, PATIENCE);
    if (copy >= 0)
        return copy;
    kill(all[unit].pid, SIGKILL);
    forget(unit);
    return 0;
}

/* Only who is the driver itself, and no child of its shell: of that one nobody would hear how it ends. */
bool parking_asks(int socket, const pid_t pids[], int *unit, pid_t *copy)
{
    int i = 0;
    while (i < UNITS_OF_BOX && all[i].socket != socket)
        i++;
    if (i == UNITS_OF_BOX || all[i].pid)
        return false;
    pid_t who = hear(i, 0);
    bool may = who > 0 && pids[i] == who;
    if (may)
        all[i].pid = who;
    if (!may || !say(i, "yes", NULL, 0)) {
        say(i, "no", NULL, 0);
        forget(i);
        return false;
    }
    *unit = i;
    *copy = copy_of(i);
    if (!*copy)
        forget(i);                       /* it goes on by itself, as it would have */
    return *copy;
}

pid_t parking_go(int unit, int port, const int *fds, int count)
{
    char text[16];
    if (unit >= UNITS_OF_BOX || !all[unit].pid)
        return 0;
    snprintf(text, sizeof text, "%d", port);
    return say(unit, text, fds, count) ? copy_of(unit) : 0;
}

bool parking_has(pid_t pid)
{
    for (int i = 0; i < UNITS_OF_BOX; i++)
        if (all[i].pid == pid)
            return true;
    return false;
}

void parking_gone(pid_t pid)
{
    for (int i = 0; i < UNITS_OF_BOX; i++)
        if (all[i].pid == pid)
            forget(i);
}

void parking_close(void)
{
    for (int i = 0; i < UNITS_OF_BOX; i++)
        forget(i);
}
