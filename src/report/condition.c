/* SPDX-License-Identifier: MIT */
#include "report/condition.h"

#include "checks/checks.h"

static bool livelocked(const struct system *system, const struct trace *trace, int process, uint32_t limit)
{
    bool patient = system_pending(system, process)->flags & NODE_PATIENT;
    return limit && !patient && trace_blocked(trace, system, process) >= limit;
}

bool condition_view(const struct system *system, struct invariant_view *view) { return checks_view(system, view); }

bool condition_breach(const struct system *system, const struct trace *trace, struct invariant_view *view, struct breach *breach)
{
    const struct event *last = trace->count ? &trace->events[trace->count - 1] : NULL;
    return (last && checks_invariant(system, last->op.process, last->node, view, breach)) || checks_invariant(system, -1, 0, view, breach);
}

bool condition_holds(struct condition c, const struct system *system, const struct trace *trace, uint32_t livelock_limit)
{
    enum error_kind kind;
    struct invariant_view view;
    struct breach breach;
    if (c.kind == ERROR_INVARIANT)
        return condition_breach(system, trace, &view, &breach);
    if (c.kind == ERROR_DEADLOCK)
        return checks_deadlock(system);
    if (c.kind == ERROR_DIVERGENCE && c.process >= 0 && checks_hidden(system) == c.process)
        return true;
    if (c.kind == ERROR_LIVELOCK)
        return livelocked(system, trace, c.process, livelock_limit);
    return c.process >= 0 && checks_process(system, c.process, &kind) && kind == c.kind;
}

bool condition_find(const struct system *system, const struct trace *trace, uint32_t livelock_limit, struct condition *c)
{
    for (c->process = 0; c->process < system->processes; c->process++)
        if (checks_process(system, c->process, &c->kind))
            return true;
    struct invariant_view view;
    struct breach breach;
    if (condition_breach(system, trace, &view, &breach)) {
        *c = (struct condition){ ERROR_INVARIANT, breach.process };
        return true;
    }
    if (checks_hidden(system) >= 0) {
        *c = (struct condition){ ERROR_DIVERGENCE, checks_hidden(system) };
        return true;
    }
    if (checks_deadlock(system)) {
        *c = (struct condition){ ERROR_DEADLOCK, -1 };
        return true;
    }
    for (c->process = 0; c->process < system->processes; c->process++)
        if (livelocked(system, trace, c->process, livelock_limit)) {
            c->kind = ERROR_LIVELOCK;
            return true;
        }
    return false;
}
