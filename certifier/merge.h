/* The maps FP of all parts of a script, compared: a state must be the same one wherever it is spoken of.
 * SPDX-License-Identifier: MIT */
#ifndef MERGE_H
#define MERGE_H

#include "certifier/kept.h"

#include "base/err.h"

struct merge { struct kept all; uint64_t compared; };            /* all zero: nothing was added */

/* Adds what a part wrote down. -EBADMSG: a state is another one than in the parts before; err says which. */
int  merge_add(struct merge *, const char *file, struct err *);
void merge_fini(struct merge *);

#endif
