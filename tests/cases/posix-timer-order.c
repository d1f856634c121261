/* expect: complete.  optimal: 6 executions.
 * expect: assertion in process 1.  options: --timers any.
 *
 * Of two timers the one expires first whose time comes first, unless any order is asked for.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <signal.h>
#include <time.h>

static timer_t make(int signal, int seconds)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = signal, .sigev_value.sival_int = seconds};
    struct itimerspec when = {.it_value.tv_sec = seconds};
    timer_t timer;
    assert(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    assert(timer_settime(timer, 0, &when, NULL) == 0);
    return timer;
}

int main(void)
{
    sigset_t both;
    siginfo_t info;
    struct timespec begin, end;
    sigemptyset(&both);
    sigaddset(&both, SIGUSR1);
    sigaddset(&both, SIGUSR2);
    sigprocmask(SIG_BLOCK, &both, NULL);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    timer_t early = make(SIGUSR1, 10), late = make(SIGUSR2, 20);
    assert(sigwaitinfo(&both, &info) == SIGUSR1);                /* ERROR */
    assert(info.si_code == SI_TIMER && info.si_value.sival_int == 10 && info.si_overrun == 0);
    assert(sigwaitinfo(&both, &info) == SIGUSR2 && info.si_value.sival_int == 20);
    clock_gettime(CLOCK_MONOTONIC, &end);
    assert(end.tv_sec - begin.tv_sec >= 20);
    assert(timer_getoverrun(late) == 0 && timer_delete(early) == 0 && timer_delete(late) == 0);
    assert(timer_delete(late) == -1);
    return 0;
}
