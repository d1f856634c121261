/* SPDX-License-Identifier: MIT */
#include "search/search.h"

#include "base/memory.h"
#include "checks/checks.h"
#include "search/internal.h"
#include "search/persistent.h"

#include <stdlib.h>

#define X(upper, lower, ...) #lower,
const char *const search_strategy_names[] = { STRATEGIES(X) };
const char *const search_reduction_names[] = { REDUCTIONS(X) };
const char *const search_stop_names[] = { STOPS(X) };
const char *const search_error_names[] = { ERROR_KINDS(X) };
#undef X

/* ---- what all strategies share (internal.h) ---- */

enum { LOOK_UP_EVERY = 1 << 14 };

static void pay_attention_later(struct search *s)
{
    uint64_t bounds[] = { s->settings->stop_at_state, s->budget };
    s->attention = s->counts.states + LOOK_UP_EVERY;
    for (int i = 0; i < 2; i++)
        if (bounds[i] && bounds[i] > s->counts.states && bounds[i] < s->attention)
            s->attention = bounds[i];
}

void search_init(struct search *s, struct system *system, const struct search_settings *settings,
                 const struct watcher *watcher, struct err *err)
{
    *s = (struct search){ .system = system, .settings = settings, .watcher = watcher, .err = err };
    s->random = settings->seed;
    s->watched = watcher->state || watcher->transition;
    s->livelock_from = settings->livelock_limit ? settings->livelock_limit : UINT32_MAX;
    pay_attention_later(s);
    search_make_room(s);
}

/* A new try: gives up when `budget` states are counted. */
static void set_budget(struct search *s, uint64_t budget)
{
    s->budget = budget;
    s->spent = false;
    s->over = s->stopped != STOPPED_NOTHING || s->failure;
    pay_attention_later(s);
}

void search_restart(struct search *s)
{
    while (s->depth)
        search_back(s);
    s->counts = (struct counts){ 0 };
    set_budget(s, s->budget);
}

void search_fini(struct search *s)
{
    while (s->depth)
        search_back(s);
    free(s->frames);
    free(s->steps);
}

void search_make_room(struct search *s)
{
    s->room = s->room ? 2 * s->room : 128;
    s->frames = memory_resize(s->frames, s->room * sizeof *s->frames);
    s->steps = memory_resize(s->steps, s->room * sizeof *s->steps);
}

void search_look_up(struct search *s)
{
    if (s->settings->interrupt && *s->settings->interrupt && s->stopped == STOPPED_NOTHING)
        s->stopped = STOPPED_INTERRUPT;
    if (s->settings->stop_at_state && s->counts.states >= s->settings->stop_at_state && s->stopped == STOPPED_NOTHING)
        s->stopped = STOPPED_STOP_AT_STATE;
    if (s->budget && s->counts.states >= s->budget)
        s->spent = true;
    s->over = s->stopped != STOPPED_NOTHING || s->failure || s->spent;
    if (s->watcher->progress)
        s->watcher->progress(s->watcher->self, &s->counts, s->depth);
    pay_attention_later(s);
}

/* splitmix64: small, and the same on every machine. */
uint64_t search_random(struct search *s)
{
    uint64_t z = s->random += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static void tell(struct search *s, enum error_kind kind, int process)
{
    enum verdict v = s->watcher->found(s->watcher->self, kind, process, s->steps, s->depth);
    if (kind == ERROR_DIVERGENCE && s->stopped == STOPPED_NOTHING)
        s->stopped = STOPPED_DIVERGENCE;
    if (v == STOP && s->stopped == STOPPED_NOTHING)
        s->stopped = STOPPED_STOP_AT_ERROR;
    s->over |= s->stopped != STOPPED_NOTHING;
}

void search_check_state(struct search *s, uint32_t moved)
{
    enum error_kind kind;
    for (int p = 0; p < s->system->processes; p++)
        if ((moved == NO_PROCESS || moved == (uint32_t)p) && checks_process(s->system, p, &kind))
            tell(s, kind, p);
    if (!s->settings->ignore_deadlock && checks_deadlock(s->system))
        tell(s, ERROR_DEADLOCK, -1);
}

/* Who is blocked now and was so in the last `limit` states stood before the same operation all the time. */
void search_check_livelock(struct search *s)
{
    uint64_t blocked = s->system->alive & ~s->system->enabled;
    for (uint32_t back = 1; blocked && back <= s->livelock_from; back++)
        blocked &= ~s->steps[s->depth - back].enabled;
    for (; blocked; blocked &= blocked - 1) {
        int p = __builtin_ctzll(blocked);
        if (!(system_pending(s->system, p)->flags & NODE_PATIENT))
            tell(s, ERROR_LIVELOCK, p);
    }
}

/* ---- strategies made of others ---- */

const char *search_refuses(enum strategy strategy, enum reduction reduction)
{
    bool states_are_kept = strategy == SEARCH_STATEFUL || strategy == SEARCH_BFS;
    if (states_are_kept && reduction != REDUCTION_NONE)
        return "a search that enters each state once does not combine with a reduction; use --reduction none, or --search dfs";
    if (strategy == SEARCH_RANDOM && reduction != REDUCTION_NONE)
        return "random walks do not combine with a reduction; use --reduction none";
    if (strategy == SEARCH_AUTO && reduction != REDUCTION_SOURCE)
        return "the search 'auto' chooses its reduction itself; use --search iterative or dfs with this reduction";
    return NULL;
}

/* With these, a depth bound does not hide anything within it: two orders of the same transitions are equally long. With the
 * others a process can be put off past the bound. */
static bool keeps_depth(enum reduction r) { return r == REDUCTION_NONE || r == REDUCTION_SLEEP; }

static void judge_dfs(struct search *s, enum reduction reduction, struct search_result *result)
{
    result->livelock_checked = s->settings->livelock_limit != 0;
    if (search_over(s))
        result->coverage = COVERAGE_PART;
    else if (s->counts.depth_cut == 0)
        result->coverage = COVERAGE_ALL;
    else
        result->coverage = keeps_depth(reduction) ? COVERAGE_DEPTH : COVERAGE_PART;
    if (s->counts.depth_cut && !search_over(s))
        s->stopped = STOPPED_MAX_DEPTH;
}

/* One depth-first search; again from the start when it turns out on the way that persistent sets were too small. */
static void one_dfs(struct search *s, enum reduction reduction, uint32_t bound)
{
    struct knowledge known;
    do {
        search_restart(s);
        known = persistent_knowledge(s->system);
        dfs_run(s, reduction, bound);
    } while (reduction == REDUCTION_PERSISTENT && persistent_outdated(s->system, known) && !search_over(s));
}

static uint32_t next_layer(const struct search *s, uint32_t layer)
{
    uint32_t most = s->settings->max_depth, step = s->settings->depth_incr ? s->settings->depth_incr : 1;
    return most && layer + step > most ? most : layer + step;
}

static void iterative_run(struct search *s, enum reduction reduction, struct search_result *result)
{
    do {
        result->layer = next_layer(s, result->layer);
        one_dfs(s, reduction, result->layer);
    } while (!search_over(s) && s->counts.depth_cut && result->layer != s->settings->max_depth);
}

/* Two searches take turns, layer by layer: source sets end soon where much is independent, states are few where the program
 * goes round in circles. Each has a budget, so that one that has lost its way does not hold up the other; what one of them
 * could not do within its budget it does again with a larger one. */
struct turns {
    struct search deep, wide;
    struct bfs   *bfs;
    uint32_t      deep_layer, wide_layer;        /* done */
    bool          deep_done, wide_done;          /* has seen everything, or all up to max_depth */
    uint64_t      budget;
};

static bool over_for_good(const struct search *s) { return s->stopped != STOPPED_NOTHING || s->failure; }

static void deep_turn(struct turns *t)
{
    uint32_t layer = next_layer(&t->deep, t->deep_layer);
    t->deep.budget = t->budget;
    one_dfs(&t->deep, REDUCTION_SOURCE, layer);
    if (search_over(&t->deep))
        return;
    t->deep_layer = layer;
    t->deep_done = t->deep.counts.depth_cut == 0 || layer == t->deep.settings->max_depth;
}

static void wide_turn(struct turns *t)
{
    uint32_t layer = next_layer(&t->wide, t->wide_layer);
    set_budget(&t->wide, t->wide.counts.states + t->budget);
    bfs_run(t->bfs, layer);
    t->wide_layer = bfs_depth(t->bfs);
    t->wide_done = !bfs_open(t->bfs) || t->wide_layer == t->wide.settings->max_depth;
}

static bool all_seen(const struct turns *t)
{
    return (t->deep_done && t->deep.counts.depth_cut == 0) || (t->wide_done && !bfs_open(t->bfs));
}

static void take_turns(struct turns *t)
{
    for (;;) {
        bool deep = !t->deep_done && (t->wide_done || t->deep_layer <= t->wide_layer) && !t->deep.spent;
        if (deep)
            deep_turn(t);
        else if (!t->wide_done && !t->wide.spent)
            wide_turn(t);
        else if (!t->deep_done && !t->deep.spent)
            deep_turn(t);
        else if (t->deep_done && t->wide_done)
            return;
        else
            t->budget *= 4, t->deep.spent = t->wide.spent = false;
        if (over_for_good(&t->deep) || over_for_good(&t->wide) || all_seen(t))
            return;
    }
}

static void auto_run(struct search *s, struct search_result *result)
{
    enum { FIRST_BUDGET = 1 << 18 };
    struct turns t = { .budget = FIRST_BUDGET };
    search_init(&t.deep, s->system, s->settings, s->watcher, s->err);
    search_init(&t.wide, s->system, s->settings, s->watcher, s->err);
    t.bfs = bfs_new(&t.wide);
    take_turns(&t);
    bool wide_last = over_for_good(&t.wide) || (t.wide_done && !(t.deep_done && t.deep.counts.depth_cut == 0));
    struct search *last = wide_last && !over_for_good(&t.deep) ? &t.wide : &t.deep;
    s->counts = last->counts;
    s->stopped = last->stopped;
    s->failure = last->failure;
    result->layer = t.deep_layer > t.wide_layer ? t.deep_layer : t.wide_layer;
    result->livelock_checked = false;
    result->coverage = over_for_good(last) ? COVERAGE_PART : all_seen(&t) ? COVERAGE_ALL : COVERAGE_DEPTH;
    if (!over_for_good(last) && !all_seen(&t))
        s->stopped = STOPPED_MAX_DEPTH;
    bfs_free(t.bfs);
    search_fini(&t.wide);
    search_fini(&t.deep);
}

static void wide_run(struct search *s, struct search_result *result)
{
    struct bfs *b = bfs_new(s);
    bfs_run(b, s->settings->max_depth);
    if (!search_over(s) && bfs_open(b))
        s->stopped = STOPPED_MAX_DEPTH;
    result->coverage = !bfs_open(b) && !search_over(s) ? COVERAGE_ALL
                     : s->stopped == STOPPED_MAX_DEPTH ? COVERAGE_DEPTH : COVERAGE_PART;
    bfs_free(b);
}

static void run(struct search *s, struct search_result *result)
{
    const struct search_settings *set = s->settings;
    switch (set->strategy) {
    case SEARCH_AUTO:
        auto_run(s, result);
        break;
    case SEARCH_ITERATIVE:
        iterative_run(s, set->reduction, result);
        judge_dfs(s, set->reduction, result);
        break;
    case SEARCH_DFS:
        one_dfs(s, set->reduction, set->max_depth);
        judge_dfs(s, set->reduction, result);
        break;
    case SEARCH_RANDOM:
        result->coverage = COVERAGE_PART;
        result->livelock_checked = set->livelock_limit != 0;
        random_run(s, set->max_depth);
        break;
    case SEARCH_STATEFUL:
        if (set->max_depth) {
            wide_run(s, result);     /* breadth first, every state is entered at its least depth: the bound cuts nothing within it */
            break;
        }
        stateful_run(s);
        result->coverage = search_over(s) ? COVERAGE_PART : COVERAGE_ALL;
        break;
    default:
        wide_run(s, result);
        break;
    }
}

int search_run(struct system *system, const struct search_settings *settings, const struct watcher *watcher,
               struct search_result *result, struct err *err)
{
    struct search s;
    *result = (struct search_result){ 0 };
    search_init(&s, system, settings, watcher, err);
    run(&s, result);
    result->counts = s.counts;
    result->stopped_by = s.stopped;
    search_fini(&s);
    return s.failure;
}
