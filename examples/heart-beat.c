/* expect: complete.
 *     verisoft heart-beat.c
 * expect -DWRONG: assertion in process 1.
 *     verisoft heart-beat.c -DWRONG
 *
 * The heart-beat monitor of a telephone switch, with the timers of the operating system. An element of the switch is a UNIX process, which
 * says by a beat in a pipe, once a second, that it is alive (setitimer). The monitor waits for the next beat, but not for longer than three
 * seconds (timerfd, poll); then it takes the element for dead, ends it, and tells the operator.
 *
 * Both can be there when the monitor looks: the beat, and the end of its patience. WRONG: it looks at its timer first, and ends an element whose beat
 * has come in time.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef ROUNDS
#define ROUNDS 2
#endif
enum { PERIOD = 1, PATIENCE = 3 };                               /* seconds */

/* ---- the element ---- */

static void element(int beats)
{
    struct itimerval every = { { PERIOD, 0 }, { PERIOD, 0 } };
    sigset_t ticks;
    int signal;
    sigemptyset(&ticks);
    sigaddset(&ticks, SIGALRM);
    sigprocmask(SIG_BLOCK, &ticks, NULL);
    setitimer(ITIMER_REAL, &every, NULL);
    for (int i = 0; i < ROUNDS; i++) {
        sigwait(&ticks, &signal);
        if (write(beats, "b", 1) != 1)
            exit(1);
    }
    exit(0);                                                     /* taken out of service: its pipe ends */
}

/* ---- the monitor ---- */

static void wait_anew(int timer)
{
    struct itimerspec once = { .it_value = { PATIENCE, 0 } };
    timerfd_settime(timer, 0, &once, NULL);                      /* what it has counted before is forgotten */
}

static bool came(const struct pollfd *p) { return p->revents & (POLLIN | POLLHUP); }

/* Is the element alive when it is taken out of service? */
static bool monitor(int beats)
{
    int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    struct pollfd beat = { beats, POLLIN, 0 }, late = { timer, POLLIN, 0 };
    char one;
    for (;;) {
        struct pollfd both[] = { beat, late };
        wait_anew(timer);
        poll(both, 2, -1);
#ifdef WRONG
        bool dead = came(&both[1]);
#else
        bool dead = !came(&both[0]);
#endif
        assert(!(dead && came(&both[0])));                       /* nobody is ended whose beat has come */
        if (dead)
            return false;
        if (read(beats, &one, 1) != 1)
            return true;
    }
}

int main(void)
{
    int beats[2], status;
    if (pipe(beats))
        return 2;
    pid_t child = fork();
    if (child == 0) {
        close(beats[0]);
        element(beats[1]);
    }
    close(beats[1]);
    bool alive = monitor(beats[0]);
    if (!alive)
        kill(child, SIGKILL);
    waitpid(child, &status, 0);
    assert(!alive || (WIFEXITED(status) && WEXITSTATUS(status) == 0));
    return 0;
}
