/* SPDX-License-Identifier: MIT */
#include "certifier/tree_ahead.h"

#include "base/memory.h"
#include "system/foresight.h"
#include "system/step.h"

#include <assert.h>
#include <stdlib.h>

enum { LEAST = 2 };                  /* executions of a go, after some that were not as foreseen */

void tree_ahead_init(struct tree_ahead *a, struct tree_file *tree, struct system *system, struct foresight *foresight)
{
    *a = (struct tree_ahead){ .tree = tree, .system = system, .foresight = foresight, .most = 1, .ended = 1 };
}

void tree_ahead_fini(struct tree_ahead *a)
{
    free(a->steps);
    free(a->path);
}

/* ---- reading ---- */

static bool read_execution(struct tree_ahead *a)
{
    struct ahead_execution *e = &a->all[a->count];
    *e = (struct ahead_execution){ .first = a->step_count };
    a->ended = tree_next(a->tree, &e->back, &e->count, &a->err);
    a->count += a->ended > 0;
    return a->ended > 0;
}

static int read_step(struct tree_ahead *a, struct ahead_execution *e, struct err *err)
{
    assert(e->first + e->have == a->step_count && e->have < e->count);
    ARRAY_GROW(a->steps, a->step_count, a->step_room);
    struct ahead_step *s = &a->steps[a->step_count];
    s->next = NO_NODE;
    int rc = tree_next_step(a->tree, &s->step, err);
    if (rc < 0)
        return rc;
    a->step_count++;
    e->have++;
    return 0;
}

/* ---- walking ---- */

static void copy_path(struct tree_ahead *a, const struct tree_path *path)
{
    while (a->room < path->depth)
        a->room = memory_more(a->room);
    a->path = memory_resize(a->path, a->room * sizeof *a->path);
    for (a->depth = 0; a->depth < path->depth; a->depth++)
        a->path[a->depth] = path->all[a->depth].step;
}

static void walk_back(struct tree_ahead *a, uint32_t depth)
{
    while (a->depth > depth)
        system_undo(a->system, &a->path[--a->depth]);
}

/* False: it cannot be taken, or the program was asked and says something else. */
static bool walk_step(struct tree_ahead *a, struct ahead_step *s, struct err *err)
{
    uint32_t p = s->step.process;
    if (p >= (uint32_t)a->system->processes || !(a->system->enabled & BIT(p))
        || (s->step.choice && s->step.choice >= system_choices(a->system, (int)p)))
        return false;
    ARRAY_GROW(a->path, a->depth, a->room);
    if (foresight_execute(a->foresight, (int)p, s->step.choice, FORESEE, &a->path[a->depth], err) != STEP_TAKEN)
        return false;
    s->next = a->path[a->depth++].next;
    return true;
}

/* False: no further. */
static bool walk_execution(struct tree_ahead *a, struct err *err)
{
    uint32_t set;
    bool sent;
    if (!read_execution(a))
        return false;
    struct ahead_execution *e = &a->all[a->count - 1];
    walk_back(a, a->depth - e->back);
    while (e->have < e->count)
        if (read_step(a, e, err) < 0 || !walk_step(a, &a->steps[a->step_count - 1], err))
            return false;
    return foresight_defer(a->foresight, AHEAD_MOST + 1, &set, &sent, err) == STEP_TAKEN;
}

/* Is all that was walked what the program does? */
static bool settle(struct tree_ahead *a, struct err *err)
{
    enum took took = foresight_settle(a->foresight, err);
    if (took == STEP_VOID)
        foresight_forget(a->foresight);
    return took == STEP_TAKEN;
}

/* The executions of the next go. */
static void walk(struct tree_ahead *a, struct tree_path *path)
{
    struct err err;
    uint32_t lowest = path->depth, depth = path->depth;
    bool well = true;
    copy_path(a, path);
    for (uint32_t i = 0; i < a->most && well; i++) {
        well = walk_execution(a, &err);
        if (a->ended > 0) {
            const struct ahead_execution *e = &a->all[a->count - 1];
            depth -= e->back;
            lowest = depth < lowest ? depth : lowest;
            depth += e->count;
        }
    }
    a->known = settle(a, &err) && (well || a->ended <= 0);
    if (!a->known)
        a->most = a->most > 4 * LEAST ? a->most / 4 : LEAST;
    else if (a->most < AHEAD_MOST)
        a->most *= 2;
    walk_back(a, lowest);
    path->standing = a->depth < path->depth ? a->depth : path->depth;
    tree_path_stand_at(path, path->depth);
}

/* ---- giving ---- */

int tree_ahead_next(struct tree_ahead *a, struct tree_path *path, uint32_t *back, uint32_t *count, struct err *err)
{
    if (a->at == a->count) {
        a->at = a->count = a->step_count = 0;
        if (a->ended > 0 && a->foresight)
            walk(a, path);
        else if (a->ended > 0)
            read_execution(a);
    }
    if (a->at == a->count) {
        *err = a->err;
        return a->ended;
    }
    *back = a->all[a->at].back;
    *count = a->all[a->at++].count;
    return 1;
}

int tree_ahead_step(struct tree_ahead *a, uint32_t number, struct ahead_step *step, struct err *err)
{
    struct ahead_execution *e = &a->all[a->at - 1];
    assert(a->at && number <= e->have);
    int rc = number == e->have ? read_step(a, e, err) : 0;
    if (rc < 0)
        return rc;
    *step = a->steps[e->first + number];
    if (!a->known)
        step->next = NO_NODE;
    return 0;
}
