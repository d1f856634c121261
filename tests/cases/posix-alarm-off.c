/* expect: complete.  optimal: 2 executions.
 *
 * An alarm that is switched off either was over, and its handler has run, or never comes. The time that was left is told.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t rung;

static void ring(int signal)
{
    rung += signal == SIGALRM;
}

int main(void)
{
    signal(SIGALRM, ring);
    alarm(5);
    unsigned left = alarm(0);
    assert(left == (rung ? 0 : 5));
    sigset_t pending;
    sigpending(&pending);
    assert(!sigismember(&pending, SIGALRM));
    return 0;
}
