/* expect: complete.
 *
 * Who ignores a signal forgets those that are pending: for the process, for single threads, and any number of those that queue up. A
 * stack for handlers is given or taken away, not both. What raise() sends looks to sigwaitinfo() as if it came from kill().
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

enum { MANY = 30 };

static void handler(int signal) { (void)signal; }

static int is_pending(int signal)
{
    sigset_t now;
    assert(sigpending(&now) == 0);
    return sigismember(&now, signal);
}

static void *other(void *argument)
{
    pthread_kill(pthread_self(), SIGUSR1);
    kill(getpid(), SIGUSR2);
    assert(is_pending(SIGUSR1) && is_pending(SIGUSR2));
    signal(SIGUSR1, SIG_IGN);
    signal(SIGUSR2, SIG_IGN);
    assert(!is_pending(SIGUSR1) && !is_pending(SIGUSR2));
    return argument;
}

static void forget_many(void)
{
    for (int i = 0; i < MANY; i++)
        assert(sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = i}) == 0);
    assert(is_pending(SIGRTMIN));
    signal(SIGRTMIN, SIG_IGN);
    assert(!is_pending(SIGRTMIN));
}

int main(void)
{
    pthread_t thread;
    sigset_t set, one;
    siginfo_t info;
    static char room[64 << 10];
    stack_t stack = {.ss_sp = room, .ss_size = sizeof room, .ss_flags = SS_DISABLE | SS_ONSTACK};
    assert(sigaltstack(&stack, NULL) == -1 && errno == EINVAL);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    one = set;
    sigaddset(&set, SIGUSR2);
    sigaddset(&set, SIGRTMIN);
    signal(SIGUSR1, handler);
    signal(SIGUSR2, handler);
    signal(SIGRTMIN, handler);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    raise(SIGUSR1);
    assert(sigwaitinfo(&one, &info) == SIGUSR1 && info.si_code == SI_USER && info.si_pid == getpid());
    forget_many();
    pthread_create(&thread, NULL, other, NULL);
    pthread_join(thread, NULL);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    return 0;
}
