/* SPDX-License-Identifier: MIT */
#include "checks/checks.h"

/* NULL where it has ended: its memory is gone. */
static const struct noted *noted(const struct system *s, int p, uint32_t node)
{
    return s->graphs[p].nodes[node].flags & NODE_END ? NULL : graph_noted(&s->graphs[p], node);
}

/* Nothing is asked before the first process has begun, nor when all have ended, or one died, for all are one. */
static bool asked_of_group(const struct system *s, bool transition)
{
    bool there = s->alive && system_path_length(s) > transition;
    for (int p = 0; p < s->processes && there; p++)
        there = (system_pending(s, p)->flags & (NODE_END | NODE_ALARM)) != (NODE_END | NODE_ALARM);
    return there;
}

static bool breaks_in_group(const struct system *s, struct invariant_view *view, struct breach *breach)
{
    uint32_t steps = system_path_length(s);
    if (!asked_of_group(s, view->transition))
        return false;
    view->shared = true;
    view->now[0] = system_noted(s, steps - view->transition);
    view->next[0] = system_noted(s, steps);
    return invariants_broken(s->invariants, view, breach);
}

bool checks_view(const struct system *s, struct invariant_view *view)
{
    *view = (struct invariant_view){ .processes = s->processes, .shared = system_shares(s) };
    if (!s->invariants || (view->shared && !asked_of_group(s, false)))
        return false;
    if (view->shared)
        view->now[0] = view->next[0] = system_noted(s, system_path_length(s));
    for (int p = 0; p < s->processes && !view->shared; p++)
        view->now[p] = view->next[p] = noted(s, p, s->node[p]);
    return view->now[0] != NULL;
}

bool checks_invariant(const struct system *s, int mover, uint32_t before, struct invariant_view *view, struct breach *breach)
{
    if (!s->invariants)
        return false;
    view->processes = s->processes;
    view->transition = mover >= 0;
    view->shared = false;
    if (system_shares(s))
        return breaks_in_group(s, view, breach);
    for (int p = 0; p < s->processes; p++)
        view->now[p] = view->next[p] = noted(s, p, s->node[p]);
    if (mover >= 0)
        view->now[mover] = noted(s, mover, before);
    return invariants_broken(s->invariants, view, breach);
}
