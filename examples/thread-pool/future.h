/* A future: work that will have been done, its value, and its error.
 *
 *     pending --> running --> done          the work was run; its result is 0 or a negative errno
 *        \-----------------> cancelled      it will never be run; its result is -ECANCELED
 *
 * A future is shared by those who hold a reference to it: whoever has it in hand calls future_release once, and it goes with
 * the last of them.
 *
 * Invariant: the state moves only along the arrows, under the lock; `finished` is broadcast, and the continuation called,
 * exactly once, on the way into done or cancelled.
 * SPDX-License-Identifier: MIT */
#ifndef FUTURE_H
#define FUTURE_H

#include "queue.h"

#include <stdbool.h>

/* What is to be done: gives 0 and a value, or a negative errno. */
typedef int work_function(void *argument, void **value);

struct future;

/* Called once, when the future is done or cancelled, by whoever brought that about, without any lock held. */
typedef void continuation_function(struct future *, void *context);

struct future *future_new(work_function *, void *argument);      /* gives, with one reference; NULL: out of memory */
struct future *future_retain(struct future *);                   /* gives one more reference to the same */
void           future_release(struct future *);                  /* NULL is fine */

void           future_run(struct future *);                      /* does the work, unless it was cancelled */
bool           future_cancel(struct future *);                   /* true: this call has cancelled it, it will not run */
bool           future_is_finished(struct future *);

void           future_wait(struct future *);
bool           future_wait_for(struct future *, long milliseconds);      /* false: it was not finished by then */
int            future_get(struct future *, void **value);        /* waits; its result. value may be NULL */

/* At most one for each future. When it is finished already the continuation is called at once, by the caller. */
void           future_then(struct future *, continuation_function *, void *context);

/* The future as a task for a queue, which takes over one reference. */
struct task    future_task(struct future *);

#endif
