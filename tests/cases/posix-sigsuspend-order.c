/* expect: complete.
 * expect -DTIMERS: complete.
 *
 * Signals of one kind that queue up come in the order in which they were sent, also when the second is sent while sigsuspend has begun, and has not
 * taken the first yet. TIMERS: they come from timers, in the order of their times.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <signal.h>
#include <stddef.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t came;

static void handle(int signal, siginfo_t *info, void *context)
{
    (void)signal, (void)context;
    assert(info->si_value.sival_int == came + 1);
    came = came + 1;
}

static void send(int number)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN, .sigev_value.sival_int = number};
    struct itimerspec when = {.it_value.tv_sec = number};
    timer_t timer;
    assert(!timer_create(CLOCK_MONOTONIC, &event, &timer) && !timer_settime(timer, 0, &when, NULL));
}

int main(void)
{
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
    sigset_t blocked, old;
    pid_t self = getpid();
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGRTMIN);
    sigprocmask(SIG_BLOCK, &blocked, &old);
    sigaction(SIGRTMIN, &action, NULL);
#ifdef TIMERS
    (void)self;
    send(1);
    send(2);
#else
    (void)send;
    if (fork() == 0) {
        for (int i = 1; i <= 2; i++)
            sigqueue(self, SIGRTMIN, (union sigval){.sival_int = i});
        _exit(0);
    }
#endif
    while (came < 2)
        sigsuspend(&old);
#ifndef TIMERS
    wait(NULL);
#endif
}
