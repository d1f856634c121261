/* A queue without room: who gives waits until somebody has taken. What the queue of capacity 0 would be.
 *
 * Invariant: handoff_give returns 0 exactly when one handoff_take returned 0 with its item.
 * SPDX-License-Identifier: MIT */
#ifndef HANDOFF_H
#define HANDOFF_H

#include "deadline.h"

struct handoff;

int  handoff_new(struct handoff **);                             /* gives; 0 or a negative errno */
void handoff_free(struct handoff *);                             /* nobody may use it any more; NULL is fine */
int  handoff_give(struct handoff *, void *item, struct deadline);        /* 0, -EPIPE, -EAGAIN: nobody waits, -ETIMEDOUT */
int  handoff_take(struct handoff *, void **item, struct deadline);       /* the same */
void handoff_close(struct handoff *);

#endif
