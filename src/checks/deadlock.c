/* SPDX-License-Identifier: MIT */
#include "checks/checks.h"
#include "system/hidden.h"

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

/* Who is outside and would only look again does not go on. */
static bool stands_still(const struct system *s) { return !(s->enabled & ~hidden_resting(s)) && !system_finished(s) && !system_aborted(s) && !excused(s); }

/* Does each of the others only wait until somebody ends? Who waits for a lock or a message is in a deadlock, whoever else waits outside. */
static bool others_are_patient(const struct system *s)
{
    for (int p = 0; p < s->processes; p++)
        if (s->alive >> p & 1 && !(system_pending(s, p)->flags & (NODE_OUTSIDE | NODE_PATIENT)))
            return false;
    return true;
}

int checks_hidden(const struct system *s)
{
    for (int p = 0; s->hides && p < s->processes; p++)
        if (system_pending(s, p)->flags & NODE_OUTSIDE && s->alive >> p & 1 && stands_still(s) && others_are_patient(s))
            return p;
    return -1;
}

bool checks_deadlock(const struct system *s)
{
    return stands_still(s) && checks_hidden(s) < 0;
}
