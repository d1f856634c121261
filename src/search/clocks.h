/* What happens before what on a path: a clock for each step, as in source.c, and with which steps a new one may be in a race.
 * Invariant: the first `known` steps are the same as on the path before, and so are their clocks.
 * SPDX-License-Identifier: MIT */
#ifndef CLOCKS_H
#define CLOCKS_H

#include "search/optimal_internal.h"

void         clocks_make(struct optimal *);              /* of all steps of the path; the new ones become seconds */
void         clocks_complete(const struct optimal *, struct event *);            /* fills in its object and its reach */
struct event clocks_next_event(const struct optimal *, uint32_t process);        /* what it would do next, now */

void     clocks_add_second(struct optimal *, const struct event *, uint32_t previous, uint32_t limit);
uint32_t clocks_new_pair(struct optimal *, uint32_t second, uint32_t next, bool sure);   /* gives its number */
/* The steps that may be in conflict with this one, of those before `limit` that do not happen before it by the steps of its own
 * process. Gives how many are in `near`. */
uint32_t clocks_near(struct optimal *, const struct event *, uint32_t previous, uint32_t limit);

#endif
