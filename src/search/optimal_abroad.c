/* Parts of an optimal search that other processes search (abroad.h), and one such part (mission.h).
 *
 * What is below the leaf of a wakeup tree depends on nothing that is found elsewhere (aside.h says why): so that is a part. What its races put into the trees of states
 * above the leaf is told by the paths on which they were found (struct course): the first of the part on which each sequence came up, and these alone. Whoever uses the part walks
 * them, to their ends, and looks at their races himself. So nothing but steps is told, and it does not matter what anybody calls a local state, an object or a text. What these races
 * put into trees below the leaf is thrown away.
 *
 * Invariants: where a part is used, or the way to one is gone, the path is what the program does; the trees of states below its leaf are empty before and after.
 * SPDX-License-Identifier: MIT */
#include "search/abroad.h"
#include "search/mission.h"
#include "search/optimal_internal.h"

#include "base/memory.h"
#include "search/sleep.h"

#include <assert.h>
#include <stdlib.h>

/* ---- steps that were told ---- */

/* The state where the search stands, as if it had been entered. */
static void stand(struct optimal *o, uint64_t sleep)
{
    struct search *s = o->search;
    struct level *l = &o->past.levels[s->depth];
    assert(!l->tree);
    o->top = s->depth;
    l->taken = l->picky = false;
    l->asleep = sleep;
    l->besides = 0;
    l->alive = o->system->alive;
    s->frames[s->depth] = (struct frame){ .sleep = sleep, .process = NO_PROCESS };
}

static bool can_go(const struct optimal *o, uint32_t process, uint32_t choice)
{
    return o->system->enabled & BIT(process) && choice < system_choices(o->system, (int)process);
}

/* Takes the step; who sleeps then is in `sleep`. Where it cannot go, the path may only have been foreseen wrong: AGAIN. */
static enum took step(struct optimal *o, uint32_t process, uint32_t choice, uint64_t *sleep)
{
    struct search *s = o->search;
    optimal_make_room(o);
    struct level *l = &o->past.levels[s->depth];
    if (!can_go(o, process, choice)) {
        enum took took = search_settle(s);
        return took == STEP_TAKEN ? STEP_FAILED : took;
    }
    l->event = clocks_next_event(&o->past, process);
    l->event.choice = choice;
    l->taken = l->from_tree = true;
    s->frames[s->depth].tried |= BIT(process);
    *sleep = *sleep ? sleep_after(o->system, *sleep, (int)process, SLEEP_ALWAYS) : 0;
    enum took took = optimal_step(o);
    if (took == STEP_TAKEN && *sleep)
        *sleep = sleep_arrived(o->system, *sleep, &s->steps[s->depth - 1]);
    return took;
}

/* ---- using a part ---- */

/* Those of states from this one on; the search goes back there. */
static void drop_below(struct optimal *o, uint32_t depth)
{
    struct search *s = o->search;
    for (uint32_t i = depth; i <= o->top; i++) {
        wakeup_free_list(&o->trees, o->past.levels[i].tree);
        o->past.levels[i].tree = 0;
        o->past.levels[i].taken = i < depth;
    }
    survey_begin(&o->races.survey);
    survey_stand_at(&o->races.survey, depth);
    s->depth = o->top = depth;
    assert(!o->past.levels[depth].tree);         /* of a leaf nothing is put into a tree below */
}

/* To its end; where the program turns out to do something else than was thought, it is taken again from there. */
static enum took walk(struct optimal *o, const struct tread *path, uint32_t count)
{
    struct search *s = o->search;
    uint32_t tries = 2 * count + 2, base = s->depth;
    enum took took = STEP_TAKEN;
    while (took == STEP_TAKEN && s->depth < count && tries) {
        uint64_t sleep = 0;
        took = step(o, path[s->depth].process, path[s->depth].choice, &sleep);
        if (took == STEP_TAKEN)
            stand(o, 0);
        if (took == STEP_TAKEN && s->depth == count)
            took = search_settle(s);
        if (took == STEP_AGAIN && s->depth >= base && tries--)
            took = STEP_TAKEN;
    }
    return took == STEP_TAKEN && s->depth < count ? STEP_FAILED : took;
}

static bool goes_on_from_here(const struct search *s, const struct tread *path, uint32_t count)
{
    for (uint32_t i = 0; i < s->depth && i < count; i++)
        if (path[i].process != s->steps[i].process || path[i].choice != s->steps[i].choice)
            return false;
    return count > s->depth;
}

bool optimal_course(void *self, const struct tread *path, uint32_t count, uint64_t asleep)
{
    struct optimal *o = self;
    struct search *s = o->search;
    uint32_t depth = s->depth;
    if (!goes_on_from_here(s, path, count))
        return false;
    o->past.levels[depth].taken = true;
    bool fine = walk(o, path, count) == STEP_TAKEN && !search_over(s);
    if (fine) {
        s->frames[s->depth].sleep = asleep & o->system->enabled;
        races_look(&o->races);
        survey_go_on_to(&o->races.survey, s->depth);
    }
    drop_below(o, depth);
    return fine;
}

/* The search has come to a leaf. `used`: others have searched what is below it. */
enum took optimal_meet(struct optimal *o, bool *used)
{
    struct search *s = o->search;
    uint64_t sleep = s->frames[s->depth].sleep;
    *used = false;
    if (!abroad_awaits(s->abroad, sleep))
        return STEP_TAKEN;
    enum took took = search_settle(s);
    if (took != STEP_TAKEN || search_over(s) || !abroad_knows(s->abroad, sleep))
        return took;
    abroad_use(s->abroad);
    survey_begin(&o->races.survey);
    *used = true;
    return took;
}

/* ---- asking for one ---- */

struct asking_for { struct optimal *optimal; struct abroad *abroad; struct waypoint *way; uint32_t level, most; };

static void note_path(const struct asking_for *f)
{
    const struct optimal *o = f->optimal;
    const struct search *s = o->search;
    for (uint32_t i = 0; i < f->level; i++) {
        const struct level *l = &o->past.levels[i];
        f->way[i] = (struct waypoint){ s->steps[i].process, s->steps[i].choice, s->frames[i].sleep, l->besides, l->done, l->picky, true };
    }
}

/* Of the state whose tree it is: another result of the step that is being tried, or the step of somebody else? */
static void note_level(const struct asking_for *f, struct waypoint *w)
{
    const struct level *l = &f->optimal->past.levels[f->level];
    bool same = l->taken && l->event.process == w->process;
    w->exact = true;
    w->besides = l->besides;
    w->picky = same && l->picky;
    w->done = same ? l->done : 0;
}

/* The leaves below a list of branches, which is taken in the state at this depth. `asleep`: who sleeps there, or falls asleep beside those from before. */
static void ask_leaves(struct asking_for *f, uint32_t list, uint32_t depth, uint64_t asleep)
{
    const struct branch *pool = f->optimal->trees.pool;
    uint32_t last = NO_PROCESS;
    for (uint32_t b = list; b && !abroad_is_full(f->abroad, f->most); b = pool[b].next) {
        const struct move *e = &pool[b].event;
        if (last != NO_PROCESS && last != e->process)
            asleep |= BIT(last);
        last = e->process;
        if (pool[b].implied)
            continue;                /* it has no leaf */
        struct waypoint *w = &f->way[depth];
        *w = (struct waypoint){ .process = e->process, .choice = e->choice, .sleep = asleep };
        if (depth == f->level)
            note_level(f, w);
        if (pool[b].child)
            ask_leaves(f, pool[b].child, depth + 1, 0);
        else
            abroad_ask_leaf(f->abroad, f->level, f->way, depth + 1);
    }
}

static uint32_t depth_of(const struct trees *t, uint32_t list)
{
    uint32_t deepest = 0;
    for (uint32_t b = list; b; b = t->pool[b].next) {
        uint32_t below = 1 + depth_of(t, t->pool[b].child);
        deepest = below > deepest ? below : deepest;
    }
    return deepest;
}

void optimal_ask_at(void *self, struct abroad *a, uint32_t level, uint32_t most)
{
    struct optimal *o = self;
    const struct level *l = &o->past.levels[level];
    uint32_t list = l->tree;
    uint64_t asleep = o->search->frames[level].sleep;
    if (!list)
        return;
    struct asking_for f = { o, a, memory_get((level + depth_of(&o->trees, list) + 1) * sizeof *f.way), level, most };
    note_path(&f);
    if (l->taken && o->trees.pool[list].event.process != l->event.process)
        asleep |= BIT(l->event.process);
    if (level == o->search->depth) { /* the next one is this process's own */
        uint32_t own = o->trees.pool[list].event.process;
        while (list && o->trees.pool[list].event.process == own)
            list = o->trees.pool[list].next;
        asleep |= BIT(own);
    }
    ask_leaves(&f, list, level, asleep);
    free(f.way);
}

/* ---- for another ---- */

/* As choose_results of optimal.c has it: are other results of the step put into the tree only where what sleeps does not make them needless? */
static bool is_picky(const struct optimal *o, const struct waypoint *w, uint64_t sleep)
{
    const struct node *n = system_pending(o->system, (int)w->process);
    uint32_t choices = !n->choices && o->system->enabled & BIT(w->process) ? system_choices(o->system, (int)w->process) : 1;
    return sleep && choices > 1 && choices <= MOST_PICKED;
}

/* Along the way to the leaf. False: the program does something else. */
static bool go_down(struct optimal *o, const struct waypoint *way, uint32_t count)
{
    struct search *s = o->search;
    uint64_t sleep = 0;
    uint32_t tries = 2 * count + 2;
    enum took took = STEP_TAKEN;
    stand(o, 0);
    while (took == STEP_TAKEN && s->depth < count && tries) {
        const struct waypoint *w = &way[s->depth];
        struct level *l = &o->past.levels[s->depth];
        sleep = w->exact ? w->sleep : s->frames[s->depth].sleep | w->sleep;
        s->frames[s->depth].sleep = sleep;
        l->besides = w->besides;
        bool picky = w->picky || is_picky(o, w, sleep);
        took = step(o, w->process, w->choice, &sleep);
        if (took == STEP_TAKEN) {
            o->past.levels[s->depth - 1].picky = picky;
            o->past.levels[s->depth - 1].done = w->done | BIT(w->choice % MOST_PICKED);
            stand(o, sleep);
        }
        if (took == STEP_TAKEN && s->depth == count)
            took = search_settle(s);
        if (took == STEP_AGAIN && tries--)
            took = STEP_TAKEN;
    }
    return took == STEP_TAKEN && s->depth == count;
}

void optimal_mission(struct optimal *o)
{
    struct search *s = o->search;
    uint32_t count;
    const struct waypoint *way = mission_way(s->mission, &count);
    if (!count || !go_down(o, way, count) || search_over(s))
        return;
    uint64_t sleep = s->frames[s->depth].sleep;
    if (s->depth == o->bound || !(o->system->enabled & ~sleep))
        return;                      /* nothing is below it */
    o->floor = s->depth;
    assert(!o->past.levels[o->floor].tree);
    o->races.mission = s->mission;
    mission_lend(s->mission, &o->past.levels);
    mission_begin(s->mission);
    mission_enter(s->mission, sleep, NO_PROCESS, MISSION_LEAF);
    optimal_go_on(o, STEP_TAKEN);
    bool whole = s->depth == o->floor && !search_over(s);
    while (s->depth >= o->floor)
        search_back(s, o->system);
    mission_end(s->mission, whole);
    o->races.mission = NULL;
}
