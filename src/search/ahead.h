/* Could the second step of a race have gone before the first? All that does not depend on the first goes along: those steps are
 * called free. Mostly the words of one object tell; otherwise the state before the first step is made again, and it is tried.
 * SPDX-License-Identifier: MIT */
#ifndef AHEAD_H
#define AHEAD_H

#include "search/optimal_internal.h"

/* Undoes steps of the path, or takes them again, to stand before the one at this position. */
void ahead_stand_at(struct optimal *, uint32_t at);
void ahead_go_on_to(struct optimal *, uint32_t at);

void     ahead_free(struct optimal *, uint32_t first);   /* finds the free steps; what follows is about this first step */
uint32_t ahead_near(const struct optimal *, const struct event *, uint32_t *near);       /* those that may conflict with it */
void     ahead_in_way(struct optimal *, const struct second *);          /* those that are in conflict with it */
/* Is the step left out, because it depends on one that is? What comes after the limit and is in the way always is. */
bool     ahead_left_out(const struct optimal *, uint32_t at, const struct second *, uint64_t drops);

void ahead_look(struct optimal *, uint32_t first, struct second *, uint32_t *reversed);  /* notes a race, if it could */

#endif
