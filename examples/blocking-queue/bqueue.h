/* A bounded blocking queue: any number of threads put items in, any number take them out, and who finds it full or empty
 * waits, as long as its deadline lets it.
 *
 *     struct bqueue *q;
 *     bqueue_new(&q, sizeof(struct job), 16);
 *     ...                                                       threads
 *     struct job job = { ... };                                 struct job job;
 *     error = bqueue_push(q, &job, deadline_after(100));        while (bqueue_pop(q, &job, deadline_never()) == 0)
 *     ...                                                           work(&job);
 *     bqueue_close(q);
 *
 * Invariants: items leave in the order in which they came; each that was pushed with result 0 is popped once, or still inside
 * when the queue is freed. A closed queue takes nothing more and hands out what it has. Nobody waits while it could go on.
 *
 * All functions but bqueue_new and bqueue_free may be called by any thread at any time. Errors are negative: -EPIPE (closed),
 * -EAGAIN (it would have to wait and may not), -ETIMEDOUT, -EINVAL, -ENOMEM.
 * SPDX-License-Identifier: MIT */
#ifndef BQUEUE_H
#define BQUEUE_H

#include "deadline.h"

#include <stdbool.h>
#include <stddef.h>

struct bqueue;

struct bqueue_stats {
    unsigned long pushed, popped;
    unsigned long push_waits, pop_waits;     /* times that somebody had to wait */
    unsigned long timeouts;
    size_t        longest;                   /* most items that were inside at a time */
};

int  bqueue_new(struct bqueue **, size_t item_size, size_t capacity);    /* gives; return it with bqueue_free */
void bqueue_free(struct bqueue *);                               /* nobody may use it any more; NULL is fine */

int  bqueue_push(struct bqueue *, const void *item, struct deadline);
int  bqueue_pop(struct bqueue *, void *item, struct deadline);   /* -EPIPE: closed and empty */
int  bqueue_peek(struct bqueue *, void *item, struct deadline);  /* the next one, which stays inside */

/* All items or as many as there was time for; the result is that of the last one, and `done` how many. */
int  bqueue_push_all(struct bqueue *, const void *items, size_t count, struct deadline, size_t *done);
/* Waits for one item and takes what else is there, up to `most`. */
int  bqueue_pop_some(struct bqueue *, void *items, size_t most, struct deadline, size_t *done);

void   bqueue_close(struct bqueue *);                            /* may be called again */
bool   bqueue_is_closed(struct bqueue *);
size_t bqueue_length(struct bqueue *);
size_t bqueue_clear(struct bqueue *);                            /* throws away what is inside; how many */
int    bqueue_resize(struct bqueue *, size_t capacity);          /* also -EBUSY: it holds more than that */
int    bqueue_wait_empty(struct bqueue *, struct deadline);      /* until it was empty at some moment */
struct bqueue_stats bqueue_statistics(struct bqueue *);

/* Calls `notify` whenever the queue gets an item or is closed: with the queue locked, so it must be short and must not use
 * the queue. One watcher for each queue; NULL takes it away. -EBUSY: there is one already. */
typedef void bqueue_notify(void *context);
int    bqueue_watch(struct bqueue *, bqueue_notify *, void *context);
/* Would bqueue_pop return at once? That may be over when this returns, unless nobody else pops. */
bool   bqueue_is_ready(struct bqueue *);

#endif
