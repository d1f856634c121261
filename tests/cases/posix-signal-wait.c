/* expect: complete.
 * expect -DWRONG: deadlock.
 * expect -DSUSPEND: complete.
 *
 * Waiting for signals: sigwait, sigwaitinfo with what was told, sigtimedwait, which may time out, sigsuspend; a signal that was
 * sent before is not lost. WRONG: one that comes between the look and pause is.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t came;
static void handler(int signal) { came = signal; }

static void *sender(void *argument)
{
#if defined WRONG || defined SUSPEND
    pthread_kill(*(pthread_t *)argument, SIGUSR1);               /* ERROR */
#else
    kill(getpid(), SIGUSR1);
    sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 7});
    sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 8});
#endif
    return argument;
}

int main(void)
{
    pthread_t other, self = pthread_self();
    sigset_t set, old;
    siginfo_t info;
    int got = 0;
    struct timespec moment = {.tv_nsec = 1000};
    signal(SIGUSR1, handler);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGRTMIN);
#ifndef WRONG
    sigprocmask(SIG_BLOCK, &set, &old);
#endif
    pthread_create(&other, NULL, sender, &self);
#if defined WRONG
    while (!came)
        pause();                                                 /* ERROR */
#elif defined SUSPEND
    while (!came)
        assert(sigsuspend(&old) == -1 && errno == EINTR);
    assert(came == SIGUSR1 && sigprocmask(SIG_BLOCK, NULL, &old) == 0 && sigismember(&old, SIGUSR1));
#else
    assert(sigwait(&set, &got) == 0 && got == SIGUSR1);
    assert(sigwaitinfo(&set, &info) == SIGRTMIN && info.si_value.sival_int == 7 && info.si_code == SI_QUEUE);
    got = sigtimedwait(&set, &info, &moment);
    assert(got == SIGRTMIN ? info.si_value.sival_int == 8 && info.si_pid == getpid() : got == -1 && errno == EAGAIN);
    assert(!came);
#endif
    pthread_join(other, NULL);
    (void)info, (void)moment, (void)got, (void)old;
    return 0;
}
