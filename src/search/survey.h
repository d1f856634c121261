/* Could the second step of a race have gone before the first? All that does not depend on the first goes along: these steps are
 * called *free* (the paper's notdep). They are a possible way to go on from the state before the first: no step that they
 * depend on is missing.
 *
 *       the path:   1: lock(a)    2: post(s)    1: unlock(a)    3: lock(a)
 *                   first         free          depends         second
 *       reversed:   2: post(s)    3: lock(a)
 *
 * Mostly it needs no trial: where no free step is in conflict with the second, and it does not move itself, it can go exactly if it
 * could in the state before the first; where all that matters to it happens on its own object, a copy of that object's words tells.
 * Otherwise the state before the first step is made again, the free steps are executed, and it is seen. All three give the same
 * answer: in tests (`check` of the settings) the third is asked, too.
 *
 * Where the paper has less (there a step that is in a race can go as soon as the first is not in its way; or, with locks, when the one
 * holder is not): several free steps may be in the second's way, each of them.
 *
 *       1: read-lock    2: read-lock    1: unlock    2: unlock    3: write-lock
 *       first           free, in the    depends      free         second: it can go only when both of the others are late, and no
 *                       way                                       race of two steps shows that
 *
 * So when the second cannot go after all that is free, subsets of those in its way are left out, with all that depends on them, and
 * each *smallest* subset with which it can go is a reversal (`drops`). Why no execution is lost by it. Take an execution that begins
 * like the path up to the first step and has the second before the first, after free steps only. Let L be those in the way that are
 * not before the second there. It could go without L, so a smallest subset S of L was found, and an execution is searched in which the
 * second goes before the first and before S. Who is in L and not in S is before the second there, and in conflict with it: that
 * is a race of that execution, and its reversal brings one more of L behind the second. And so on, until L is.
 * The argument looks at one race at a time. Where several meet, it is held up by the brute force of tests/unit/optimal.c, where one in
 * six programs is about read-write locks alone.
 *
 * The limits: of those in the way the first MOST_IN_WAY are considered, and MOST_TRIES subsets are tried. Beyond that some order may be
 * missed: it is counted (`untried`), and the search does not claim to be complete.
 *
 * What a step is in conflict with may change when it is moved (its stamp says what it found: a count, a message). If the two are not in
 * conflict any more, it is no race: the second could as well go right after the first, as the same step; what keeps it from
 * there on the path are steps between the two, and with these it is in a race.
 *
 * Invariant: `standing` steps of the path are executed, the others are undone, and the system is in the state between.
 * SPDX-License-Identifier: MIT */
#ifndef SURVEY_H
#define SURVEY_H

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

void survey_init(struct survey *, struct past *);           /* borrows the path */
void survey_fini(struct survey *);
void survey_make_room(struct survey *);                     /* for as many levels as the path has */
void survey_begin(struct survey *);                         /* the path is to be looked at, from its end to its beginning */

/* Undoes steps of the path, or takes them again, to stand before the one at this position. */
void survey_stand_at(struct survey *, uint32_t at);
void survey_go_on_to(struct survey *, uint32_t at);

void     survey_free(struct survey *, uint32_t first);      /* finds the free steps; what follows is about this first step */
uint32_t survey_near(const struct survey *, const struct move *, uint32_t *near);          /* those that may conflict with it */
void     survey_in_way(struct survey *, const struct second *);             /* those that are in conflict with it */
/* Is the step left out, because it depends on one that is? What comes after the limit and is in the way always is. */
bool     survey_left_out(const struct survey *, uint32_t at, const struct second *, uint64_t drops);
/* Finds the ways (`reversals`) for the second to go before the first. When it can with all that is free, that is the only one. */
void     survey_find(struct survey *, uint32_t first, const struct second *);

/* Does it not depend on the first step that is looked at? */
static inline bool is_free(const struct survey *v, uint32_t at) { return !before(v->past, v->first, clock_of(v->past, at)); }

#endif
