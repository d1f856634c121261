/* Has a program timers, and does it also wait with time limits? Then both go by one clock (system/time.c). That is found out while it runs, and then everything
 * begins again: so this is the user's of a search, and outlives its runs, as the list of visible locations does (visible.h).
 * Invariant: what is timed stays so.
 * SPDX-License-Identifier: MIT */
#ifndef CLOCKING_H
#define CLOCKING_H

#include <stdbool.h>

struct clocking {
    bool timers, waits;              /* it was seen to have timers; to wait with time limits */
    bool timed;                      /* so both go by one clock, and it began again for that; or a scenario said so */
};

#endif
