/* expect: complete.
 * expect -DEXIT: complete.
 * expect -DJUMP: complete.
 * expect -DFAULT: complete.
 * expect -DFAULT_EXIT: complete.
 * expect -DREPAIR: complete.
 * expect -DSTACK: complete.
 * expect -DNOTHING: crash.  message: "SIGUSR1".
 *
 * Handlers that return, exit, jump out, repair a fault, run on a stack of their own; once, nested, with what is blocked meanwhile. What
 * they leave behind goes back with memory. NOTHING: nobody handles the signal.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile sig_atomic_t handled, depth, deepest;
static sigjmp_buf back;
static char *volatile page;
static char stack[64 << 10];

static int is_blocked(int signal)
{
    sigset_t now;
    sigprocmask(SIG_BLOCK, NULL, &now);
    return sigismember(&now, signal);
}

static void handler(int signal, siginfo_t *info, void *context)
{
    char here;
    handled++;
    depth++;
    deepest = depth > deepest ? depth : deepest;
    assert(signal == info->si_signo && context);
#if defined EXIT || defined FAULT_EXIT
    _exit(0);
#elif defined JUMP || defined FAULT
    assert(is_blocked(signal));
    siglongjmp(back, 1);
#elif defined REPAIR
    mprotect(page, 4096, PROT_READ | PROT_WRITE);
#elif defined STACK
    assert(&here >= stack && &here < stack + sizeof stack);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
#else
    assert(info->si_pid == getpid() && is_blocked(SIGUSR1));
    if (signal == SIGUSR1 && handled == 1) {
        raise(SIGUSR1);                                          /* comes when this one has returned */
        raise(SIGUSR2);                                          /* comes at once */
    }
#endif
    (void)here;
    depth--;
}

static void *beside(void *argument)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void)
{
    pthread_t other;
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_ONSTACK}, now;
    stack_t for_handlers = {.ss_sp = stack, .ss_size = sizeof stack};
    (void)for_handlers, (void)page;
    pthread_create(&other, NULL, beside, NULL);
#ifndef NOTHING
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGSEGV, &action, NULL);
    sigaddset(&action.sa_mask, SIGUSR1);
    action.sa_flags |= SA_RESETHAND;
    sigaction(SIGUSR2, &action, NULL);
#endif
#if defined EXIT
    raise(SIGUSR1);
    abort();
#elif defined JUMP
    for (volatile int i = 0; i < 2; i++)
        if (!sigsetjmp(back, 1))
            raise(SIGUSR1);
    assert(handled == 2 && !is_blocked(SIGUSR1));
#elif defined FAULT
    for (volatile int i = 0; i < 2; i++)
        if (!sigsetjmp(back, 1))
            *(volatile int *)0 = 1;
    assert(handled == 2 && !is_blocked(SIGSEGV));
#elif defined FAULT_EXIT
    memset(page, 1, 10);
    abort();
#elif defined REPAIR
    page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(page, 4096, PROT_READ);
    *page = 1;
    assert(handled == 1 && *page == 1);
#elif defined STACK
    assert(sigaltstack(&for_handlers, NULL) == 0);
    raise(SIGUSR1);
    assert(handled == 1);
#else
    raise(SIGUSR1);                                              /* ERROR */
    assert(handled == 3 && depth == 0 && deepest == 2 && !is_blocked(SIGUSR1));
#endif
    sigaction(SIGUSR2, NULL, &now);
    pthread_join(other, NULL);
    return 0;
}
