/* SPDX-License-Identifier: MIT */
#include "checks/checks.h"
#include "system/hidden.h"

#include <assert.h>

/* Who is blocked now and was so in all of the last states has stood before the same operation all the time. */
uint64_t checks_livelock(const struct system *s, const struct step *path, uint32_t depth, uint32_t limit)
{
    assert(limit);
    uint64_t starved = 0, blocked = depth >= limit ? s->alive & ~s->enabled & ~hidden_standing(s) : 0;
    for (int p = 0; blocked && p < s->processes; p++)
        if (checks_cut_off(s, p))                /* it might have let them go on */
            return 0;
    for (uint32_t back = 1; blocked && back <= limit; back++)
        blocked &= ~path[depth - back].enabled;
    for (; blocked; blocked &= blocked - 1)
        if (!(system_pending(s, __builtin_ctzll(blocked))->flags & NODE_PATIENT))
            starved |= blocked & -blocked;
    return starved;
}
