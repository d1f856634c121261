/* The maps FP of all parts of a script, compared: a state must be the same one wherever it is spoken of, and no two of them may be the same.
 *
 * A map is a file: the fingerprint of where the program began; for each state that other parts speak of its number and its fingerprint; then the fingerprints of all states that the part
 * enters, in order.
 * SPDX-License-Identifier: MIT */
#ifndef MERGE_H
#define MERGE_H

#include "certifier/kept.h"
#include "certifier/tally.h"

#include "base/err.h"

/* ---- of a part ---- */

void merge_write_state(FILE *map, uint64_t state, const uint64_t fingerprint[2]);
/* At the end: those of all states. 0, or negative with err. */
int  merge_write_all(FILE *map, struct tally *, struct err *);

/* ---- of all ---- */

struct merge { struct kept known; struct tally *all; uint64_t compared; };       /* all zero: nothing was added */

/* Adds what a part wrote down. -EBADMSG: a state is another one than in the parts before; err says which. -ESTALE: the program did not begin as it
 * did for these, so that nothing can be compared. */
int  merge_add(struct merge *, const char *file, struct err *);
/* All were added: how many different states there are. */
int  merge_count(struct merge *, uint64_t *states, struct err *);
void merge_fini(struct merge *);

#endif
