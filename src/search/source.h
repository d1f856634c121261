/* Source sets: a state starts with one transition to try, and each race found further down adds what is needed to see the
 * other order (Abdulla, Aronis, Jonsson, Sagonas: Optimal dynamic partial order reduction, 2014, Algorithm 1).
 *
 * Two steps of a path are in a race when they conflict, no chain of conflicts leads from the first to the second's process
 * before it, and the second could have gone before the first. Operations that are never executed because they stay blocked
 * race as well: that is how a deadlock is found.
 * Invariant: clocks[i][q] is the number, counted from 1, of the last step of q that happens before step i or is it.
 * SPDX-License-Identifier: MIT */
#ifndef SOURCE_H
#define SOURCE_H

#include "search/internal.h"

struct source;
struct source *source_new(struct search *);                      /* gives; return it with source_free */
void           source_free(struct source *);                     /* NULL is fine */
void           source_before(struct source *, int process);      /* it is about to go */
void           source_after(struct source *);                    /* the last step on the path was just executed */
/* The path ends in the current state. What is left undone and not asleep races too; also when a sleep set ended the path:
 * what is asleep was seen elsewhere, but what is blocked may be so only here. */
void           source_end(struct source *);

#endif
