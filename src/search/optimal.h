/* Optimal reduction: of all executions that differ only in the order of independent steps, exactly one is searched, and no path
 * is begun in vain. Algorithm 2, Optimal-DPOR, of: Abdulla, Aronis, Jonsson, Sagonas, Source Sets: A Foundation for Optimal Dynamic Partial
 * Order Reduction, Journal of the ACM 64(4), 2017. That is "the paper" in clocks.h, survey.h, wakeup.h and races.h, which name its terms.
 *
 * The search goes down a path, choosing freely where nothing says otherwise. At its end it looks for races: two steps that are in
 * conflict, and the second could have gone before the first. To see the other order, the second step has to go where the
 * first stood, after all that does not depend on the first. That sequence of steps is put into the *wakeup tree* of the state where
 * the first stood, unless what sleeps there, or what the tree holds already, leads to an equivalent execution. Then the search goes
 * back to the last state that has something in its tree, and follows that.
 *
 *       0 ---- 1: x= ---> 1 ---- 2: y= ---> 2 ---- 2: x= ---> 3, the end          2's write of x is in a race with 1's; not
 *       |                                                                        dependent on 1's is 2's write of y. So the tree of
 *       +...... 2: y= ..... 2: x=                                                state 0 gets a branch of these two steps. When all
 *                                                                                below state 1 is done, 1 falls asleep in state 0,
 *       and the branch is followed: its second step wakes 1 again, since the two writes of x are in conflict.
 *
 * Invariant (the first property of the paper's wakeup trees): what sleeps in a state is awake at the end of each branch of its tree; so no path ends
 * because all that is left sleeps. `sleep_cut` counts those that do, and the tests want 0. What sleeps can go, and what is taken does
 * not sleep (in a group with data races it may); a state is left when its tree is empty.
 *
 * Where this is not the paper's algorithm, and why no execution is lost by it:
 *  - Operations block, for more reasons than locks (the paper's algorithms with locks): survey.h, and races.h on steps that were not taken.
 *  - A step may have several results (a toss, a wait that may time out): in the paper processes are deterministic. A step is in a race
 *    with its own other results: each result is a step of its own, of which only one is ever taken. They are branches side by side
 *    in a tree (wakeup.h), and a process falls asleep when all of its results are done. See "other results" in races.h.
 *  - What was found on the path before is kept, as far as the two paths have their beginnings in common: clocks.h, and "ordered" in
 *    races.h.
 *  - Where a depth bound cuts the path, what could still go counts as not taken. The search promises nothing then (enters_all).
 *  - In a sharing group steps are foreseen, and the program may turn out to do something else: what was concluded is taken back. Where
 *    it has data races, a branch may be impossible when its turn comes: that is counted (`surprises`), and the search
 *    claims less.
 *
 * What all of this rests on, beyond these arguments: tests/unit/optimal.c and differential.c go through all interleavings of random
 * programs and count those that differ; the search must have as many executions, and come to the same last states.
 * SPDX-License-Identifier: MIT */
#ifndef OPTIMAL_H
#define OPTIMAL_H

#include "search/internal.h"

void optimal_run(struct search *, uint32_t bound);       /* bound: depth, UINT32_MAX for none */

static const struct reducer optimal_reducer = { .sleep = SLEEP_ALWAYS, .run = optimal_run };

/* Walks all invariants of the parts, and ends the run if one does not hold. Called after every step when the settings say `check`. */
struct optimal;
void optimal_check(const struct optimal *);

#endif
