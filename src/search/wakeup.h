/* Wakeup trees: what is still to be done in a state, as lists of steps that have their beginnings in common.
 * Invariant: no branch of a tree leads to an execution that is equivalent to one of a branch before it.
 * SPDX-License-Identifier: MIT */
#ifndef WAKEUP_H
#define WAKEUP_H

#include "search/clocks.h"

/* A step of a wakeup tree; number 0 is none. */
struct branch {
    struct event event;
    uint32_t     child, next;        /* what comes after it; another one instead of it */
    bool         implied;            /* only another result of the step before it in the list */
};

struct old_branch { uint32_t number; struct branch was; };

/* The branches of all trees. Where a tree begins is in the level of its state. */
struct trees {
    struct branch     *pool;
    uint32_t           pool_count, pool_room;
    uint32_t           unused;       /* a list of those that were given back */
    bool               undoable;     /* changes are remembered */
    struct old_branch *undo;         /* what branches were before they changed, the last change at the end */
    uint32_t           undo_count, undo_room;
};

/* Steps that could go one after the other in the state before step `first` of the path: steps of the path after it, in their order,
 * and at the end maybe one that is not on the path. */
struct sequence {
    const struct past   *past;       /* borrowed */
    uint32_t             first;
    const struct event **events;     /* borrowed each */
    uint32_t             count, room;
    uint32_t             last_clock[MAX_PROCESSES];      /* of the last one, when it is not on the path */
};

void     wakeup_init(struct trees *, bool undoable);
void     wakeup_fini(struct trees *);
uint32_t wakeup_new(struct trees *, const struct event *);       /* gives a branch; return it with wakeup_free */
void     wakeup_free(struct trees *, uint32_t branch);
void     wakeup_free_list(struct trees *, uint32_t list);        /* those beside it and below it, too */
void     wakeup_undo(struct trees *, uint32_t count);            /* takes back all changes of branches but the first so many in `undo` */
/* Of the branches beside this one, of the same process, the one with this result; 0: there is none, and `last` is the last. */
uint32_t wakeup_same_result(const struct trees *, uint32_t branch, uint32_t choice, uint32_t *last);

uint32_t wakeup_find(const struct sequence *, uint32_t process);         /* where its first step is; the count: it is not there */
/* Could an execution that begins with the sequence also begin with this event? `found` is where its process is. */
bool     wakeup_initial(const struct sequence *, const struct event *, uint32_t found);
uint32_t wakeup_chain(struct trees *, const struct sequence *);          /* one below the other */
/* Puts the sequence into a tree, unless some branch of it leads to an equivalent execution anyhow. Uses up the sequence. */
void     wakeup_insert(struct trees *, uint32_t *tree, struct sequence *);

#endif
