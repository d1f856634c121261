/* Wakeup trees: what is still to be done in a state, as lists of steps that have their beginnings in common.
 * Invariant: no branch of a tree leads to an execution that is equivalent to one of a branch before it.
 * SPDX-License-Identifier: MIT */
#ifndef WAKEUP_H
#define WAKEUP_H

#include "search/optimal_internal.h"

uint32_t wakeup_new(struct optimal *, const struct event *);     /* gives a branch; return it with wakeup_free */
void     wakeup_free(struct optimal *, uint32_t branch);
void     wakeup_free_list(struct optimal *, uint32_t list);      /* those beside it and below it, too */
uint32_t wakeup_chain(struct optimal *, const struct event *const *events, uint32_t count);      /* one below the other */
void     wakeup_undo(struct optimal *, uint32_t count);         /* takes back all changes of branches but the first so many in `undo` */
/* Of the branches beside this one, of the same process, the one with this result; 0: there is none, and `last` is the last. */
uint32_t wakeup_same_result(const struct optimal *, uint32_t branch, uint32_t choice, uint32_t *last);

uint32_t wakeup_find(const struct event *const *sequence, uint32_t count, uint32_t process);     /* count: it is not there */
/* Could an execution that begins with the sequence also begin with this event? `found` is where its process is. */
bool     wakeup_initial(const struct optimal *, const struct event *const *sequence, uint32_t count, const struct event *,
                        uint32_t found);
/* Puts the sequence into the tree of a level, unless some branch of it leads to an equivalent execution anyhow. */
void     wakeup_insert(struct optimal *, uint32_t level, const struct event **sequence, uint32_t count);

#endif
