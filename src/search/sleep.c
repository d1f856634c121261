/* SPDX-License-Identifier: MIT */
#include "search/sleep.h"

uint64_t sleep_keep(const struct system *s, uint64_t sleep, int p, enum sleep_rule rule)
{
    uint64_t keep = 0;
    for (; sleep; sleep &= sleep - 1) {
        int q = __builtin_ctzll(sleep);
        bool free = q != p && (rule == SLEEP_ALWAYS ? system_exchangeable(s, p, q) : !system_dependent(s, p, q));
        keep |= free ? BIT(q) : 0;
    }
    return keep;
}

uint64_t sleep_arrived(const struct system *s, uint64_t sleep, const struct step *step)
{
    const struct node *left = &s->graphs[step->process].nodes[step->node];
    if (left->flags & LEADS_TO_ABORT)
        return 0;
    if (left->flags & LEADS_TO_END && sleep & BIT(0) && system_pending(s, 0)->op.type == TYPE_PROCESS)
        return sleep & ~BIT(0);
    return sleep;
}
