/* expect: complete.  optimal: 3 executions.
 * expect -DSEEN: assertion in process 1.  options: --overruns 1.
 *
 * A timer that repeats, by setitimer and by timer_create. SEEN: it may expire again before anybody has seen it.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>

int main(void)
{
    sigset_t set;
    int signal;
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    sigprocmask(SIG_BLOCK, &set, NULL);
#ifdef SEEN
    struct itimerspec every = {{1, 0}, {1, 0}};
    timer_t timer;
    assert(timer_create(CLOCK_REALTIME, NULL, &timer) == 0 && timer_settime(timer, 0, &every, NULL) == 0);
    assert(sigwait(&set, &signal) == 0 && signal == SIGALRM);
    assert(timer_getoverrun(timer) == 0);                        /* ERROR */
#else
    struct itimerval every = {{1, 0}, {2, 500000}}, now, off = {0};
    assert(setitimer(ITIMER_REAL, &every, NULL) == 0);
    assert(sigwait(&set, &signal) == 0 && signal == SIGALRM);
    assert(sigwait(&set, &signal) == 0 && signal == SIGALRM);
    assert(getitimer(ITIMER_REAL, &now) == 0 && now.it_interval.tv_sec == 1);
    assert(setitimer(ITIMER_REAL, &off, &now) == 0 && now.it_interval.tv_sec == 1);
    assert(getitimer(ITIMER_REAL, &now) == 0 && now.it_interval.tv_sec == 0 && now.it_value.tv_sec == 0);
#endif
    return 0;
}
