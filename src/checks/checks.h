/* What is wrong in a state. Each check is a file of its own; a search asks them where the system says that there is something
 * to see (NODE_ALARM, nothing enabled), so a state in which all is well costs nothing.
 * SPDX-License-Identifier: MIT */
#ifndef CHECKS_H
#define CHECKS_H

#include "properties/invariant.h"
#include "search/search.h"

/* Is something wrong with what process p stands before: a false assertion, an end that is no exit, an operation that the
 * declared structure does not allow? What only several are in (deadlock, livelock) is never told by this. */
bool checks_process(const struct system *, int p, enum error_kind *);
/* Does p stand before something that VeriSoft does not control, and that cut its path short? */
bool checks_cut_off(const struct system *, int p);
/* Is an invariant not true? `mover` -1: one of the state; else one of the transition that brought this process here from node `before`.
 * `view` is filled with what was noted. */
bool checks_invariant(const struct system *, int mover, uint32_t before, struct invariant_view *, struct breach *);
/* What was noted in this state. False: there is nothing to be looked at, before a program begins and when it has ended. */
bool checks_view(const struct system *, struct invariant_view *);
/* Nothing can go on, and some process has not ended. */
bool checks_deadlock(const struct system *);
/* The same where somebody waits before an operation that is outside (--outside), for ever: the first of them; -1: nobody does. */
int  checks_hidden(const struct system *);
/* `limit` is not 0, for that means: not looked for. The processes that were blocked during the last `limit` of the `depth` steps that led here, and still are. */
uint64_t checks_livelock(const struct system *, const struct step *path, uint32_t depth, uint32_t limit);

#endif
