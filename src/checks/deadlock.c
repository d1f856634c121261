/* SPDX-License-Identifier: MIT */
#include "checks/checks.h"

/* In a group a crash takes all threads of its UNIX process along: that nobody goes on after it is no deadlock. */
static bool crashed(const struct system *s)
{
    for (int p = 0; s->group && p < s->processes; p++)
        if (system_pending(s, p)->flags & NODE_END && system_pending(s, p)->flags & NODE_ALARM)
            return true;
    return false;
}

bool checks_deadlock(const struct system *s)
{
    return !s->enabled && !system_finished(s) && !system_aborted(s) && !crashed(s);
}
