/* A script told bit by bit: what the next entry is, as far as those before it do not say it already. Writer and reader do the same: of a
 * writer each function tells what it is given, of a reader it gives what it was told.
 *
 * A search tries processes in their order. So of a state it is told of one process after the other whether it can go on, and by which label;
 * and of each transition whether it leads to a state that can be foretold. What each of these bits may depend on is their context (coder.h):
 *
 * - a process that did not move stands before what it stood before in the parent;
 * - of the *twin* of a state (ladder.h) all is known already: its processes, but for the one by which the two differ, can do the same;
 * - a transition leads where squares of known ones say (known.h), or to a state of the right sum (sums.h), or to a new one.
 *
 * Whatever comes otherwise can be told, too, in more bits: also what no search would do, which is for the certifier to reject.
 *
 * Invariant: what is foretold depends on the entries told before and on nothing else. After KNOWN_MOST transitions all that is known of
 * states is forgotten, so memory is bounded, but for the path.
 * SPDX-License-Identifier: MIT */
#ifndef TELLING_H
#define TELLING_H

#include "certifier/coder.h"
#include "certifier/labels.h"

struct telling;
/* The labels are told, too, where they come first: a reader adds them, a writer has them. Borrows both. The script is at state 0. */
struct telling *telling_new(struct labels *, struct coder *);
void            telling_free(struct telling *);                  /* NULL is fine */

/* The next entry: its label, BACK for the end of the state, and the state to which it leads. TREE: that is the next new one, and is not told.
 * Of a reader UINT32_MAX: it cannot be read. */
enum telling_kind { TELLING_ALL, TELLING_TREE };
uint32_t telling_entry(struct telling *, enum telling_kind, uint32_t label, uint64_t *to);

bool     telling_over(const struct telling *);                   /* the first state was left, too */
uint64_t telling_here(const struct telling *);                   /* the state whose transitions are told */
uint64_t telling_new_state(const struct telling *);              /* the number of the next one that is new */

#endif
