/* expect: complete.
 * expect -DBLOCKED: unsupported in process 1.  message: "swapcontext() (while signals are blocked)".  searches: auto, optimal.
 *
 * kill takes the number of a thread for that of its process: any thread that does not block the signal may get it. Contexts are exchanged as ever where
 * nothing is blocked; BLOCKED: else nobody puts back what was.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

static sigset_t usr1;
static volatile pthread_t got_it;
static pid_t number;
static pthread_barrier_t both;
static ucontext_t here, there;
static char stack[65536];
static int turns;

static void handler(int signal)
{
    (void)signal;
    got_it = pthread_self();
}

static void *blocks(void *unused)
{
    number = gettid();
    pthread_barrier_wait(&both);
    pthread_barrier_wait(&both);
    return unused;
}

static void *listens(void *unused)
{
    sigset_t open;
    sigemptyset(&open);
    while (!got_it)
        sigsuspend(&open);
    return unused;
}

static void turn(void) { turns++; }

static void exchange(void)
{
    getcontext(&there);
    there.uc_stack = (stack_t){ .ss_sp = stack, .ss_size = sizeof stack };
    there.uc_link = &here;
    makecontext(&there, turn, 0);
    swapcontext(&here, &there);                                 /* ERROR */
    assert(turns == 1);
}

int main(void)
{
    pthread_t first, second;
    exchange();
    sigemptyset(&usr1);
    sigaddset(&usr1, SIGUSR1);
    signal(SIGUSR1, handler);
    pthread_sigmask(SIG_BLOCK, &usr1, NULL);
    pthread_barrier_init(&both, NULL, 2);
    pthread_create(&first, NULL, blocks, NULL);
    pthread_barrier_wait(&both);
    pthread_create(&second, NULL, listens, NULL);
    assert(number != getpid() && kill(number, SIGUSR1) == 0);
    pthread_join(second, NULL);
    assert(pthread_equal(got_it, second));
    pthread_barrier_wait(&both);
    pthread_join(first, NULL);
#ifdef BLOCKED
    swapcontext(&here, &there);                                 /* ERROR */
#endif
    return 0;
}
