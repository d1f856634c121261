/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "native/watch.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000ull
enum { STILL_SECONDS = 1, STUCK_SECONDS = 60 };          /* sleeping in a call; in any other state without running */

static const struct { long number; const char *name; } calls[] = {
    {SYS_read, "read()"}, {SYS_readv, "readv()"}, {SYS_pread64, "pread()"}, {SYS_write, "write()"}, {SYS_poll, "poll()"},
    {SYS_ppoll, "ppoll()"}, {SYS_select, "select()"}, {SYS_pselect6, "select()"}, {SYS_epoll_wait, "epoll_wait()"},
    {SYS_epoll_pwait, "epoll_wait()"}, {SYS_accept, "accept()"}, {SYS_accept4, "accept()"}, {SYS_connect, "connect()"},
    {SYS_recvfrom, "recv()"}, {SYS_recvmsg, "recvmsg()"}, {SYS_sendto, "send()"}, {SYS_sendmsg, "sendmsg()"},
    {SYS_open, "open()"}, {SYS_openat, "open()"}, {SYS_flock, "flock()"}, {SYS_fcntl, "fcntl()"}, {SYS_pause, "pause()"},
    {SYS_rt_sigsuspend, "sigsuspend()"}, {SYS_rt_sigtimedwait, "sigwait()"}, {SYS_futex, "a lock of the C library (futex)"},
    {SYS_semop, "semop()"}, {SYS_semtimedop, "semtimedop()"}, {SYS_msgrcv, "msgrcv()"}, {SYS_msgsnd, "msgsnd()"},
    {SYS_mq_timedreceive, "mq_receive()"}, {SYS_mq_timedsend, "mq_send()"}, {SYS_wait4, "wait4()"}, {SYS_waitid, "waitid()"},
    {SYS_nanosleep, "nanosleep()"}, {SYS_clock_nanosleep, "nanosleep()"},
};

static uint64_t nanoseconds(clockid_t clock)
{
    struct timespec t = {0};
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

static uint64_t processor_time(pid_t pid)
{
    clockid_t clock;
    return clock_getcpuclockid(pid, &clock) == 0 ? nanoseconds(clock) : 0;
}

static bool read_proc(pid_t pid, const char *file, char *text, size_t room)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, file);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : read(fd, text, room - 1);
    if (fd >= 0)
        close(fd);
    text[got > 0 ? got : 0] = 0;
    return got > 0;
}

/* S, R, T, ...: the letter after the name in parentheses. */
static char state_of(pid_t pid)
{
    char text[512];
    const char *end = read_proc(pid, "stat", text, sizeof text) ? strrchr(text, ')') : NULL;
    return end && end[1] ? end[2] : 'R';
}

static long call_of(pid_t pid, long *argument)
{
    char text[256], *end;
    if (!read_proc(pid, "syscall", text, sizeof text) || text[0] < '0' || text[0] > '9')
        return -1;
    long number = strtol(text, &end, 10);
    *argument = strtol(end, NULL, 16);
    return number;
}

void watch_begin(struct watch *w, pid_t pid)
{
    *w = (struct watch){.pid = pid, .call = -1};
}

/* Is it in the same place as at the last look, and has it not run since? */
static bool moves(struct watch *w, uint64_t used)
{
    long argument = 0, call = call_of(w->pid, &argument);
    bool still = used - w->used < 2000000 && call == w->call && argument == w->argument;
    w->call = call;
    w->argument = argument;
    return !still;
}

enum finding watch_look(struct watch *w, int limit_seconds)
{
    uint64_t used = processor_time(w->pid), now = nanoseconds(CLOCK_MONOTONIC);
    if (!w->begin) {                 /* so the time before the first look is free: a look costs more than most transitions */
        w->begin = used + 1;
        w->still_since = now;
    }
    if (used + 1 - w->begin >= (uint64_t)limit_seconds * SECOND)
        return FOUND_SPINNING;
    char state = state_of(w->pid);
    if (moves(w, used) || state == 'R' || state == 't')              /* t: somebody debugs it, and has time */
        w->still_since = now;
    w->used = used;
    uint64_t patience = state == 'S' || state == 'T' ? STILL_SECONDS : STUCK_SECONDS;
    return now - w->still_since >= patience * SECOND ? FOUND_BLOCKED : FOUND_NOTHING;
}

static const char *name_of(long call)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (calls[i].number == call)
            return calls[i].name;
    return NULL;
}

void watch_function(const struct watch *w, char *name, size_t room)
{
    const char *known = name_of(w->call);
    if (known)
        snprintf(name, room, "%.*s", (int)strcspn(known, "("), w->call == SYS_futex ? "futex" : known);
    else
        snprintf(name, room, "system call %ld", w->call);
}

void watch_describe(const struct watch *w, char *text, size_t room)
{
    const char *name = name_of(w->call), *input = w->call == SYS_read && w->argument == 0 ? " on standard input" : "";
    const char *advice = "which is not controlled";
    if (state_of(w->pid) == 'T')
        snprintf(text, room, "is stopped by a signal, and nothing will wake it");
    else if (!name)
        snprintf(text, room, "blocks in system call %ld, %s", w->call, advice);
    else
        snprintf(text, room, "blocks in %s%s, %s", name, input, advice);
}
