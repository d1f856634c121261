/* SPDX-License-Identifier: MIT */
#include "search/belief.h"

#include "base/memory.h"
#include "search/optimal_internal.h"
#include "system/foresight.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BELIEVED = 32 };         /* paths of a set */

void belief_fini(struct belief *b)
{
    for (struct saved *v = b->saved; v < b->saved + 2; v++) {
        free(v->steps);
        free(v->frames);
        free(v->levels);
        free(v->aside.stack);
        free(v->mission.stack);
    }
}

/* ---- saved moments ---- */

static void make_saved_room(struct saved *v, uint32_t depth)
{
    if (depth + 2 <= v->room)
        return;
    v->room = 2 * (depth + 2);
    v->steps = memory_resize(v->steps, v->room * sizeof *v->steps);
    v->frames = memory_resize(v->frames, v->room * sizeof *v->frames);
    v->levels = memory_resize(v->levels, v->room * sizeof *v->levels);
}

static void save(struct optimal *o, struct saved *v)
{
    const struct search *s = o->search;
    make_saved_room(v, s->depth);
    assert(s->depth + 2 <= v->room);
    v->counts = s->counts;
    v->depth = s->depth;
    v->pool_count = o->trees.pool_count;
    v->unused = o->trees.unused;
    v->undo = o->trees.undo_count;
    aside_save(o->races.aside, &v->aside);
    if (o->races.mission)
        mission_save(o->races.mission, &v->mission);
    memcpy(v->steps, s->steps, s->depth * sizeof *v->steps);
    memcpy(v->frames, s->frames, (s->depth + 1) * sizeof *v->frames);
    memcpy(v->levels, o->past.levels, (s->depth + 2) * sizeof *v->levels);
}

/* Nobody will go back to before this. */
static void forget_before(struct optimal *o, struct saved *v)
{
    if (!v->undo)
        return;
    assert(v->undo <= o->trees.undo_count);
    o->trees.undo_count -= v->undo;
    memmove(o->trees.undo, o->trees.undo + v->undo, o->trees.undo_count * sizeof *o->trees.undo);
    v->undo = 0;
}

/* ---- believing ---- */

static enum took step_foreseen(struct search *s, uint32_t process, uint32_t choice, enum asking how)
{
    enum took took = foresight_execute(s->foresight, (int)process, choice, how, &s->steps[s->depth], s->err);
    if (took != STEP_TAKEN)
        return search_took(s, took);
    s->depth++;
    s->counts.transitions++;
    return took;
}

enum took belief_step(struct optimal *o, uint32_t process, uint32_t choice, uint32_t *stamp)
{
    struct search *s = o->search;
    if (!s->foresight) {
        *stamp = dependence_stamp(o->system, (int)process);
        return search_step(s, o->system, process, choice);
    }
    enum took took = step_foreseen(s, process, choice, FORESEE);
    if (took == STEP_TAKEN)
        *stamp = o->system->stamp;
    return took;
}

enum took belief_in_path(struct optimal *o)
{
    struct search *s = o->search;
    struct belief *b = &o->belief;
    bool sent;
    if (!s->foresight || foresight_proven(s->foresight))
        return STEP_TAKEN;
    if (!b->most) {
        b->most = 2;
        return search_settle(s);
    }
    uint32_t set = b->set;
    enum took took = foresight_defer(s->foresight, b->most, &set, &sent, s->err);
    if (set != b->set) {
        forget_before(o, &b->saved[b->set % 2]);
        save(o, &b->saved[set % 2]);
    }
    b->set = set;
    if (took == STEP_TAKEN && sent && b->most < MOST_BELIEVED)
        b->most *= 2;
    return search_took(s, took);
}

enum took belief_so_far(const struct optimal *o)
{
    return o->search->foresight && foresight_wrong_set(o->search->foresight) ? STEP_VOID : STEP_TAKEN;
}

enum took belief_in_rest(struct optimal *o)
{
    struct search *s = o->search;
    return s->foresight && foresight_believes(s->foresight) ? search_settle(s) : STEP_TAKEN;
}

/* ---- taking again ---- */

/* What was still to be done below the step that is taken again is given back to the tree, all of it, whatever the steps lead to: nobody would find
 * it again (wakeup.h says why; in tests/unit/foresight.c executions are lost without). */
static enum took take_again(struct optimal *o)
{
    struct search *s = o->search;
    uint32_t below = 0;
    assert(o->top >= s->depth && o->past.levels[s->depth].taken);
    aside_drop(o->races.aside);
    if (o->races.mission)
        mission_drop(o->races.mission);
    for (; o->top > s->depth; o->top--) {
        struct level *l = &o->past.levels[o->top];
        while (l->tree && o->trees.pool[l->tree].implied)
            optimal_drop_first(o, l);
        if (l->taken && l->from_tree) {
            uint32_t b = wakeup_new(&o->trees, &l->event);
            o->trees.pool[b].child = below;
            o->trees.pool[b].next = l->tree;
            below = b;
        } else {
            wakeup_free_list(&o->trees, below);
            below = l->tree;
        }
        l->tree = 0;
    }
    o->past.levels[s->depth + 1].tree = below;
    return optimal_take(o);
}

/* ---- believing no more ---- */

/* Takes one step of the saved path again. AGAIN, and as before: it leads elsewhere. */
static enum took step_saved(struct optimal *o, const struct saved *v, uint32_t i, enum asking how)
{
    struct search *s = o->search;
    uint32_t p = v->steps[i].process;
    if (s->depth != i || !(o->system->enabled & BIT(p)))
        return STEP_AGAIN;
    enum took took = step_foreseen(s, p, v->steps[i].choice, how);
    if (took != STEP_TAKEN || (s->steps[i].next == v->steps[i].next && s->steps[i].tail == v->steps[i].tail))
        return took;
    search_back(s, o->system);
    return STEP_AGAIN;
}

/* Takes the saved path again, as far as it goes: from where it leads elsewhere it is taken again. A wrong guess on the way is asked
 * about. Also when the search is over: what of the path is so stays counted. */
static void walk_saved(struct optimal *o, const struct saved *v)
{
    enum took took = STEP_TAKEN;
    for (uint32_t i = 0; i < v->depth && took == STEP_TAKEN; i++) {
        took = step_saved(o, v, i, FORESEE);
        if (took == STEP_AGAIN)
            took = step_saved(o, v, i, ASK);
    }
}

/* Everything but the path itself, of which `lost` steps lead elsewhere now. */
static void put_back(struct optimal *o, const struct saved *v, uint32_t lost)
{
    struct search *s = o->search;
    assert(v->depth + 2 <= o->past.room && o->top + 1 < o->past.room && v->pool_count <= o->trees.pool_count);
    memcpy(s->frames, v->frames, (v->depth + 1) * sizeof *v->frames);
    memcpy(o->past.levels, v->levels, (v->depth + 2) * sizeof *v->levels);
    races_forget_all(&o->races);
    for (uint32_t i = v->depth + 2; i <= o->top + 1; i++)
        o->past.levels[i].tree = 0;              /* of a deeper path that is void */
    wakeup_undo(&o->trees, v->undo);
    o->trees.pool_count = v->pool_count;
    o->trees.unused = v->unused;
    aside_put_back(o->races.aside, &v->aside);
    if (o->races.mission)
        mission_put_back(o->races.mission, &v->mission);
    o->top = v->depth;
    s->counts = v->counts;
    s->counts.transitions -= lost;
    s->counts.states -= lost;
}

/* A path of a set was wrong: everything is as at the end of the first of that set again. Gives how many steps of that path lead
 * elsewhere. */
static uint32_t believe_no_more(struct optimal *o)
{
    struct search *s = o->search;
    struct belief *b = &o->belief;
    uint32_t last = b->set;
    b->set = foresight_wrong_set(s->foresight);
    struct saved *v = &b->saved[b->set % 2];
    assert(b->set && b->set + 1 >= last);
    foresight_forget(s->foresight);
    while (s->depth)
        search_back(s, o->system);
    walk_saved(o, v);
    assert(s->depth <= v->depth);
    uint32_t lost = v->depth - s->depth;
    put_back(o, v, lost);
    b->most = b->most > 8 ? b->most / 4 : 2;
    return lost;
}

enum took belief_recover(struct optimal *o, enum took took)
{
    if (took == STEP_AGAIN)
        return take_again(o);
    assert(took == STEP_VOID);
    uint32_t lost = believe_no_more(o);
    return lost ? STEP_AGAIN : optimal_end_path(o);
}

void belief_end(struct optimal *o)
{
    if (belief_so_far(o) == STEP_VOID || belief_in_rest(o) == STEP_VOID)
        believe_no_more(o);
}
