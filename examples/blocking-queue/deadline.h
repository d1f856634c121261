/* How long a call may wait: not at all, up to some moment, or for ever. Made once and handed down, so that a call that waits
 * several times does not wait longer.
 * SPDX-License-Identifier: MIT */
#ifndef DEADLINE_H
#define DEADLINE_H

#include <pthread.h>
#include <stdbool.h>
#include <time.h>

struct deadline {
    enum { WAIT_NEVER, WAIT_UNTIL, WAIT_FOREVER } kind;
    struct timespec until;           /* of CLOCK_MONOTONIC */
};

struct deadline deadline_now(void);                              /* do not wait */
struct deadline deadline_never(void);                            /* wait for ever */
struct deadline deadline_after(long milliseconds);

/* A condition variable that goes by the clock of deadlines. 0 or a negative errno. */
int deadline_condition(pthread_cond_t *);

/* Waits for the condition. 0: look again; -EAGAIN: one may not wait; -ETIMEDOUT: the time has come. With the mutex locked, as
 * it was. */
int deadline_wait(const struct deadline *, pthread_cond_t *, pthread_mutex_t *);

#endif
