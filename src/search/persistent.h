/* Persistent sets from the declared structural properties (Godefroid, 1997, section 4: Algorithm 2, with the definition of persistent
 * sets before it): the processes of a closed group need to be tried, when nothing that the others may ever do can matter to the next
 * operations of the group.
 *
 *       declared: 1 and 2 use queue a; 3 and 4 use queue b.     1 draws in 2, and 3 draws in 4: {1, 2} is closed. Whatever 3 and 4 do,
 *                                                               it cannot matter to 1 or 2; so trying 1 and 2 is enough now.
 *
 * Why no deadlock and no false assertion is missed: a set that nothing outside can reach is persistent, and Theorem 2 of the paper is
 * about those. To be closed, a set has to have everyone who may do, now or later, an operation that matters to the *pending* operation
 * of a member: later ones need not be looked at, since a member that has gone on has done a step of the set.
 * Where this is more than the paper's: a process that ends may matter to a parent that waits, so parents are drawn in; one that was seen
 * before a VS_abort(0), which stops everybody, makes the set all of them.
 * SPDX-License-Identifier: MIT */
#ifndef PERSISTENT_H
#define PERSISTENT_H

#include "search/internal.h"

/* Invariant: a set has enabled processes only, and at least one while there are any.
 * A smallest set of enabled processes that is persistent in the current state; all enabled ones where nothing better is
 * known. Every process that was ever seen before a VS_abort(0) makes it all of them. */
uint64_t persistent_set(const struct system *);

/* Sets are made with what is known of the program so far. When this changes, those made before were too small, and the search
 * begins again. Nothing is missed: up to the first thing that is not known the sets are right, so a search finds it. */
void *persistent_begin(struct search *);                 /* gives; persistent_end takes it */
bool  persistent_end(void *, const struct system *);
uint64_t persistent_first(const struct system *, uint64_t awake);

static const struct reducer persistent_reducer = {
    .sleep = SLEEP_CONDITIONAL, .first = persistent_first, .begin = persistent_begin, .end = persistent_end,
};

#endif
