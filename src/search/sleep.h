/* Sleep sets: skip a transition when an earlier sibling already covered what it would lead to. A set of processes, since
 * the results of one transition are always tried together.
 * Invariant: what sleeps is independent of every step taken since it fell asleep.
 * SPDX-License-Identifier: MIT */
#ifndef SLEEP_H
#define SLEEP_H

#include "search/internal.h"

/* Those that stay asleep when p goes; ask before p goes. CONDITIONAL looks at the state at hand, ALWAYS needs to hold in
 * every state (what source sets are built on). */
enum sleep_rule { SLEEP_CONDITIONAL, SLEEP_ALWAYS };
uint64_t sleep_keep(const struct system *, uint64_t sleep, int p, enum sleep_rule);
/* Of these, those that also sleep through what the step came to: an end that a parent awaits, an abort. Ask after it. */
uint64_t sleep_arrived(const struct system *, uint64_t sleep, const struct step *);

#endif
