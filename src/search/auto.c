/* Two searches take turns, layer by layer: depth first with source sets, which ends soon where much is independent, and
 * breadth first over states, which ends soon where the program goes round in circles and promises that nothing within its
 * depth is missed. Each has a budget, so that one that has lost its way does not hold up the other; what the first could not
 * do within its budget it does again with a larger one. The first to have seen everything ends both.
 *
 * A livelock is only a suspicion. So the first one is held back for as long as the first budget lasts: an error of another kind
 * that is found meanwhile is told instead.
 *
 * Invariant: a turn is taken by one that is neither done nor out of budget; each time that nobody can, the budget grows. Who tells what
 * was held back stands where it was found.
 * SPDX-License-Identifier: MIT */
#include "search/internal.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIRST_BUDGET = 1 << 18 };     /* states */
enum { DEEPEST = 100 };              /* of the deep search in layers, where max_depth is not given; 0 then: it has no bound any more */

struct turns {
    struct search deep, wide;
    struct bfs   *bfs;
    struct watcher wide_watcher;
    uint32_t      deepest;
    uint32_t      deep_layer;        /* done */
    bool          deep_done, wide_done;          /* there is nothing it could still do within its bounds */
    uint64_t      budget;
    struct step  *held;              /* the path to a livelock that is not told yet; NULL: none */
    uint32_t      held_depth;
    int           held_process;
};

static bool over_for_good(const struct search *s) { return s->stopped != STOPPED_NOTHING || s->failure; }

/* All layers are done. Where a path ends by itself, if only further down, there is no need for a bound. */
static bool can_go_deeper(struct turns *t)
{
    uint32_t length, alone;
    if (t->deep.settings->max_depth || !t->deepest)
        return false;
    iterative_first_path(&t->deep, REDUCTION_SOURCE, &length, &alone);
    t->deepest = 0;
    return length && !search_over(&t->deep);
}

static void deep_turn(struct turns *t)
{
    uint32_t layer = t->deepest ? iterative_next(&t->deep, t->deep_layer, t->deepest) : 0;
    assert(!t->deep_done && !t->deep.spent);
    search_set_budget(&t->deep, t->budget);
    iterative_layer(&t->deep, REDUCTION_SOURCE, layer);
    if (search_over(&t->deep))
        return;
    t->deep_layer = layer ? layer : t->deep.counts.max_depth;
    t->deep_done = t->deep.counts.depth_cut == 0 || (layer == t->deepest && !can_go_deeper(t));
}

/* A quarter of the machine's memory is enough for one who may be on the wrong track, and half of what it may have. */
static bool too_large(const struct bfs *b, uint64_t memory_limit)
{
    uint64_t bytes = bfs_bytes(b);
    return bytes > (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) / 4 || (memory_limit && bytes > memory_limit / 2);
}

static void wide_turn(struct turns *t)
{
    uint32_t most = t->wide.settings->max_depth;
    assert(!t->wide_done && !t->wide.spent);
    search_set_budget(&t->wide, t->wide.counts.states + t->budget);
    bfs_run(t->bfs, iterative_next(&t->wide, bfs_depth(t->bfs), most));
    t->wide_done = !bfs_open(t->bfs) || (most && bfs_depth(t->bfs) >= most) || too_large(t->bfs, t->wide.settings->memory_limit);
}

static bool deep_saw_all(const struct turns *t) { return t->deep_done && t->deep.counts.depth_cut == 0; }
static bool wide_saw_all(const struct turns *t) { return t->wide_done && !bfs_open(t->bfs); }

/* States that are entered once do not show how long somebody waits: so the deep search goes as deep as a livelock is long, if
 * its first budget lets it, also when the other has seen everything. */
static bool looked_for_livelocks(const struct turns *t)
{
    const struct search_settings *set = t->deep.settings;
    return !set->livelock_limit || t->deep_done || t->deep.spent || t->deep_layer >= set->livelock_limit + set->depth_incr;
}

static bool all_done(const struct turns *t)
{
    return (t->deep_done && t->wide_done) || deep_saw_all(t) || (wide_saw_all(t) && looked_for_livelocks(t));
}

/* ---- a livelock is held back ---- */

static void hold(struct search *deep, int process)
{
    struct turns *t = deep->hold_arg;
    if (t->held)
        return;
    assert(process >= 0 && deep->depth);
    t->held = memory_get(deep->depth * sizeof *t->held);
    memcpy(t->held, deep->steps, deep->depth * sizeof *t->held);
    t->held_depth = deep->depth;
    t->held_process = process;
}

/* Did it stop because enough errors were told? Anything else that ends the search must not lose what is held back. */
static bool told_enough(const struct search *s)
{
    return s->stopped == STOPPED_STOP_AT_ERROR || s->stopped == STOPPED_DIVERGENCE;
}

/* Tells what was held back, if anything; from now on livelocks are told at once. */
static void release(struct turns *t)
{
    struct search again;
    t->deep.hold = NULL;
    if (!t->held)
        return;
    search_init(&again, t->deep.system, t->deep.settings, t->deep.watcher, t->deep.err);
    for (uint32_t i = 0; i < t->held_depth; i++) {
        search_room(&again);
        if (search_step(&again, again.system, t->held[i].process, t->held[i].choice) != STEP_TAKEN)
            break;
    }
    if (again.depth == t->held_depth)
        search_tell(&again, ERROR_LIVELOCK, t->held_process);
    if (!over_for_good(&t->deep) && !over_for_good(&t->wide))
        t->deep.stopped = again.stopped;
    search_fini(&again);
    free(t->held);
    t->held = NULL;
}

/* ---- the turns ---- */

static void more_budget(struct turns *t)
{
    release(t);
    assert(t->deep.spent || t->wide.spent);
    t->budget *= 4;
    assert(t->budget);
    t->deep.spent = t->wide.spent = false;
}

static void take_turns(struct turns *t)
{
    while (!all_done(t)) {
        bool deep_can = !t->deep_done && !t->deep.spent, wide_can = !t->wide_done && !t->wide.spent;
        if (deep_can && (!wide_can || t->deep_layer <= bfs_depth(t->bfs)))
            deep_turn(t);
        else if (wide_can)
            wide_turn(t);
        else
            more_budget(t);
        if (over_for_good(&t->deep) || over_for_good(&t->wide))
            return;
    }
}

/* The counts reported are those of the search that came to an end; of the deep one, of its last layer. */
static void judge(struct turns *t, struct search *s, struct search_result *result)
{
    bool use_wide = !over_for_good(&t->deep) && (over_for_good(&t->wide) || !deep_saw_all(t));
    struct search *last = use_wide ? &t->wide : &t->deep;
    s->counts = last->counts;
    s->stopped = last->stopped;
    s->failure = last->failure;
    result->livelock_checked = s->settings->livelock_limit != 0;         /* by the deep one, as far as it came */
    result->layer = use_wide ? bfs_depth(t->bfs) : t->deep_layer;
    result->states_once = use_wide;
    if (over_for_good(last))
        result->coverage = COVERAGE_PART;
    else if (deep_saw_all(t) || wide_saw_all(t))
        result->coverage = COVERAGE_ALL;
    else
        result->coverage = COVERAGE_DEPTH, s->stopped = STOPPED_MAX_DEPTH;
}

/* The state-space file shows the deep search. When the other one decided, it is done once more, to be seen. */
static void show_wide(struct search *s, uint32_t depth)
{
    struct search shown;
    search_init(&shown, s->system, s->settings, s->watcher, s->err);
    struct bfs *b = bfs_new(&shown);
    bfs_run(b, depth);
    bfs_free(b);
    search_fini(&shown);
}

void auto_run(struct search *s, struct search_result *result)
{
    struct turns t = { .budget = FIRST_BUDGET, .wide_watcher = *s->watcher };
    t.deepest = s->settings->max_depth ? s->settings->max_depth : DEEPEST;
    t.wide_watcher.state = NULL;     /* only one at a time is shown, or their states would get mixed up */
    t.wide_watcher.transition = NULL;
    search_init(&t.deep, s->system, s->settings, s->watcher, s->err);
    search_init(&t.wide, s->system, s->settings, &t.wide_watcher, s->err);
    t.bfs = bfs_new(&t.wide);
    t.deep.hold = hold;
    t.deep.hold_arg = &t;
    take_turns(&t);
    if (!told_enough(&t.deep) && !told_enough(&t.wide))
        release(&t);
    free(t.held);
    judge(&t, s, result);
    if (s->watched && result->states_once && !over_for_good(&t.wide))
        show_wide(s, bfs_depth(t.bfs));
    bfs_free(t.bfs);
    search_fini(&t.wide);
    search_fini(&t.deep);
}
