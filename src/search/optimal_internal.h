/* The state of the optimal reduction, whose parts have an owner each. optimal.h has the idea; clocks.h, wakeup.h, ahead.h and races.h
 * have one of its parts each, and know nothing of this.
 * SPDX-License-Identifier: MIT */
#ifndef OPTIMAL_INTERNAL_H
#define OPTIMAL_INTERNAL_H

#include "search/optimal.h"
#include "search/races.h"

/* The search as it stood at the end of a path. */
struct saved {
    struct counts  counts;
    uint32_t       depth, pool_count, unused;
    uint32_t       known;            /* of struct past */
    uint32_t       undo;             /* how much of `undo` was there */
    uint32_t       room;
    struct step   *steps;
    struct frame  *frames;
    struct level  *levels;
};

struct optimal {
    struct search *search;           /* borrowed */
    struct system *system;           /* borrowed */
    uint32_t       bound;            /* depth; UINT32_MAX: none */
    uint32_t       top;              /* the deepest level in use */
    struct past    past;             /* the path: its states, and what is known of its steps (clocks.c) */
    struct trees   trees;            /* what is still to be done in those states (wakeup.c) */
    struct races   races;            /* of the path's steps, and all that is needed while it is looked at (races.c, ahead.c) */
    uint64_t       ends;             /* paths so far */

    /* of a sharing group, several paths are believed before the program is asked */
    struct saved   saved[2];         /* at the end of the first of each set of them, which are sent off in turn */
    uint32_t       set;
    uint32_t       most;             /* how many may be in a set */
    bool           again;            /* the path at hand has to be ended again */
};

#endif
