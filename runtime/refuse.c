/* Calls that would take a process out of control: under the controller each is an error with its place in the source,
 * otherwise the C library's own function is called.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "rt.h"
#include "sys.h"

#include <errno.h>
#include <stdarg.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

/* New programs; time; signals; files and the network as the kernel has them; what looks into another process. */
#define REFUSED(X) \
    X(execl) X(execlp) X(execle) X(execv) X(execvp) X(execve) X(execvpe) X(execveat) X(fexecve) X(system) X(popen) \
    X(posix_spawn) X(posix_spawnp) X(clone) X(daemon) X(forkpty) X(unshare) X(setns) \
    X(alarm) X(ualarm) X(setitimer) X(timer_create) X(timerfd_create) \
    X(killpg) X(sigqueue) X(sigwait) X(sigwaitinfo) X(sigtimedwait) X(sigsuspend) X(sigpause) X(__sigpause) X(pause) X(signalfd) \
    X(epoll_create) X(epoll_create1) X(eventfd) X(inotify_init) X(inotify_init1) X(fanotify_init) \
    X(flock) X(lockf) X(lockf64) X(mkfifo) X(mkfifoat) X(openpty) X(posix_openpt) X(getpt) X(getpass) X(tcdrain) \
    X(aio_read) X(aio_write) X(aio_suspend) X(aio_fsync) X(lio_listio) X(aio_read64) X(aio_write64) X(aio_suspend64) \
    X(aio_fsync64) X(lio_listio64) X(splice) X(tee) X(vmsplice) X(recvmmsg) X(sendmmsg) X(mq_notify) \
    X(getaddrinfo) X(getaddrinfo_a) X(gethostbyname) X(gethostbyname2) X(gethostbyaddr) X(gethostbyname_r) X(gethostbyname2_r) \
    X(gethostbyaddr_r) X(rcmd) X(rexec) X(ruserok) X(process_vm_readv) X(process_vm_writev) X(ptrace) X(pidfd_open) \
    X(pidfd_send_signal) X(pidfd_getfd)

long rt_refused(const char *name);
__attribute__((used)) long rt_refused(const char *name)
{
    struct rt_call call = {.event = EVENT_REFUSE, .text = name};
    RT_ENTER(&call);
    return -1;
}

/* In assembly because the arguments, whatever they are, must reach the C library's function untouched: a jump there, or to
 * rt_refused, which then seems to be called by the program itself. */
#define X(name) \
    __asm__(".text\n.globl " #name "\n.type " #name ", @function\n" \
            #name ":\n" \
            "    .cfi_startproc\n" \
            "    leaq 2f(%rip), %r11\n" \
            "    cmpl $0, rt_mode(%rip)\n" \
            "    je rt_pass_on\n" \
            "    movq %r11, %rdi\n" \
            "    jmp rt_refused\n" \
            "    .cfi_endproc\n" \
            ".size " #name ", .-" #name "\n" \
            ".section .rodata\n2: .asciz \"" #name "\"\n.text\n");
REFUSED(X)
#undef X

__asm__(".text\n.globl rt_pass_on\n.hidden rt_pass_on\n.type rt_pass_on, @function\n"
        "rt_pass_on:\n"
        "    pushq %rax\n    pushq %rdi\n    pushq %rsi\n    pushq %rdx\n    pushq %rcx\n    pushq %r8\n    pushq %r9\n"
        "    movq %r11, %rdi\n"
        "    call rt_next\n"
        "    movq %rax, %r11\n"
        "    popq %r9\n    popq %r8\n    popq %rcx\n    popq %rdx\n    popq %rsi\n    popq %rdi\n    popq %rax\n"
        "    jmp *%r11\n"
        ".size rt_pass_on, .-rt_pass_on\n");

/* ---- system calls by number ---- */

/* Those that could wait, or let others see something. In a group also those that change what the runtime knows of files and memory. */
#define ALWAYS_REFUSED(X) \
    X(futex) X(futex_waitv) X(clone) X(clone3) X(fork) X(vfork) X(execve) X(execveat) X(exit) X(exit_group) X(kill) X(tkill) X(tgkill) \
    X(io_uring_setup) X(io_uring_enter) X(io_setup) X(epoll_create) X(epoll_create1) X(eventfd) X(eventfd2) X(timerfd_create) \
    X(signalfd) X(signalfd4) X(inotify_init) X(inotify_init1) X(pipe) X(pipe2) X(socket) X(socketpair) X(mq_open) X(semget) \
    X(semop) X(semtimedop) X(msgget) X(msgsnd) X(msgrcv) X(shmget) X(shmat) X(userfaultfd) X(pause) X(rt_sigsuspend) \
    X(rt_sigtimedwait) X(wait4) X(waitid) X(flock) X(alarm) X(setitimer) X(timer_create) X(ptrace) X(process_vm_readv) \
    X(process_vm_writev) X(pidfd_open) X(pidfd_send_signal) X(rt_sigqueueinfo)
#define REFUSED_IN_GROUP(X) \
    X(poll) X(ppoll) X(select) X(pselect6) X(read) X(readv) X(write) X(writev) X(close) X(dup) X(dup2) X(dup3) X(open) X(openat) \
    X(mmap) X(munmap) X(mremap) X(brk) X(mprotect) X(memfd_create) X(nanosleep) X(clock_nanosleep) X(set_robust_list)

static const struct { short number; bool always; const char *name; } numbers[] = {
#define X(name) {SYS_##name, true, "syscall(SYS_" #name ")"},
    ALWAYS_REFUSED(X)
#undef X
#define X(name) {SYS_##name, false, "syscall(SYS_" #name ")"},
    REFUSED_IN_GROUP(X)
#undef X
};

static const char *refused_number(long number)           /* NULL: it is harmless */
{
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (numbers[i].number == number)
            return numbers[i].always || rt_in_group() ? numbers[i].name : NULL;
    return NULL;
}

static bool is_output(long number, long fd) { return (number == SYS_write || number == SYS_writev) && (fd == 1 || fd == 2); }

RT_API long syscall(long number, ...)
{
    va_list rest;
    va_start(rest, number);
    long a[6];
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(rest, long);
    va_end(rest);
    if (rt_controlled()) {
        switch (number) {
        case SYS_getpid:        return getpid();
        case SYS_getppid:       return getppid();
        case SYS_gettid:        return gettid();
        case SYS_getrandom:     return getrandom((void *)a[0], (size_t)a[1], (unsigned)a[2]);
        case SYS_clock_gettime: return clock_gettime((clockid_t)a[0], (struct timespec *)a[1]);
        }
        struct rt_call call = {.event = EVENT_REFUSE, .text = refused_number(number)};
        if (call.text && !is_output(number, a[0]))
            RT_ENTER(&call);
    }
    long result = RT_SYS(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    if (result >= 0 || result < -4095)
        return result;
    errno = (int)-result;
    return -1;
}
