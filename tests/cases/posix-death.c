/* expect: complete.
 * expect -DSIGNAL=SIGTERM: complete.
 * expect -DSIGNAL=SIGSEGV -DFAULT: complete.
 * expect -DSIGNAL=SIGABRT -DABORTS: complete.
 * expect -DUNSEEN: crash.  message: "SIGKILL" "process 2".
 * expect -DNO_WAIT: crash.  message: "SIGKILL".
 * expect -DFIRST: crash in process 1.  message: "killed itself by SIGTERM".
 *
 * A child ends by a signal that it sends itself, or by a fault. If its parent waits for it and looks at its status, that is no
 * error. UNSEEN, NO_WAIT: nobody looks. FIRST: it has no parent.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SIGNAL
#define SIGNAL SIGKILL
#endif

static void die(void)
{
#if defined FAULT
    *(volatile int *)0 = 1;                                      /* ERROR */
#elif defined ABORTS
    abort();                                                     /* ERROR */
#else
    raise(SIGNAL);                                               /* ERROR */
#endif
    _exit(3);
}

int main(void)
{
    int status;
#ifdef FIRST
    kill(getpid(), SIGTERM);                                     /* ERROR */
#endif
    pid_t child = fork();
    if (child == 0)
        die();
#if defined UNSEEN
    wait(NULL);                                                  /* ERROR */
    (void)status;
#elif defined NO_WAIT
    (void)status;
#else
    assert(wait(&status) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGNAL);
#endif
    return 0;                                                    /* ERROR */
}
