/* SPDX-License-Identifier: MIT */
#include "search/sleep.h"

#include <assert.h>

uint64_t sleep_after(const struct system *s, uint64_t sleep, int p, enum sleep_when when)
{
    uint64_t asleep = 0;
    assert(when != SLEEP_NOBODY);
    STEP_ASSERT(!(sleep & ~s->enabled) || system_shares(s));
    for (; sleep; sleep &= sleep - 1) {
        int q = __builtin_ctzll(sleep);
        bool free = q != p && (when == SLEEP_ALWAYS ? dependence_exchangeable(s, p, q) : !dependence_now(s, p, q));
        asleep |= free ? BIT(q) : 0;
    }
    return asleep;
}

uint64_t sleep_arrived(const struct system *s, uint64_t sleep, const struct step *step)
{
    uint64_t asleep = 0;
    for (; sleep; sleep &= sleep - 1) {
        int q = __builtin_ctzll(sleep);
        asleep |= dependence_on_arrival(s, step, q) ? 0 : BIT(q);
    }
    return asleep;
}
