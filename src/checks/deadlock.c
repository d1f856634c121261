/* SPDX-License-Identifier: MIT */
#include "checks/checks.h"

/* Who stands before what VeriSoft does not control might have gone on, and let others go on: that these wait is no deadlock. In a group
 * a crash takes all threads of its UNIX process along. */
static bool excused(const struct system *s)
{
    for (int p = 0; p < s->processes; p++) {
        const struct node *n = system_pending(s, p);
        if (checks_cut_off(s, p) || (system_shares(s) && n->flags & NODE_END && n->flags & NODE_ALARM))
            return true;
    }
    return false;
}

bool checks_deadlock(const struct system *s)
{
    return !s->enabled && !system_finished(s) && !system_aborted(s) && !excused(s);
}
