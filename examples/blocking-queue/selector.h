/* Waits until one of several queues has something to pop, as poll does for files.
 *
 * Invariant: `changes` grows after each push to, and close of, a queue of the selector. Who found all queues not ready at a
 * value of it waits only while it has that value: so nothing that comes later is missed.
 *
 * The lock of a queue is taken before that of its selector, never after it.
 * SPDX-License-Identifier: MIT */
#ifndef SELECTOR_H
#define SELECTOR_H

#include "bqueue.h"

enum { SELECTOR_MOST = 16 };

struct selector;

int  selector_new(struct selector **);                           /* gives; 0 or a negative errno */
void selector_free(struct selector *);                           /* before its queues; NULL is fine */
int  selector_add(struct selector *, struct bqueue *);           /* its number, from 0; -ENOSPC, -EBUSY: it is watched */
/* The number of a queue that is ready; -ENOENT: all of them are closed and empty; -EAGAIN, -ETIMEDOUT as the deadline has it.
 * Queues take turns. One thread at a time may wait with a selector. */
int  selector_wait(struct selector *, struct deadline);
/* The next item of any queue: waits and pops. `from`, when not NULL, gets the queue's number. */
int  selector_pop(struct selector *, void *item, int *from, struct deadline);

#endif
