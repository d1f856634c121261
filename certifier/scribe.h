/* Writes a search down as a script: all of it, and for who believes it also only what leads to new states (a tree), whichever is shorter.
 * If that is asked for, and can be had, a copy of this process (beside.h) goes on with it after the first entries: the search then waits only for a copy that lags far behind.
 * SPDX-License-Identifier: MIT */
#ifndef SCRIBE_H
#define SCRIBE_H

#include "certifier/script.h"

struct scribe;
enum scribe_where { SCRIBE_HERE, SCRIBE_BESIDE };
struct scribe *scribe_new(enum script_kind, enum scribe_where, const char *near, struct err *);  /* as script_writer_new */
void           scribe_free(struct scribe *);                     /* NULL is fine */
struct labels *scribe_labels(struct scribe *);                   /* where new labels are added before they are written */
void           scribe_step(struct scribe *, uint32_t label, uint64_t to);       /* a new state has the next number */
void           scribe_back(struct scribe *);
int            scribe_finish(struct scribe *, const struct fields *, const char *file, uint64_t *bytes, struct err *);   /* as script_make */

#endif
