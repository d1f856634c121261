/* SPDX-License-Identifier: MIT */
#include "checks/checks.h"

/* NULL where it has ended: its memory is gone. */
static const struct noted *noted(const struct system *s, int p, uint32_t node)
{
    return s->graphs[p].nodes[node].flags & NODE_END ? NULL : graph_noted(&s->graphs[p], node);
}

bool checks_invariant(const struct system *s, int mover, uint32_t before, struct invariant_view *view, struct breach *breach)
{
    if (!s->invariants)
        return false;
    view->processes = s->processes;
    view->transition = mover >= 0;
    for (int p = 0; p < s->processes; p++)
        view->now[p] = view->next[p] = noted(s, p, s->node[p]);
    if (mover >= 0)
        view->now[mover] = noted(s, mover, before);
    return invariants_broken(s->invariants, view, breach);
}
