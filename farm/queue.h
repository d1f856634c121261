/* The queue: runs that are to be made, and what follows from those that were made.
 *
 * A property is searched on several levels (Holzmann and Smith 2002, 6.1 and 7): with a small table of bits (A), with larger ones (B, up to M), and
 * exhaustively (E). All levels may run at one time; the first counter-example ends the others, and so does an exhaustive search that is complete.
 * Levels with larger tables are queued when the first one was crowded: else they would find nothing that it did not.
 *
 * Order: by priority (what a person has started comes before what was started as a whole), then quick levels of all properties before thorough ones of
 * any, then first come, first served. So no property keeps the others from their first look.
 *
 * Invariant: a run's result and all that follows from it are one transaction.
 * SPDX-License-Identifier: MIT */
#ifndef QUEUE_H
#define QUEUE_H

#include "farm/farm.h"

enum { QUEUE_TRIES = 3, QUEUE_FIRST = 20 };      /* how often a run may die; the smallest table, in bits of its size */
enum queue_priority { QUEUE_AS_A_WHOLE = 0, QUEUE_BY_HAND = 10 };

/* *started: how many properties; what has a verdict, or is in the queue already, needs nothing. */
int queue_start(struct farm *, int64_t property, enum queue_priority, int *started, struct err *);
int queue_start_all(struct farm *, enum queue_priority, int *started, struct err *);
int queue_abort(struct farm *, int64_t property, int *aborted, struct err *);            /* property 0: all */
/* Of a failure the trail that is shown, so that the next shortest is; else, or when it was the last, the verdict. */
int queue_delete(struct farm *, int64_t property, int *deleted, struct err *);

json_t *queue_next(struct farm *, struct err *);                 /* the run that is to be made next, with its property's name; gives; json null: none */
int     queue_began(struct farm *, int64_t run, const char *machine, struct err *);
bool    queue_wants(struct farm *, int64_t run);                 /* it is still to run */
int     queue_ended(struct farm *, int64_t run, const json_t *result, int largest, struct err *);        /* largest: the largest table, in bits of its size */
int     queue_died(struct farm *, int64_t run, const char *why, bool again, struct err *);       /* again: it may be tried again */

#endif
