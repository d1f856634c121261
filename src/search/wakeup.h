/* Wakeup trees, as the paper defines them: what is still to be done in a state, as sequences of steps that have their beginnings in common.
 *
 *       the tree of a state:     +- 2: y= -- 2: x=           Branches are followed from the first to the last; what hangs below one
 *                                +- 3: x= -+- 2: y=          becomes the tree of the state that it leads to.
 *                                          +- 1: z=
 *
 * Invariants:
 *  - Property 1: what sleeps in the state is no weak initial of a sequence of its tree, that is: an execution that begins with the
 *    sequence cannot also begin with what sleeps. races.c asks that before it inserts.
 *  - Property 2: a branch is no weak initial of a sequence that is inserted behind it, else it would have gone there. So when all below
 *    the earlier one is done and it sleeps, the later sequence wakes it, and leads to no execution that has been.
 *  - The branches of one process in one list stand side by side, with different results: it falls asleep when all are done.
 *  - Each branch is in one tree, once, or in the list of those given back.
 *
 * No branch may be lost, not even one below another: what is below the first would not find it again, as it would in the paper's Algorithm 1. For a race is
 * left alone where what sleeps is a weak initial of the sequence (property 1), and that is right only because the races of what sleeps were
 * looked for in its own turn, and have left in the tree what must be searched without it:
 *
 *       1: enters the set of a condition variable                  When 1 has had its turn, it sleeps, and the tree has two sequences in
 *       2: enters it; may wake for no reason                       which the broadcast goes first:   2: enter, 3: broadcast   and
 *       3: broadcast                                               2: enter, 2: wake, 3: broadcast.   After the first, 2 is woken, and
 *
 *       that it could have woken before the broadcast is a race; but the sequence 2: wake has 1: enter as a weak initial, which sleeps.
 *
 * To insert (as the paper does): go down, at each list into the first branch that is a weak initial of what is left of the sequence, which
 * has that step taken out. A leaf on the way: all that may follow is searched there anyhow, the sequence with it. No such branch: what
 * is left is appended as a new one. An event is a weak initial of a sequence when it is the first of its process there and nothing
 * before it in the sequence happens before it; or when its process is not there and it is in conflict with none of it.
 *
 * Where we differ:
 *  - Results. A step of the path goes along with the result that it had, for what follows in the sequence may depend on it: it needs
 *    the branch with its own result, and gets one beside the others if there is none. The step that was moved has no result yet: it
 *    may go into a branch with any. For its other results it will be in a race with itself (races.h).
 *  - A branch that is `implied` is only another result of a step whose state has nothing asleep. Then property 1 has nothing to
 *    say, and the result alone is a sequence. (Or of one with too many results, where property 1 is given up: races.h.) When the step has to be taken again because the program did something else, such branches
 *    are made anew.
 * SPDX-License-Identifier: MIT */
#ifndef WAKEUP_H
#define WAKEUP_H

#include "search/clocks.h"

/* A step of a wakeup tree; number 0 is none. */
struct branch {
    struct move  event;
    uint32_t     child, next;        /* what comes after it; another one instead of it */
    bool         implied;            /* only another result of the step before it in the list */
    bool         late;               /* it came when `late` of the trees was set */
};

struct old_branch { uint32_t number; struct branch was; };

/* The branches of all trees. Where a tree begins is in the level of its state. */
struct trees {
    struct branch     *pool;
    uint32_t           pool_count, pool_room;
    uint32_t           unused;       /* a list of those that were given back */
    bool               undoable;     /* changes are remembered */
    bool               late;         /* of a copy (aside.h): what comes now did not come before it was made */
    struct old_branch *undo;         /* what branches were before they changed, the last change at the end */
    uint32_t           undo_count, undo_room;
};

/* Steps that could go one after the other in the state before step `first` of the path: steps of the path after it, in their order,
 * and at the end maybe one that is not on the path. */
struct sequence {
    const struct past   *past;       /* borrowed */
    uint32_t             first;
    const struct move  **events;     /* borrowed each */
    uint32_t             count;
    uint32_t             last_clock[MAX_PROCESSES];      /* of the last one, when it is not on the path */
    const uint32_t      *clocks;     /* NULL, or: its events are of no path of ours; `at` is their place in the sequence, and here are their clocks */
};

void     wakeup_init(struct trees *, bool undoable);
void     wakeup_fini(struct trees *);
uint32_t wakeup_new(struct trees *, const struct move *);       /* gives a branch; return it with wakeup_free */
void     wakeup_free(struct trees *, uint32_t branch);
void     wakeup_free_list(struct trees *, uint32_t list);        /* those beside it and below it, too */
void     wakeup_undo(struct trees *, uint32_t count);            /* takes back all changes of branches but the first so many in `undo` */
/* Of the first branches of a list, as far as they are of the event's process: the one with its result. 0: there is none, and `last` is the
 * last of them. */
uint32_t wakeup_same_result(const struct trees *, uint32_t list, const struct move *, uint32_t *last);

uint32_t wakeup_find(const struct sequence *, uint32_t process);         /* where its first step is; the count: it is not there */
/* Could an execution that begins with the sequence also begin with this event? `found` is where its process is. */
bool     wakeup_initial(const struct sequence *, const struct move *, uint32_t found);
uint32_t wakeup_chain(struct trees *, const struct sequence *);          /* one below the other */
/* Ends the run if an invariant does not hold of this tree. Gives how many branches it has. */
uint32_t wakeup_check(const struct trees *, uint32_t tree);
uint32_t wakeup_size(const struct trees *, uint32_t tree);                /* branches in it */
uint32_t wakeup_count_unused(const struct trees *);
/* Puts the sequence into a tree, unless some branch of it leads to an equivalent execution anyhow. Uses up the sequence. BESIDE: it did not
 * come to the end of a list, for it begins with another result of a step that is there. ABSORBED_LATE: by a branch that is late, or below one. */
enum inserted { ABSORBED, ABSORBED_LATE, INSERTED_LAST, INSERTED_BESIDE };
enum inserted wakeup_insert(struct trees *, uint32_t *tree, struct sequence *);

#endif
