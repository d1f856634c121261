/* Is something wrong in the state at hand, and what? Asked after a replay; during a search the search itself says so.
 * SPDX-License-Identifier: MIT */
#ifndef CONDITION_H
#define CONDITION_H

#include "properties/invariant.h"
#include "report/trace.h"
#include "search/search.h"

struct condition {
    enum error_kind kind;
    int             process;         /* counts from 0, -1: all */
};

/* What was noted in this state, for values of expressions. False: there is nothing to be looked at. */
bool condition_view(const struct system *, struct invariant_view *);
/* The invariant that is not true now, or was not of the last transition; false: all are. */
bool condition_breach(const struct system *, const struct trace *, struct invariant_view *, struct breach *);
/* Is this the case now? */
bool condition_holds(struct condition, const struct system *, const struct trace *, uint32_t livelock_limit);
/* Whatever is the case; false: nothing is wrong. A livelock is looked for when nothing else is the matter. */
bool condition_find(const struct system *, const struct trace *, uint32_t livelock_limit, struct condition *);

#endif
