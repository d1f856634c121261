/* System calls that a program makes by their number, with the function syscall: what a function of the C library does goes to that function, by which it is
 * controlled, or refused, as if it had been called by its name; what could wait, be seen by others or change what the runtime knows, and has no
 * function that takes the same, is refused; the rest goes to the kernel.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "descriptors.h"
#include "futex.h"
#include "rt.h"
#include "sys.h"
#include "thread.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#pragma GCC poison malloc calloc free printf

/* An argument, as a number or as an address. */
#define I(n) ((int)a[n])
#define L(n) ((size_t)a[n])
#define P(n) ((void *)a[n])

#define BY_FUNCTION(X) \
    X(getpid, getpid()) X(getppid, getppid()) X(gettid, gettid()) X(getpgrp, getpgrp()) X(getpgid, getpgid(I(0))) X(getsid, getsid(I(0))) \
    X(setpgid, setpgid(I(0), I(1))) X(setsid, setsid()) X(getrandom, getrandom(P(0), L(1), (unsigned)a[2])) \
    X(prctl, prctl(I(0), a[1], a[2], a[3], a[4])) X(sched_yield, sched_yield()) \
    X(clock_gettime, clock_gettime((clockid_t)a[0], P(1))) X(time, time(P(0))) X(gettimeofday, gettimeofday(P(0), P(1))) X(times, times(P(0))) \
    X(read, read(I(0), P(1), L(2))) X(readv, readv(I(0), P(1), I(2))) X(write, write(I(0), P(1), L(2))) X(writev, writev(I(0), P(1), I(2))) \
    X(pread64, pread(I(0), P(1), L(2), a[3])) X(pwrite64, pwrite(I(0), P(1), L(2), a[3])) X(lseek, lseek(I(0), a[1], I(2))) \
    X(open, open(P(0), I(1), (mode_t)a[2])) X(openat, openat(I(0), P(1), I(2), (mode_t)a[3])) X(creat, creat(P(0), (mode_t)a[1])) \
    X(close, close(I(0))) X(close_range, close_range((unsigned)a[0], (unsigned)a[1], I(2))) X(dup, dup(I(0))) X(dup2, dup2(I(0), I(1))) \
    X(dup3, dup3(I(0), I(1), I(2))) X(fcntl, fcntl(I(0), I(1), a[2])) X(ioctl, ioctl(I(0), (unsigned long)a[1], a[2])) \
    X(ftruncate, ftruncate(I(0), a[1])) X(fstat, fstat(I(0), P(1))) X(flock, flock(I(0), I(1))) \
    X(sendfile, sendfile(I(0), I(1), P(2), L(3))) X(splice, splice(I(0), P(1), I(2), P(3), L(4), (unsigned)a[5])) \
    X(tee, tee(I(0), I(1), L(2), (unsigned)a[3])) X(vmsplice, vmsplice(I(0), P(1), L(2), (unsigned)a[3])) \
    X(copy_file_range, copy_file_range(I(0), P(1), I(2), P(3), L(4), (unsigned)a[5])) \
    X(pipe, pipe(P(0))) X(pipe2, pipe2(P(0), I(1))) X(socket, socket(I(0), I(1), I(2))) X(socketpair, socketpair(I(0), I(1), I(2), P(3))) \
    X(bind, bind(I(0), P(1), (socklen_t)a[2])) X(listen, listen(I(0), I(1))) X(connect, connect(I(0), P(1), (socklen_t)a[2])) \
    X(accept, accept(I(0), P(1), P(2))) X(accept4, accept4(I(0), P(1), P(2), I(3))) X(shutdown, shutdown(I(0), I(1))) \
    X(getsockname, getsockname(I(0), P(1), P(2))) X(getpeername, getpeername(I(0), P(1), P(2))) \
    X(getsockopt, getsockopt(I(0), I(1), I(2), P(3), P(4))) X(setsockopt, setsockopt(I(0), I(1), I(2), P(3), (socklen_t)a[4])) \
    X(sendto, sendto(I(0), P(1), L(2), I(3), P(4), (socklen_t)a[5])) X(recvfrom, recvfrom(I(0), P(1), L(2), I(3), P(4), P(5))) \
    X(sendmsg, sendmsg(I(0), P(1), I(2))) X(recvmsg, recvmsg(I(0), P(1), I(2))) \
    X(sendmmsg, sendmmsg(I(0), P(1), (unsigned)a[2], I(3))) X(recvmmsg, recvmmsg(I(0), P(1), (unsigned)a[2], I(3), P(4))) \
    X(poll, poll(P(0), L(1), I(2))) X(select, select(I(0), P(1), P(2), P(3), P(4))) \
    X(epoll_create, epoll_create(I(0))) X(epoll_create1, epoll_create1(I(0))) X(epoll_ctl, epoll_ctl(I(0), I(1), I(2), P(3))) \
    X(epoll_wait, epoll_wait(I(0), P(1), I(2), I(3))) X(eventfd, eventfd((unsigned)a[0], 0)) X(eventfd2, eventfd((unsigned)a[0], I(1))) \
    X(timerfd_create, timerfd_create((clockid_t)a[0], I(1))) X(timerfd_settime, timerfd_settime(I(0), I(1), P(2), P(3))) \
    X(timerfd_gettime, timerfd_gettime(I(0), P(1))) X(inotify_init, inotify_init()) X(inotify_init1, inotify_init1(I(0))) \
    X(mmap, (long)mmap(P(0), L(1), I(2), I(3), I(4), a[5])) X(munmap, munmap(P(0), L(1))) X(mprotect, mprotect(P(0), L(1), I(2))) \
    X(memfd_create, memfd_create(P(0), (unsigned)a[1])) \
    X(semget, semget((key_t)a[0], I(1), I(2))) X(semop, semop(I(0), P(1), L(2))) X(semtimedop, semtimedop(I(0), P(1), L(2), P(3))) \
    X(semctl, semctl(I(0), I(1), I(2), a[3])) X(msgget, msgget((key_t)a[0], I(1))) X(msgsnd, msgsnd(I(0), P(1), L(2), I(3))) \
    X(msgrcv, msgrcv(I(0), P(1), L(2), a[3], I(4))) X(msgctl, msgctl(I(0), I(1), P(2))) \
    X(shmget, shmget((key_t)a[0], L(1), I(2))) X(shmat, (long)shmat(I(0), P(1), I(2))) X(shmdt, shmdt(P(0))) X(shmctl, shmctl(I(0), I(1), P(2))) \
    X(nanosleep, nanosleep(P(0), P(1))) X(pause, pause()) X(alarm, alarm((unsigned)a[0])) X(getitimer, getitimer(I(0), P(1))) \
    X(setitimer, setitimer(I(0), P(1), P(2))) X(kill, kill(I(0), I(1))) X(tgkill, tgkill(I(0), I(1), I(2))) X(fork, fork()) \
    X(wait4, wait4(I(0), P(1), I(2), P(3))) X(exit_group, (_exit(I(0)), 0L))

/* In a sharing group also those that change what the runtime knows of files, memory, signals and threads. */
#define ALWAYS_REFUSED(X) \
    X(futex_waitv) X(clone) X(clone3) X(vfork) X(execve) X(execveat) X(exit) X(tkill) X(io_uring_setup) X(io_uring_enter) X(io_setup) X(signalfd) \
    X(signalfd4) X(mq_open) X(userfaultfd) X(rt_sigsuspend) X(rt_sigtimedwait) X(waitid) X(timer_create) X(ptrace) X(process_vm_readv) \
    X(process_vm_writev) X(pidfd_open) X(pidfd_send_signal) X(rt_sigqueueinfo) X(rt_tgsigqueueinfo) X(seccomp) X(sched_setattr) \
    X(sched_setscheduler) X(sched_setparam) X(setpriority) X(fanotify_init)
#define REFUSED_IN_GROUP(X) \
    X(ppoll) X(pselect6) X(epoll_pwait) X(epoll_pwait2) X(preadv) X(pwritev) X(preadv2) X(pwritev2) X(openat2) X(mremap) X(brk) X(clock_nanosleep) \
    X(set_robust_list) X(set_tid_address) X(arch_prctl) X(rt_sigaction) X(rt_sigprocmask) X(rt_sigpending) X(sigaltstack)

static const struct { short number; bool always; const char *name; } numbers[] = {
#define X(name) {SYS_##name, true, "syscall(SYS_" #name ")"},
    ALWAYS_REFUSED(X)
#undef X
#define X(name) {SYS_##name, false, "syscall(SYS_" #name ")"},
    REFUSED_IN_GROUP(X)
#undef X
};

static const char *refused_number(long number, bool in_group)    /* NULL: it is harmless */
{
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (numbers[i].number == number)
            return numbers[i].always || in_group ? numbers[i].name : NULL;
    return NULL;
}

static long call_kernel(long number, const long a[6])
{
    return rt_answer(RT_SYS(number, a[0], a[1], a[2], a[3], a[4], a[5]));
}

RT_INLINE long call_function(long number, const long a[6], bool in_group)
{
    switch (number) {
#define X(name, call) case SYS_##name: return call;
    BY_FUNCTION(X)
#undef X
    }
    const char *words = refused_number(number, in_group);
    if (words)
        RT_REFUSE(words);
    return call_kernel(number, a);
}

/* None of them is a cancellation point. */
RT_INLINE long call_in_group(long number, const long a[6])
{
    if (number == SYS_futex)
        return rt_answer(rt_futex((uint32_t *)a[0], (int)a[1], (uint32_t)a[2], (void *)a[3], (uint32_t)a[5]));
    bool disabled = rt_thread.cancel_disabled;
    rt_thread.cancel_disabled = true;
    long result = call_function(number, a, true);
    rt_thread.cancel_disabled = disabled;
    return result;
}

RT_INLINE long call_alone(long number, const long a[6])
{
    if (number == SYS_futex)
        RT_NEED_GROUP(syscall(SYS_futex));
    return call_function(number, a, false);
}

RT_API long syscall(long number, ...)
{
    va_list rest;
    va_start(rest, number);
    long a[6];
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(rest, long);
    va_end(rest);
    RT_BY_MODE(long, syscall, (), DO(call_kernel(number, a)), DO(call_alone(number, a)), DO(call_in_group(number, a)))
}
