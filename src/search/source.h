/* Source sets: a state starts with one transition to try, and each race found further down adds what is needed to see the
 * other order (Algorithm 1, Source-DPOR, of: Abdulla, Aronis, Jonsson, Sagonas, Source Sets: A Foundation for Optimal Dynamic
 * Partial Order Reduction, Journal of the ACM, 2017). Unlike `optimal` it remembers no sequences, so a path may turn out to be in vain:
 * all that is left sleeps (`sleep_cut`).
 *
 * Two steps of a path are in a race when they conflict, no chain of conflicts leads from the first to the second's process
 * before it, and the second could have gone before the first. Operations that are never executed because they stay blocked
 * race as well: that is how a deadlock is found.
 *
 *       the path:        1: x=       2: y=      3: x=           the race (1: x=, 3: x=); 2: y= does not depend on the first
 *       to be seen:      2: y=       3: x=      1: x=           can begin with 2 or with 3: the *initials*. One of them has to be
 *                                                               tried in the state before 1: x=, whichever it is.
 *
 * Invariants: clocks[i][q] is the number, counted from 1, of the last step of q that happens before step i or is it. What is added to a
 * state can go there, and neither sleeps nor was tried.
 *
 * Where we differ, and why no execution is lost: more is tried than the paper asks for, never less.
 *  - When an initial is asleep nothing is added: what begins with it was searched, in a state before.
 *  - When no initial can go there (it is blocked, and some other step has to come first), all that can are added.
 *  - When the second could not go because of others that move along (two readers and a writer), all that can go are added:
 *    which of those have to be late together is not looked for.
 *  - Where the second could go right before the first, it is not asked whether it still could after what moves along.
 *  - A step that ends other processes: those are added before it, and their next steps are seconds.
 * SPDX-License-Identifier: MIT */
#ifndef SOURCE_H
#define SOURCE_H

#include "search/internal.h"

/* The functions of a reducer; `self` is what source_begin gives and source_end takes. */
void *source_begin(struct search *);
bool  source_end(void *self, const struct system *);
void  source_before(void *self, int process);
void  source_after(void *self);
/* What is left undone and not asleep races too; also when a sleep set ended the path: what is asleep was seen elsewhere, but what is
 * blocked may be so only here. */
void  source_path_end(void *self);
/* A race asks for one of these in the state before step `first`; 0: for all that can go there. */
void  source_add(struct search *, uint32_t first, uint64_t initial);
static inline uint64_t source_first(const struct system *s, uint64_t awake) { (void)s; return awake & -awake; }

static const struct reducer source_reducer = {
    .sleep = SLEEP_ALWAYS, .first = source_first, .begin = source_begin, .end = source_end,
    .before = source_before, .after = source_after, .path_end = source_path_end,
};

#endif
