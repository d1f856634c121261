/* What is wrong, in words for a person who never heard of model checking: one line that says it, more that explain it.
 * SPDX-License-Identifier: MIT */
#ifndef EXPLAIN_H
#define EXPLAIN_H

#include "report/condition.h"
#include "report/run.h"

/* Fills kind, process, depth, location, message and explanation of an error in the current state of the run. */
void explain(const struct run *, const struct trace *, struct condition, struct error *);

/* "assertion violated": the heading of an error of that kind. */
const char *explain_heading(enum error_kind);
extern const char explain_nondeterminism[];                      /* what it means, the same in all cases */

#endif
