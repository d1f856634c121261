/* Could the second step of a race have gone before the first? All that does not depend on the first goes along: those steps are
 * called free. Mostly the words of one object tell; otherwise the state before the first step is made again, and it is tried.
 * SPDX-License-Identifier: MIT */
#ifndef AHEAD_H
#define AHEAD_H

#include "search/clocks.h"

/* Of those that stand in the way of a step: how many are looked at, and how many subsets of them are tried. */
enum { MOST_IN_WAY = 64, MOST_TRIES = 4096 };

/* A way for the second step to go before the first. */
struct reversal {
    uint64_t drops;                  /* which of those that stand in its way are left out, too */
    uint32_t stamp;                  /* of the second step, after it has been moved */
};

/* What lives while one path is looked at. */
struct survey {
    struct past   *past;             /* borrowed */
    uint32_t       standing;         /* how many of its steps are executed just now */
    uint32_t       next_of[MAX_PROCESSES];       /* of each process: 1 + position of its next step after `first`, 0: none */
    /* of the first step that is looked at */
    uint32_t       first;            /* where it is; NOT_TAKEN: none is */
    uint32_t      *free, free_count; /* the steps after it that do not depend on it */
    bool           free_spreads;     /* one of them has changed other objects than its own */
    /* and of the second */
    uint32_t      *in_way, in_way_count;         /* the free steps that are in conflict with it */
    struct reversal reversals[MOST_IN_WAY];
    uint32_t       reversal_count;
    /* scratch of tries */
    uint32_t      *trying;
    struct step   *tried;
    struct change *changes;
};

void ahead_init(struct survey *, struct past *);           /* borrows the path */
void ahead_fini(struct survey *);
void ahead_make_room(struct survey *);                     /* for as many levels as the path has */
void ahead_begin(struct survey *);                         /* the path is to be looked at, from its end to its beginning */

/* Undoes steps of the path, or takes them again, to stand before the one at this position. */
void ahead_stand_at(struct survey *, uint32_t at);
void ahead_go_on_to(struct survey *, uint32_t at);

void     ahead_free(struct survey *, uint32_t first);      /* finds the free steps; what follows is about this first step */
uint32_t ahead_near(const struct survey *, const struct event *, uint32_t *near);          /* those that may conflict with it */
void     ahead_in_way(struct survey *, const struct second *);             /* those that are in conflict with it */
/* Is the step left out, because it depends on one that is? What comes after the limit and is in the way always is. */
bool     ahead_left_out(const struct survey *, uint32_t at, const struct second *, uint64_t drops);
/* Finds the ways (`reversals`) for the second to go before the first. When it can with all that is free, that is the only one. */
void     ahead_find(struct survey *, uint32_t first, const struct second *);

/* Does it not depend on the first step that is looked at? */
static inline bool is_free(const struct survey *v, uint32_t at) { return !before(v->past, v->first, clock_of(v->past, at)); }

#endif
