/* SPDX-License-Identifier: MIT */
#include "certifier/wrong.h"

#include "certifier/labels.h"
#include "base/prose.h"
#include "properties/invariant.h"

#include <stdlib.h>

#define NAME(kind, name) [FOUND_##kind] = name,
const char *const wrong_names[FOUND_KIND_COUNT] = { FOUND_KINDS(NAME) };
#undef NAME

static const enum found_kind kinds[] = {
    [WRONG_NOTHING] = FOUND_STRUCTURE, [WRONG_ASSERTION] = FOUND_ASSERTION, [WRONG_CRASH] = FOUND_CRASH, [WRONG_DIVERGENCE] = FOUND_DIVERGENCE,
    [WRONG_STRUCTURE] = FOUND_STRUCTURE, [WRONG_UNSUPPORTED] = FOUND_UNSUPPORTED, [WRONG_NONDETERMINISM] = FOUND_NONDETERMINISM,
};

/* A loop may wait until another process that could go on writes to memory that they share, which is not seen. */
static bool may_wait(const struct system *s, int p) { return system_shares(s) && s->enabled & ~(UINT64_C(1) << p); }

static bool wrong_process(const struct system *s, int p, struct wrong_thing *wrong)
{
    const struct node *n = system_pending(s, p);
    if (!(n->flags & NODE_ALARM))
        return false;
    char *does = labels_operation(s, &n->op);
    enum wrong what = n->type->operations[n->op.code].wrong;
    bool waits = what == WRONG_DIVERGENCE && may_wait(s, p);
    *wrong = (struct wrong_thing){ kinds[what], p, prose_make("process %d stands before %s", p + 1, does), what == WRONG_UNSUPPORTED || waits };
    free(does);
    return true;
}

/* What was noted of a process; NULL: it has ended, and its memory is gone. */
static const struct noted *noted(const struct system *s, int p, uint32_t node)
{
    return s->graphs[p].nodes[node].flags & NODE_END ? NULL : graph_noted(&s->graphs[p], node);
}

/* What was noted of all of them; false: nothing can be asked. */
static bool look_at_each(const struct system *s, const struct step *step, struct invariant_view *view)
{
    for (int p = 0; p < s->processes; p++)
        view->now[p] = view->next[p] = noted(s, p, s->node[p]);
    if (step)
        view->now[step->process] = noted(s, (int)step->process, step->node);
    return true;
}

static bool has_died(const struct system *s, int p)
{
    uint32_t flags = system_pending(s, p)->flags;
    return flags & NODE_END && flags & NODE_ALARM;
}

/* Threads have their variables together: from when the first has begun until the last has ended, or one has died with all of them. */
static bool look_at_group(const struct system *s, const struct step *step, struct invariant_view *view)
{
    uint32_t steps = system_path_length(s), before = step ? 1 : 0;
    if (steps <= before || !s->alive)
        return false;
    for (int p = 0; p < s->processes; p++)
        if (has_died(s, p))
            return false;
    view->shared = true;
    view->now[0] = system_noted(s, steps - before);
    view->next[0] = system_noted(s, steps);
    return true;
}

static bool broken(const struct system *s, const struct step *step, struct wrong_thing *wrong)
{
    if (!s->invariants)
        return false;
    struct invariant_view view = { .processes = s->processes, .transition = step != NULL };
    struct breach breach;
    if (!(system_shares(s) ? look_at_group(s, step, &view) : look_at_each(s, step, &view)))
        return false;
    if (!invariants_broken(s->invariants, &view, &breach))
        return false;
    char *values = invariants_values(s->invariants, &view, breach);
    const char *text = invariants_text(s->invariants, breach.invariant);
    *wrong = (struct wrong_thing){ FOUND_INVARIANT, breach.process, prose_make("%s is false: %s", text, values), false };
    free(values);
    return true;
}

bool wrong_in(const struct system *s, bool ignore_deadlock, struct wrong_thing *wrong)
{
    for (int p = 0; p < s->processes; p++)
        if (wrong_process(s, p, wrong))
            return true;
    if (broken(s, NULL, wrong))
        return true;
    bool stuck = !s->enabled && !system_finished(s) && !system_aborted(s);
    if (stuck && !ignore_deadlock)
        *wrong = (struct wrong_thing){ FOUND_DEADLOCK, -1, prose_make("nothing can go on, and not every process has ended"), false };
    return stuck && !ignore_deadlock;
}

bool wrong_with(const struct system *s, const struct step *step, struct wrong_thing *wrong)
{
    return broken(s, step, wrong);
}
