/* The state of the optimal reduction, whose parts have an owner each. optimal.h has the idea; clocks.h, wakeup.h, survey.h and races.h
 * have one of its parts each, and know nothing of this.
 * SPDX-License-Identifier: MIT */
#ifndef OPTIMAL_INTERNAL_H
#define OPTIMAL_INTERNAL_H

#include "search/belief.h"
#include "search/optimal.h"
#include "search/races.h"

struct optimal {
    struct search *search;           /* borrowed */
    struct system *system;           /* borrowed */
    uint32_t       bound;            /* depth; UINT32_MAX: none */
    uint32_t       top;              /* the deepest level in use */
    struct past    past;             /* the path: its states, and what is known of its steps (clocks.c) */
    struct trees   trees;            /* what is still to be done in those states (wakeup.c) */
    struct races   races;            /* of the path's steps, and all that is needed while it is looked at (races.c, survey.c) */
    struct belief  belief;           /* what is only foreseen (belief.c) */
    struct aside  *aside;            /* NULL, or: copies search ahead (aside.c) */
    uint32_t       floor;            /* of a copy: the state of the path that it does not leave */
    uint64_t       ends;             /* paths so far */
};

/* In optimal.c, for belief.c. */
enum took optimal_take(struct optimal *);                /* the step of the level at hand */
enum took optimal_end_path(struct optimal *);
void      optimal_go_on(struct optimal *, enum took);    /* until all is done, or the search is over */
enum took optimal_step(struct optimal *);                /* the same, and no more: the state is not entered */
void      optimal_make_room(struct optimal *);           /* for one more step */
void      optimal_drop_first(struct optimal *, struct level *);  /* branch of its tree */


/* In optimal_abroad.c, for optimal.c. */
struct abroad;
struct tread;
enum took optimal_meet(struct optimal *, bool *used);    /* at a leaf: have others searched what is below it? */
void      optimal_mission(struct optimal *);             /* all of a search for another */
/* For abroad.c; `self` is the struct optimal. */
bool      optimal_course(void *self, const struct tread *path, uint32_t count, uint64_t asleep);        /* looks at the races of this path, and comes back */
void      optimal_ask_at(void *self, struct abroad *, uint32_t level, uint32_t most);                   /* for leaves of its tree */

#endif
