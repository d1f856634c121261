/* What is left outside goes first.
 *
 * A process that stands before an operation which is outside (`outside` of struct op) goes as soon as it can, before all others that do not
 * stand so; of several the one with the lowest number. So its operations multiply no executions. This is a rule of the system, as that
 * the end of a program comes last (ends.c): all searches and reductions have it.
 *
 * What is not searched for it: that another process does something while such an operation could go already. An order of two operations that are
 * not outside is searched as ever, unless it matters only through what is. The report says so. Reductions that learn from executions what
 * depends on what would take the one order of what is outside for a reason why others come in that order, too: there are only sleep sets here.
 *
 * Nobody's turn is lost: where what is outside cannot go, the others go on; and if nobody can, that is told as a divergence of who waits outside
 * (checks/deadlock.c), since nobody looks at why it waits.
 * SPDX-License-Identifier: MIT */
#include "system/group.h"

void system_hide(struct system *s)
{
    uint64_t first = 0;
    for (uint64_t m = s->enabled; m && !first; m &= m - 1)
        first = s->at[__builtin_ctzll(m)]->flags & NODE_OUTSIDE ? m & -m : 0;
    if (first)
        s->enabled = first;
}
