/* What a thread uses, and the handler of a signal that interrupts it, when nobody else does: 1: it waits for what the handler writes; 2, 3: both add, atomically or not,
 * in two accesses, and one may be lost; 4: the signal is blocked meanwhile; 5: the handler sees half of what is written; 6: as 3, after a jump out of an earlier handler. SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>

static volatile sig_atomic_t came;
static atomic_int n;
static int plain, halves;
static struct { int a, b; } both;
static sigjmp_buf before;

static void add(void)
{
    int x = n;
    n = x + 1;
    plain++;
}

static void handle(int signal)
{
    (void)signal;
    if (WHICH == 1)
        came = 1;
    else if (WHICH == 5)
        halves = both.a != both.b;
    else
        add();
}

static void jump(int signal)
{
    siglongjmp(before, signal);
}

static void *send(void *to)
{
    pthread_kill(*(pthread_t *)to, SIGUSR1);
    return NULL;
}

static void block(int how)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    if (WHICH == 4)
        pthread_sigmask(how, &set, NULL);
}

int main(void)
{
    pthread_t self = pthread_self(), sender;
    signal(SIGUSR1, handle);
    signal(SIGUSR2, jump);
    if (WHICH == 6 && !sigsetjmp(before, 1))
        raise(SIGUSR2);
    pthread_create(&sender, NULL, send, &self);
    block(SIG_BLOCK);
    while (WHICH == 1 && !came)
        ;
    if (WHICH > 1 && WHICH != 5)
        add();
    if (WHICH == 5) {
        both.a = 1;
        both.b = 1;
    }
    block(SIG_UNBLOCK);
    pthread_join(sender, NULL);
    assert(WHICH != 2 && WHICH != 4 || n == 2);
    assert(WHICH != 3 && WHICH != 4 && WHICH != 6 || plain == 2);
    assert(!halves);
    return 0;
}
