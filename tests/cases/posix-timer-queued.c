/* expect: complete.
 * expect: assertion in process 1.  options: --timers any.
 *
 * Two timers with one signal, of those that queue up: each sends its own, also while that of the other is pending.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <signal.h>
#include <time.h>

static void set(int seconds)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN, .sigev_value.sival_int = seconds};
    struct itimerspec when = {.it_value.tv_sec = seconds};
    timer_t timer;
    assert(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    assert(timer_settime(timer, 0, &when, NULL) == 0);
}

int main(void)
{
    sigset_t one;
    siginfo_t first, second;
    sigemptyset(&one);
    sigaddset(&one, SIGRTMIN);
    sigprocmask(SIG_BLOCK, &one, NULL);
    set(1);
    set(2);
    assert(sigwaitinfo(&one, &first) == SIGRTMIN && sigwaitinfo(&one, &second) == SIGRTMIN);
    assert(first.si_value.sival_int == 1 && second.si_value.sival_int == 2);     /* ERROR */
    return 0;
}
