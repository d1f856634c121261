/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "accesses.h"
#include "given.h"

#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/time.h>
#include <time.h>
#include <pthread.h>
#pragma GCC poison malloc calloc free printf

/* ---- which ---- */

#define R(argument, bytes)                       {RT_GIVEN_READS, argument, RT_GIVEN_ONE, 0, bytes, bytes, 0}
#define R_SOME(argument, count, bytes)           {RT_GIVEN_READS, argument, count, 0, bytes, bytes, 0}
#define TEXT(argument)                           {RT_GIVEN_STRING, argument, RT_GIVEN_ONE, 0, 1, 1, 0}
#define W(argument, bytes)                       {RT_GIVEN_WRITES, argument, RT_GIVEN_ONE, RT_GIVEN_UNLESS_NEGATIVE, bytes, bytes, 0}
#define W_IF(argument, bytes, condition)         {RT_GIVEN_WRITES, argument, RT_GIVEN_ONE, RT_GIVEN_##condition, bytes, bytes, 0}
#define W_SOME(argument, count, bytes)           {RT_GIVEN_WRITES, argument, count, RT_GIVEN_UNLESS_NEGATIVE, bytes, bytes, 0}
#define W_RESULT(argument, most, bytes)          {RT_GIVEN_WRITES, argument, most, RT_GIVEN_RESULT, bytes, bytes, 0}
#define FIRST(argument, bytes)                   {RT_GIVEN_FIRST, argument, RT_GIVEN_ONE, 0, bytes, bytes, 0}
#define TIME     sizeof(struct timespec)
#define SIGNALS  8                                       /* bytes of a signal set that are read */
#define JUMP     sizeof(struct __jmp_buf_tag)            /* with the mask: who jumps may be given a copy of it */
#define STAND    8 * 8                                   /* what is written in any case: the registers */

#define GIVEN(X) \
    X(read, W_RESULT(1, 2, 1)) X(__read_chk, W_RESULT(1, 2, 1)) X(recv, W_RESULT(1, 2, 1)) X(__recv_chk, W_RESULT(1, 2, 1)) \
    X(write, R_SOME(1, 2, 1)) X(send, R_SOME(1, 2, 1)) \
    X(clock_gettime, W(1, TIME)) X(gettimeofday, W(0, sizeof(struct timeval))) X(time, W(0, sizeof(time_t))) \
    X(nanosleep, R(0, TIME)) X(clock_nanosleep, R(2, TIME)) X(thrd_sleep, R(0, TIME)) \
    X(wait, W_IF(0, sizeof(int), IF_POSITIVE)) X(waitpid, W_IF(1, sizeof(int), IF_POSITIVE)) \
    X(pipe, W(0, 2 * sizeof(int))) X(pipe2, W(0, 2 * sizeof(int))) X(socketpair, W(3, 2 * sizeof(int))) \
    X(poll, POLLED) X(__poll_chk, POLLED) X(ppoll, POLLED, R(2, TIME), R(3, SIGNALS)) \
    X(select, SELECTED, R(4, sizeof(struct timeval)), W_IF(4, sizeof(struct timeval), IF_ZERO)) X(pselect, SELECTED, R(4, TIME)) \
    X(epoll_ctl, R(3, sizeof(struct epoll_event))) X(epoll_wait, W_RESULT(1, 2, sizeof(struct epoll_event))) \
    X(bind, R_SOME(1, 2, 1)) X(connect, R_SOME(1, 2, 1)) X(setsockopt, R_SOME(3, 4, 1)) \
    X(accept, W_SOME(1, RT_GIVEN_LENGTH, 1), W(2, sizeof(socklen_t))) X(accept4, W_SOME(1, RT_GIVEN_LENGTH, 1), W(2, sizeof(socklen_t))) \
    X(sigaction, R(1, sizeof(struct sigaction)), W(2, sizeof(struct sigaction))) X(sigprocmask, R(1, SIGNALS), W(2, sizeof(sigset_t))) \
    X(pthread_sigmask, R(1, SIGNALS), W_IF(2, sizeof(sigset_t), IF_ZERO)) X(sigwait, R(0, SIGNALS), W_IF(1, sizeof(int), IF_ZERO)) \
    X(sigwaitinfo, R(0, SIGNALS), W(1, sizeof(siginfo_t))) X(sigtimedwait, R(0, SIGNALS), W(1, sizeof(siginfo_t)), R(2, TIME)) \
    X(sigsuspend, R(0, SIGNALS)) X(sigaltstack, R(0, sizeof(stack_t)), W(1, sizeof(stack_t))) \
    X(semop, R_SOME(1, 2, sizeof(struct sembuf))) X(semtimedop, R_SOME(1, 2, sizeof(struct sembuf)), R(3, TIME)) \
    X(msgctl, W(2, sizeof(struct msqid_ds))) X(setitimer, R(1, sizeof(struct itimerval)), W(2, sizeof(struct itimerval))) \
    X(timer_create, R(1, sizeof(struct sigevent)), W(2, sizeof(timer_t))) X(timer_settime, R(2, 2 * TIME), W(3, 2 * TIME)) \
    X(timerfd_settime, R(2, 2 * TIME), W(3, 2 * TIME)) \
    X(pthread_create, FIRST(0, sizeof(pthread_t))) X(thrd_create, FIRST(0, sizeof(pthread_t))) \
    X(pthread_join, W_IF(1, sizeof(void *), IF_ZERO)) X(pthread_tryjoin_np, W_IF(1, sizeof(void *), IF_ZERO)) \
    X(pthread_timedjoin_np, W_IF(1, sizeof(void *), IF_ZERO), R(2, TIME)) X(pthread_clockjoin_np, W_IF(1, sizeof(void *), IF_ZERO), R(3, TIME)) \
    X(thrd_join, W_IF(1, sizeof(int), IF_ZERO)) X(sem_getvalue, W(1, sizeof(int))) \
    X(pthread_key_create, W_IF(0, sizeof(pthread_key_t), IF_ZERO)) X(tss_create, W_IF(0, sizeof(pthread_key_t), IF_ZERO)) \
    X(pthread_setcancelstate, W_IF(1, sizeof(int), IF_ZERO)) X(pthread_setcanceltype, W_IF(1, sizeof(int), IF_ZERO)) \
    X(pthread_getschedparam, W_IF(1, sizeof(int), IF_ZERO), W_IF(2, sizeof(struct sched_param), IF_ZERO)) \
    X(pthread_setschedparam, R(2, sizeof(struct sched_param))) X(sched_getparam, W(1, sizeof(struct sched_param))) \
    X(sched_setparam, R(1, sizeof(struct sched_param))) X(sched_setscheduler, R(2, sizeof(struct sched_param))) \
    X(sched_getaffinity, W_SOME(2, 1, 1)) X(sched_setaffinity, R_SOME(2, 1, 1)) X(pthread_getaffinity_np, W_SOME(2, 1, 1)) \
    X(pthread_setaffinity_np, R_SOME(2, 1, 1)) X(pthread_setname_np, TEXT(1)) X(pthread_getname_np, W_IF(1, 16, IF_ZERO)) \
    X(pthread_getattr_np, W_IF(1, sizeof(pthread_attr_t), IF_ZERO)) X(pthread_getcpuclockid, W_IF(1, sizeof(clockid_t), IF_ZERO)) \
    X(pthread_mutex_init, R(1, sizeof(pthread_mutexattr_t))) X(pthread_cond_init, R(1, sizeof(pthread_condattr_t))) \
    X(pthread_rwlock_init, R(1, sizeof(pthread_rwlockattr_t))) X(pthread_barrier_init, R(1, sizeof(pthread_barrierattr_t))) \
    X(pthread_mutex_timedlock, R(1, TIME)) X(pthread_mutex_clocklock, R(2, TIME)) X(pthread_cond_timedwait, R(2, TIME)) \
    X(pthread_cond_clockwait, R(3, TIME)) X(pthread_rwlock_timedrdlock, R(1, TIME)) X(pthread_rwlock_timedwrlock, R(1, TIME)) \
    X(pthread_rwlock_clockrdlock, R(2, TIME)) X(pthread_rwlock_clockwrlock, R(2, TIME)) \
    X(sem_timedwait, R(1, TIME)) X(sem_clockwait, R(2, TIME)) X(mtx_timedlock, R(1, TIME)) X(cnd_timedwait, R(2, TIME)) \
    X(sem_open, TEXT(0)) X(sem_unlink, TEXT(0)) X(mq_open, TEXT(0)) X(mq_unlink, TEXT(0)) X(shm_open, TEXT(0)) X(shm_unlink, TEXT(0)) \
    X(open, TEXT(0)) X(open64, TEXT(0)) X(openat, TEXT(1)) X(creat, TEXT(0)) X(fopen, TEXT(0), TEXT(1)) X(fopen64, TEXT(0), TEXT(1)) \
    X(freopen, TEXT(0), TEXT(1)) X(fdopen, TEXT(1)) X(unlink, TEXT(0)) X(remove, TEXT(0)) X(chdir, TEXT(0)) \
    X(access, TEXT(0)) X(mkdir, TEXT(0)) X(rmdir, TEXT(0)) X(truncate, TEXT(0)) X(rename, TEXT(0), TEXT(1)) \
    X(longjmp, R(0, JUMP)) X(_longjmp, R(0, JUMP)) X(siglongjmp, R(0, JUMP)) X(__longjmp_chk, R(0, JUMP)) X(__sigsetjmp, FIRST(0, STAND))

#define POLLED   R_SOME(0, 1, sizeof(struct pollfd)), \
                 {RT_GIVEN_WRITES, 0, 1, RT_GIVEN_UNLESS_NEGATIVE, sizeof(short), sizeof(struct pollfd), offsetof(struct pollfd, revents)}
#define SELECTED R_SOME(1, RT_GIVEN_BITS, 8), R_SOME(2, RT_GIVEN_BITS, 8), R_SOME(3, RT_GIVEN_BITS, 8), \
                 W_SOME(1, RT_GIVEN_BITS, 8), W_SOME(2, RT_GIVEN_BITS, 8), W_SOME(3, RT_GIVEN_BITS, 8)

#define DOOR(name, ...) \
    extern const char name##_behind[] __asm__("rt_behind_" #name) __attribute__((visibility("hidden"))); \
    const struct rt_given rt_given_##name __attribute__((visibility("hidden"))) = {name##_behind, {__VA_ARGS__}};
GIVEN(DOOR)

/* ---- the door: %rax says which. What is called from here knows the program's place by rt_caller. ---- */

__asm__(
    ".text\n"
    ".globl rt_given_enter\n.hidden rt_given_enter\n.type rt_given_enter, @function\n"
    "rt_given_enter:\n"
    "    .cfi_startproc\n"
    "    pushq %rbp\n"
    "    .cfi_def_cfa_offset 16\n"
    "    .cfi_offset %rbp, -16\n"
    "    movq %rsp, %rbp\n"
    "    .cfi_def_cfa_register %rbp\n"
    "    subq $144, %rsp\n"
    "    movq %rax, -8(%rbp)\n"
    "    movq %rdi, -96(%rbp)\n    movq %rsi, -88(%rbp)\n    movq %rdx, -80(%rbp)\n"
    "    movq %rcx, -72(%rbp)\n    movq %r8, -64(%rbp)\n     movq %r9, -56(%rbp)\n"
    "    movq %rsp, %rdi\n    movq 8(%rbp), %rsi\n"
    "    call rt_given_room\n"
    "    subq %rax, %rsp\n"
    "    movq %rsp, -16(%rbp)\n"
    "    leaq -144(%rbp), %rdi\n    movq 8(%rbp), %rsi\n"
    "    call rt_given_before\n"
    "    movq -144(%rbp), %rdi\n    movq -136(%rbp), %rsi\n    movq -128(%rbp), %rdx\n"
    "    movq -120(%rbp), %rcx\n    movq -112(%rbp), %r8\n     movq -104(%rbp), %r9\n"
    "    movq -8(%rbp), %r11\n"
    "    testb %al, %al\n"
    "    je 1f\n"
    "    call rt_clear_below\n"
    "    xorl %eax, %eax\n"
    "    call *(%r11)\n"
    ".globl rt_given_back\n.hidden rt_given_back\n"
    "rt_given_back:\n"
    "    leaq -144(%rbp), %rdi\n    movq 8(%rbp), %rsi\n    movq %rax, %rdx\n"
    "    call rt_given_after\n"
    "    leave\n"
    "    .cfi_remember_state\n"
    "    .cfi_def_cfa %rsp, 8\n"
    "    ret\n"
    "    .cfi_restore_state\n"
    "1:  leave\n"
    "    .cfi_def_cfa %rsp, 8\n"
    "    call rt_clear_below\n"
    "    movq $0, -8(%rsp)\n"
    "    xorl %eax, %eax\n"
    "    jmp *(%r11)\n"
    "    .cfi_endproc\n"
    ".size rt_given_enter, .-rt_given_enter\n");

uint64_t rt_given_room(struct rt_given_call *, uint64_t place) __attribute__((visibility("hidden")));
bool     rt_given_before(struct rt_given_call *, uint64_t place) __attribute__((visibility("hidden")));
uint64_t rt_given_after(struct rt_given_call *, uint64_t place, uint64_t result) __attribute__((visibility("hidden")));

/* ---- how much ---- */

enum { ALIGNED = 16, MOST_COPIED = 1 << 20 };

static uint64_t count_of(const struct rt_given_part *p, const struct rt_given_call *c)
{
    uint64_t at = c->args[p->argument];
    switch (p->count) {
    case RT_GIVEN_ONE:    return p->how == RT_GIVEN_STRING ? strlen((const char *)at) + 1 : 1;
    case RT_GIVEN_BITS:   return (uint64_t)(((int64_t)(int32_t)c->args[0] + 63) / 64);
    case RT_GIVEN_LENGTH: return c->args[2] ? *(const socklen_t *)c->args[2] : 0;
    default:              return c->args[p->count];
    }
}

static uint64_t extent_of(const struct rt_given_part *p, const struct rt_given_call *c)
{
    enum { LARGEST = 1 << 30 };
    uint64_t count = c->args[p->argument] ? count_of(p, c) : 0;
    return count < LARGEST ? count * p->stride : 0;              /* a negative number is refused by the function itself */
}

static bool is_there(const struct rt_given_part *p, const struct rt_given_call *c) { return c->args[p->argument] != 0; }

uint64_t rt_given_room(struct rt_given_call *c, uint64_t place)
{
    uint64_t room = 0;
    memcpy(c->now, c->args, sizeof c->now);
    memset(c->copied, 0, sizeof c->copied);
    for (const struct rt_given_part *p = c->given->parts; p->how && rt_of_program(place); p++) {
        uint64_t bytes = extent_of(p, c);
        bool visible = bytes && rt_visible((const void *)c->args[p->argument], bytes);
        if (visible && (p->how == RT_GIVEN_FIRST || bytes > MOST_COPIED))
            rt_accesses_whole(place);
        else if (visible && bytes > c->copied[p->argument])
            c->copied[p->argument] = (uint32_t)bytes;
    }
    for (unsigned i = 0; i < RT_ARGUMENTS; i++)
        room += (c->copied[i] + UINT64_C(2) * ALIGNED - 1) / ALIGNED * ALIGNED * (c->copied[i] > 0);
    return room;
}

/* ---- before and after ---- */

static bool is_read(const struct rt_given_call *c, unsigned argument, bool text)
{
    for (const struct rt_given_part *p = c->given->parts; p->how; p++)
        if (p->argument == argument && (p->how == RT_GIVEN_STRING || (!text && p->how == RT_GIVEN_READS)))
            return true;
    return false;
}

static void copy_arguments(struct rt_given_call *c, uint64_t place)
{
    char *at = c->room;
    for (unsigned i = 0; i < RT_ARGUMENTS; i++) {
        if (!c->copied[i])
            continue;
        if (is_read(c, i, false))
            rt_accesses_copy(at, (const void *)c->args[i], c->copied[i], place);
        else
            memcpy(at, (const void *)c->args[i], c->copied[i]);
        if (is_read(c, i, true))
            at[c->copied[i] - 1] = '\0';                         /* others may have written meanwhile */
        c->now[i] = (uint64_t)at;
        at += (c->copied[i] + 2 * ALIGNED - 1) / ALIGNED * ALIGNED;
    }
}

/* True: there is something to do when the function has returned. */
bool rt_given_before(struct rt_given_call *c, uint64_t place)
{
    bool more = false;
    if (!rt_of_program(place))
        return false;
    copy_arguments(c, place);
    for (const struct rt_given_part *p = c->given->parts; p->how; p++) {
        more |= c->copied[p->argument] > 0 || (p->how == RT_GIVEN_WRITES && is_there(p, c));
        if (p->how != RT_GIVEN_WRITES && !c->copied[p->argument])
            rt_accesses_touch((const void *)c->args[p->argument], (int64_t)extent_of(p, c), p->how == RT_GIVEN_FIRST, place);
    }
    return more;
}

static bool is_written(const struct rt_given_part *p, int32_t result)
{
    if (p->how != RT_GIVEN_WRITES)
        return false;
    return p->written_if == RT_GIVEN_IF_ZERO ? result == 0 : p->written_if == RT_GIVEN_IF_POSITIVE ? result > 0 : result >= 0;
}

static void write_part(const struct rt_given_part *p, const struct rt_given_call *c, uint64_t place, uint64_t count)
{
    uint64_t to = c->args[p->argument] + p->offset, from = c->now[p->argument] + p->offset, bytes = p->bytes;
    if (p->stride == p->bytes) {                                 /* all of them at one go */
        bytes *= count;
        count = count > 0;
    }
    for (uint64_t i = 0; i < count; i++, to += p->stride, from += p->stride)
        if (c->copied[p->argument])
            rt_accesses_copy((void *)to, (const void *)from, bytes, place);
        else
            rt_accesses_touch((const void *)to, (int64_t)bytes, true, place);
}

uint64_t rt_given_after(struct rt_given_call *c, uint64_t place, uint64_t result)
{
    for (const struct rt_given_part *p = c->given->parts; p->how; p++)
        if (is_there(p, c) && is_written(p, (int32_t)result))
            write_part(p, c, place, p->written_if == RT_GIVEN_RESULT ? (uint64_t)(int32_t)result : extent_of(p, c) / p->stride);
    return result;
}
