/* Optimal reduction: of all executions that differ only in the order of independent steps, exactly one is searched, and no path
 * is begun in vain (Abdulla, Aronis, Jonsson, Sagonas: Source sets, 2017, Algorithm 2).
 *
 * When a path has come to its end, its races are looked for (source.h says what a race is). To reverse one, the second step has to
 * go where the first stood, after all that does not depend on the first: this list is put into the wakeup tree of that
 * state, unless what sleeps there or what the tree holds already leads to an equivalent execution. A step with several
 * results is in a race with its own other results.
 * Invariant: what sleeps in a state is awake at the end of each branch of its tree; so no path ends because all that is left sleeps.
 * SPDX-License-Identifier: MIT */
#ifndef OPTIMAL_H
#define OPTIMAL_H

#include "search/internal.h"

void optimal_run(struct search *, uint32_t bound);       /* bound: depth, UINT32_MAX for none */

#endif
