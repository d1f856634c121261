/* A live copy of the program, for a debugger: one start of it, in which the transitions of a trace are executed by processes that
 * never stand in for each other. It lives below a process of its own, the host, which waits for the program so that we need not: a
 * debugger may hold the program in the middle of a transition for as long as it likes.
 *
 * Invariant: the copy stands behind the first `live_count` events that it was told; it is asked for nothing while it is busy.
 * Host and copy are gone when we are, whatever ends us.
 * SPDX-License-Identifier: MIT */
#ifndef LIVE_H
#define LIVE_H

#include "report/job.h"
#include "report/trace.h"

struct live;
struct live *live_new(const struct job *);                       /* starts nothing yet; the job is borrowed */
void         live_free(struct live *);                           /* NULL is fine */

bool     live_there(struct live *);                              /* is it started, and its host alive? */
void     live_stop(struct live *);                               /* ends it, if it is there */
int      live_start(struct live *, struct err *);                /* at its initial state, again; waits until it is there */

uint32_t live_count(const struct live *);                        /* events executed, or being executed */
bool     live_begins(const struct live *, const struct trace *, uint32_t at);     /* are they the first of these? */
bool     live_busy(const struct live *);                         /* it executes what it was told */

/* Tells it to execute these events next; does not wait. */
int      live_tell(struct live *, const struct event *, uint32_t count, struct err *);
/* Has it done all? 1: yes. 0: not within the time. Negative: it could not, for the reason in err, and is stopped: it did something
 * else than the trace says (-EINVAL), or somebody killed a process of it (-ESRCH). */
int      live_wait(struct live *, int milliseconds, struct err *);
int      live_descriptor(const struct live *);                   /* readable: live_wait has news */

pid_t    live_pid(const struct live *, int process);             /* its UNIX process; 0: it has none any more */

#endif
