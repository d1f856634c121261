/* Calls that would take a process out of control: under the controller each is an error with its place in the source,
 * otherwise the C library's own function is called.
 * SPDX-License-Identifier: MIT */
#include "rt.h"

#define REFUSED(X) \
    X(execl) X(execlp) X(execle) X(execv) X(execvp) X(execve) X(execvpe) X(execveat) X(fexecve) X(system) X(popen) \
    X(posix_spawn) X(posix_spawnp) X(vfork) X(clone) X(daemon) X(forkpty) X(pthread_create) X(thrd_create) \
    X(shmat) X(semop) X(semtimedop) X(msgget) X(msgsnd) X(msgrcv) X(msgctl) X(wait3) X(wait4) X(waitid) \
    X(shm_open) X(mq_open) X(sem_open) X(pipe) X(pipe2) X(socket) X(socketpair) X(eventfd) X(timerfd_create) \
    X(alarm) X(ualarm) X(setitimer) X(timer_create) X(killpg) X(sigqueue)

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
