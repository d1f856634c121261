/* What a program does that decides how it is run. Has it timers, and does it also wait with time limits? Then both go by one clock (system/time.c).
 * Do its threads cancel each other? Then what is nothing but a cancellation point (write to a plain file) is an operation, too: whether a request
 * has come depends on the order of operations alone. Do they act on each other by plain files? Then an access to one is an operation. Would it wait for ever in a loop that looks and counts? Then such loops are run for
 * longer before they are taken to wait: perhaps the count ends them. It is found out while it runs, and then everything begins again: so this is the user's of
 * a search, and outlives its runs, as the list of visible locations does (visible.h). Invariant: a habit stays.
 * SPDX-License-Identifier: MIT */
#ifndef HABITS_H
#define HABITS_H

#include "wire.h"

#include <stdbool.h>

struct habits {
    bool timers, waits;              /* it was seen to have timers; to wait with time limits */
    bool timed;                      /* so both go by one clock, and it began again for that; or a scenario said so */
    bool cancels;                    /* a thread has cancelled another, and it began again for that; or a scenario said so */
    bool files;                      /* one has looked at a file that another changed, and it began again for that; or a scenario said so */
    uint32_t rounds;                 /* of a loop that looks and counts so many are operations; 0: as usual. The user says so, or a scenario */
    bool patient;                    /* nobody was left but who counts, and it began again for that; or a scenario said so */
};

static inline uint32_t habits_rounds(const struct habits *h) { return h && h->rounds ? h->rounds : USUAL_ROUNDS; }       /* h NULL: they are not looked at */

/* Is the program run in the same way? And, since a habit stays: was it before? */
static inline bool habits_alike(struct habits a, struct habits b)
{
    return a.timed == b.timed && a.cancels == b.cancels && a.files == b.files && a.patient == b.patient && a.rounds == b.rounds;
}

static inline bool habits_stay(struct habits before, struct habits now)
{
    return before.timed <= now.timed && before.cancels <= now.cancels && before.files <= now.files && before.patient <= now.patient && before.rounds == now.rounds;
}

#endif
