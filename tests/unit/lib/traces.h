/* How many executions are there, if the order of independent transitions does not count? Found by going
 * through all of them: two are the same when they have the same events, and of each pair of events that are in conflict, or
 * linked by a chain of conflicts, the same one first.
 * SPDX-License-Identifier: MIT */
#ifndef TRACES_H
#define TRACES_H

#include "system/dependence.h"

/* From the current state. `most` transitions are looked at: UINT64_MAX when there are more, or one execution is too long. What
 * comes after each result is known to the graphs then. `ends`, when not NULL, adds up the fingerprints of all last states, once
 * for each kind of execution. */
uint64_t traces_count(struct system *, uint64_t most, uint64_t *ends);

/* The same of executions that are told: how many kinds there are so far. Of a step process and choice count; it can be taken, from the
 * current state on. One that has not come to its end does not count. */
struct traces;
struct traces *traces_new(struct system *);                      /* gives; return it with traces_free */
void           traces_free(struct traces *);
uint64_t       traces_add(struct traces *, const struct step *, uint32_t depth);

#endif
