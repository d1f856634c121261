/* SPDX-License-Identifier: MIT */
#include "search/search.h"

#include "base/memory.h"
#include "checks/checks.h"
#include "search/abroad.h"
#include "search/internal.h"
#include "search/mission.h"
#include "search/share.h"
#include "system/foresight.h"
#include "system/hidden.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define X(upper, lower, ...) #lower,
const char *const search_strategy_names[] = { STRATEGIES(X) };
const char *const search_reduction_names[] = { REDUCTIONS(X) };
const char *const search_stop_names[] = { STOPS(X) };
const char *const search_cache_names[] = { CACHE_POLICIES(X) };
const char *const search_error_names[] = { ERROR_KINDS(X) };
#undef X

/* ---- what all strategies share (internal.h) ---- */

enum { LOOK_UP_EVERY = 1 << 14, LOOK_UP_EVERY_OF_GROUP = 1 << 8 };      /* states; those of a group are slow */
enum { LOOK_UP_AT_MEMORY = 1 << 10 };                                   /* that many take little of it */

static uint64_t look_up_every(const struct search *s)
{
    return system_shares(s->system) ? LOOK_UP_EVERY_OF_GROUP : s->settings->memory_limit ? LOOK_UP_AT_MEMORY : LOOK_UP_EVERY;
}

/* Only `optimal` walks ahead of the program; what it has learnt in a try stays with the search. */
static bool foresees(const struct search *s) { return s->foresight && s->pending; }

static void pay_attention_later(struct search *s)
{
    uint64_t bounds[] = { s->settings->stop_at_state, s->budget };
    s->attention = s->counts.states + look_up_every(s);
    for (int i = 0; i < 2; i++)
        if (bounds[i] && bounds[i] > s->counts.states && bounds[i] < s->attention)
            s->attention = bounds[i];
    assert(s->attention > s->counts.states);
    if (foresees(s) && bounds[0] && s->attention > bounds[0])
        s->attention = bounds[0];    /* some of them may be void, and taken out of the counts again */
}

static uint64_t milliseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1000 * (uint64_t)t.tv_sec + (uint64_t)t.tv_nsec / 1000000;
}

void search_init(struct search *s, struct system *system, const struct search_settings *settings,
                 const struct watcher *watcher, struct err *err)
{
    *s = (struct search){ .system = system, .settings = settings, .watcher = watcher, .err = err };
    s->random = settings->seed;
    s->held = settings->memory_limit ? memory_held() : 0;
    s->began = settings->time_limit ? milliseconds() : 0;
    s->prefix = hidden_steps(system, system_path_length(system));
    s->transitions = system->invariants && invariants_of_transitions(system->invariants);
    s->watched = watcher->state || watcher->transition || s->transitions;
    s->livelock_from = settings->livelock_limit ? settings->livelock_limit : UINT32_MAX;
    pay_attention_later(s);
    search_make_room(s);
}

void search_set_budget(struct search *s, uint64_t budget)
{
    s->budget = budget;
    s->spent = false;
    s->over = s->stopped != STOPPED_NOTHING || s->failure;
    pay_attention_later(s);
}

void search_restart(struct search *s)
{
    while (s->depth)
        search_back(s, s->system);
    s->counts = (struct counts){ 0 };
    memset(s->left, 0, sizeof s->left);
    search_set_budget(s, s->budget);
}

void search_fini(struct search *s)
{
    while (s->depth)
        search_back(s, s->system);
    assert(hidden_steps(s->system, system_path_length(s->system)) == s->prefix);
    foresight_free(s->foresight);
    free(s->frames);
    free(s->steps);
}

void search_make_room(struct search *s)
{
    s->room = s->room ? memory_more(s->room) : 128;
    s->frames = memory_resize(s->frames, s->room * sizeof *s->frames);
    s->steps = memory_resize(s->steps, s->room * sizeof *s->steps);
    assert(s->depth + 1 < s->room);
}

/* To there, and takes what was counted since out of the counts. */
static void unwind(struct search *s, uint32_t depth)
{
    assert(depth <= s->depth);
    while (s->depth > depth) {
        search_back(s, s->system);
        s->counts.transitions--;
        s->counts.states--;
    }
}

/* The program did something else when steps of the path were run again. Nothing that it did before is sure, so all ends here. */
static void tell_nondeterminism(struct search *s)
{
    uint32_t right = system_right(s->system);
    search_note_depth(s);
    if (right < s->prefix) {
        s->failure = fail(s->err, "the program does not do the same when step %u of init_path is run again", right + 1);
        return;
    }
    while (s->depth > right + 1 - s->prefix)
        search_back(s, s->system);
    s->watcher->found(s->watcher->self, ERROR_NONDETERMINISM, (int)s->steps[s->depth - 1].process, s->steps, s->depth);
    s->stopped = STOPPED_STOP_AT_ERROR;
}

enum took search_took(struct search *s, enum took took)
{
    int code = err_code(s->err);
    assert(took != STEP_VOID || s->foresight);
    assert(took != STEP_AGAIN || (system_shares(s->system) && system_right(s->system) >= s->prefix));
    if (took == STEP_AGAIN)
        unwind(s, system_right(s->system) - s->prefix);
    if (took != STEP_FAILED)
        return took;
    s->over = true;
    if (code == -ENOTRECOVERABLE) {
        tell_nondeterminism(s);
    } else {
        search_note_depth(s);
        s->failure = code;
    }
    return took;
}

void search_differs(struct search *s)
{
    s->failure = fail(s->err, "the program does not do the same when the path to a state is run again: something is not under control");
    s->over = true;
}

enum took search_settle(struct search *s)
{
    return s->foresight ? search_took(s, foresight_settle(s->foresight, s->err)) : STEP_TAKEN;
}

enum stopped_by search_stopped_by(const volatile int *interrupt)
{
    int why = interrupt ? *interrupt : NOT_INTERRUPTED;
    return why == NOT_INTERRUPTED ? STOPPED_NOTHING : why == OUT_OF_TIME ? STOPPED_TIME_LIMIT : STOPPED_INTERRUPT;
}

/* An array that has to grow now must still fit. */
static bool memory_spent(const struct search *s)
{
    uint64_t limit = s->settings->memory_limit, held = limit ? memory_held() : 0;
    return limit && held > s->held && held - s->held > limit - limit / MEMORY_GROWS;
}

/* Of one layer there is nothing to say about the next. */
static bool counts_executions(const struct search *s)
{
    return (s->settings->strategy == SEARCH_DFS || s->settings->strategy == SEARCH_RANDOM) && !s->first_only;
}

void search_look_up(struct search *s)
{
    if (s->stopped == STOPPED_NOTHING)
        s->stopped = search_stopped_by(s->settings->interrupt);
    if (s->settings->stop_at_state && s->counts.states >= s->settings->stop_at_state && s->stopped == STOPPED_NOTHING) {
        s->full = foresees(s);
        s->stopped = s->full ? STOPPED_NOTHING : STOPPED_STOP_AT_STATE;
    }
    if (s->stopped == STOPPED_NOTHING && memory_spent(s))
        s->stopped = STOPPED_MEMORY_LIMIT;
    if (s->stopped == STOPPED_NOTHING && s->settings->time_limit && milliseconds() - s->began >= s->settings->time_limit)
        s->stopped = STOPPED_TIME_LIMIT;
    if (s->budget && s->counts.states >= s->budget)
        s->spent = true;
    s->over = s->stopped != STOPPED_NOTHING || s->failure || s->spent;
    if (s->over)
        search_note_depth(s);
    if (counts_executions(s) && (s->over || s->watcher->progress)) {
        struct share_estimate estimate = share_executions(s);
        s->counts.executions_estimate = estimate.executions;
        s->counts.estimate_error = estimate.error;
    }
    if (s->watcher->progress)
        s->watcher->progress(s->watcher->self, &s->counts, s->depth);
    pay_attention_later(s);
}

void search_add_counts(struct counts *c, const struct counts *more)
{
    c->states += more->states;
    c->transitions += more->transitions;
    c->executions += more->executions;
    c->sleep_cut += more->sleep_cut;
    c->depth_cut += more->depth_cut;
    c->round = c->round.times ? c->round : more->round;
    c->untried += more->untried;
    c->surprises += more->surprises;
    if (c->max_depth < more->max_depth)
        c->max_depth = more->max_depth;
}

/* Who took most of the later half of the path, and the place of its last step. */
static void note_round(struct search *s)
{
    enum { OFTEN = 8 };              /* so often it comes by there, at least, who is said to go round */
    uint32_t steps[MAX_PROCESSES] = { 0 }, most = 0, times = 0;
    uint64_t place = 0;
    for (uint32_t i = s->depth / 2; i < s->depth; i++)
        if (++steps[s->steps[i].process] > steps[most])
            most = s->steps[i].process;
    for (uint32_t i = s->depth; i-- > 0;) {
        uint64_t at = s->steps[i].process == most ? s->system->nodes[most][s->steps[i].node].op.place : 0;
        place = place ? place : at;
        times += at && at == place;
    }
    if (times >= OFTEN)
        s->counts.round = (typeof(s->counts.round)){ most, times, place };
}

void search_count_cut(struct search *s)
{
    enum { ENOUGH = 8 };             /* paths: it takes as long as they are */
    if (s->counts.depth_cut++ < ENOUGH && !s->counts.round.times)
        note_round(s);
}

enum took search_stop_if_full(struct search *s)
{
    if (!s->full)
        return STEP_TAKEN;
    s->full = false;
    enum took took = search_settle(s);
    if (took == STEP_TAKEN && s->counts.states >= s->settings->stop_at_state && s->stopped == STOPPED_NOTHING) {
        s->stopped = STOPPED_STOP_AT_STATE;
        s->over = true;
        search_note_depth(s);
    }
    return took;
}

/* splitmix64: small, and the same on every machine. */
uint64_t search_random(struct search *s)
{
    uint64_t z = s->random += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* A loop, whether it counts as an error or not: each one more costs the whole limit. */
static bool spins(const struct search *s, int process)
{
    const struct op *op = process < 0 ? NULL : &system_pending(s->system, process)->op;
    return op && is_process(op, PROCESS_DIVERGENCE);
}

enum took search_tell(struct search *s, enum error_kind kind, int process)
{
    enum took took = search_settle(s);
    assert(kind < ERROR_KIND_COUNT && process < s->system->processes);
    if (took != STEP_TAKEN)          /* also when the program could not be asked: what it did not do is no error */
        return took;
    search_note_depth(s);
    enum verdict v = s->watcher->found(s->watcher->self, kind, process, s->steps, s->depth);
    if (spins(s, process) && s->stopped == STOPPED_NOTHING)
        s->stopped = STOPPED_DIVERGENCE;
    if (v == STOP && s->stopped == STOPPED_NOTHING)
        s->stopped = STOPPED_STOP_AT_ERROR;
    s->over |= s->stopped != STOPPED_NOTHING;
    return STEP_TAKEN;
}

/* A loop ends the search: what else is the case there can be replayed only through it, at the whole limit again; and who waits for
 * the one in the loop is not in a deadlock for sure. */
static bool looks_further(const struct search *s, enum took took)
{
    return took == STEP_TAKEN && s->stopped != STOPPED_DIVERGENCE;
}

enum took search_check_state(struct search *s, uint32_t moved)
{
    enum took took = STEP_TAKEN;
    enum error_kind kind;
    for (int p = 0; p < s->system->processes; p++)
        if (looks_further(s, took) && (moved == NO_PROCESS || moved == (uint32_t)p || s->system->carried & BIT(p)) && checks_process(s->system, p, &kind))
            took = search_tell(s, kind, p);
    if (looks_further(s, took) && !s->settings->ignore_deadlock && checks_deadlock(s->system))
        took = search_tell(s, ERROR_DEADLOCK, -1);
    if (looks_further(s, took) && checks_hidden(s->system) >= 0)
        took = search_tell(s, ERROR_DIVERGENCE, checks_hidden(s->system));
    struct invariant_view view;
    struct breach breach;
    if (looks_further(s, took) && checks_invariant(s->system, -1, 0, &view, &breach))
        took = search_tell(s, ERROR_INVARIANT, breach.process);
    return took;
}

void search_check_transition(struct search *s)
{
    const struct step *step = &s->steps[s->depth - 1];
    struct invariant_view view;
    struct breach breach;
    if (checks_invariant(s->system, (int)step->process, step->node, &view, &breach))
        search_tell(s, ERROR_INVARIANT, breach.process);
}

enum took search_check_livelock(struct search *s)
{
    uint64_t starved = checks_livelock(s->system, s->steps, s->depth, s->livelock_from);
    enum took took = STEP_TAKEN;
    for (; starved && took == STEP_TAKEN; starved &= starved - 1)
        if (s->hold)
            s->hold(s, __builtin_ctzll(starved));
        else
            took = search_tell(s, ERROR_LIVELOCK, __builtin_ctzll(starved));
    return took;
}

bool search_looked_at(const struct search *s)
{
    return s->abroad || s->mission || s->watched || s->system->alert || system_shares(s->system);
}

void search_show_state(struct search *s)
{
    struct frame *f = &s->frames[s->depth];
    f->number = s->counts.states - 1;            /* it is counted already */
    if (s->watcher->state)
        s->watcher->state(s->watcher->self, f->number, s->depth);
}

void search_show_transition(struct search *s)
{
    assert(s->depth);
    const struct frame *from = &s->frames[s->depth - 1];
    if (s->watcher->transition)
        s->watcher->transition(s->watcher->self, from->number, s->counts.states, &s->steps[s->depth - 1]);
}

void search_show_execution(struct search *s)
{
    const struct counts *c = &s->counts;
    assert(c->executions + c->sleep_cut + c->depth_cut && s->depth <= c->max_depth);
    s->watcher->execution(s->watcher->self, c->executions + c->sleep_cut + c->depth_cut - 1, s->steps, s->depth);
    if (s->settings->accountable && c->depth_cut && s->stopped == STOPPED_NOTHING)
        s->stopped = STOPPED_MAX_DEPTH;
    s->over |= s->stopped != STOPPED_NOTHING;
}

/* ---- strategies ---- */

bool search_enters_all(enum reduction reduction) { return search_reducers[reduction]->enters_all; }

bool search_keeps_states(enum strategy strategy) { return strategy == SEARCH_STATEFUL || strategy == SEARCH_BFS || strategy == SEARCH_ESTIMATE; }

const char *search_refuses(enum strategy strategy, enum reduction reduction)
{
    if (strategy == SEARCH_STATEFUL && reduction != REDUCTION_NONE && reduction != REDUCTION_SLEEP)
        return "a search that enters each state once does not combine with a reduction that leaves out states; use --reduction none or sleep, "
               "or --search dfs";
    if ((strategy == SEARCH_BFS || strategy == SEARCH_ESTIMATE) && reduction != REDUCTION_NONE)
        return "a search that enters each state at its least depth does not combine with a reduction; use --reduction none, or --search "
               "stateful or dfs";
    if (strategy == SEARCH_RANDOM && reduction != REDUCTION_NONE)
        return "random walks do not combine with a reduction; use --reduction none";
    if (strategy == SEARCH_AUTO && reduction != REDUCTION_SOURCE)
        return "the search 'auto' chooses its reduction itself; use --search iterative or dfs with this reduction";
    return NULL;
}

const char *search_refuses_group(enum strategy strategy, enum reduction reduction)
{
    if (strategy == SEARCH_AUTO)
        return "the program has threads or shared memory, of which 'auto' knows nothing; use --search dfs, iterative, random, stateful or bfs";
    (void)reduction;
    return NULL;
}

const char *search_refuses_dispatch(enum strategy strategy, enum reduction reduction)
{
    if (strategy != SEARCH_DFS && strategy != SEARCH_ITERATIVE)
        return "only a search that keeps no states can be divided between processes; use --search dfs or iterative";
    if (reduction == REDUCTION_PERSISTENT)
        return "a search with persistent sets begins again with all that it learns, and is not divided between processes; use --reduction source, optimal, sleep or none";
    return NULL;
}

static void wide_run(struct search *s, struct search_result *result)
{
    struct bfs *b = bfs_new(s);
    result->states_once = true;
    bfs_run(b, s->settings->max_depth);
    if (!search_over(s) && bfs_open(b))
        s->stopped = STOPPED_MAX_DEPTH;
    result->coverage = !bfs_open(b) && !search_over(s) ? COVERAGE_ALL
                     : s->stopped == STOPPED_MAX_DEPTH ? COVERAGE_DEPTH : COVERAGE_PART;
    bfs_free(b);
}

static uint32_t larger(uint32_t a, uint32_t b) { return a < b ? b : a; }

/* A bound that nobody asked for cuts no path that would end, as far as the first one tells. */
static void choose_depth(struct search *s, struct search_settings *set, struct search_result *result)
{
    uint32_t length;
    if (!system_shares(s->system) || set->depth_given || !set->max_depth || search_keeps_states(set->strategy))
        return;
    iterative_first_path(s, REDUCTION_OPTIMAL, &length, &s->alone);
    s->ends = length != 0;
    set->max_depth = result->layer = larger(set->max_depth + s->alone, 2 * length);
}

static void run(struct search *s, struct search_result *result)
{
    const struct search_settings *set = s->settings;
    switch (set->strategy) {
    case SEARCH_AUTO:
        auto_run(s, result);
        break;
    case SEARCH_ITERATIVE:
        iterative_run(s, result);
        break;
    case SEARCH_DFS:
        if (set->shallow_first)
            iterative_shallow_first(s, result);
        else
            iterative_layer(s, set->reduction, set->max_depth);
        iterative_judge(s, result);
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
        if (set->cache)
            cached_run(s, result);
        else
            stateful_run(s);
        result->states_once = true;
        result->coverage = search_over(s) ? COVERAGE_PART : COVERAGE_ALL;
        break;
    case SEARCH_ESTIMATE:
        if (set->stop_at_state || set->memory_limit || set->time_limit)
            estimate_run(s, result);
        else
            wide_run(s, result);     /* to its end: there is nothing to estimate */
        break;
    default:
        wide_run(s, result);
        break;
    }
}

/* A part of another's search. */
static void do_mission(struct search *s)
{
    s->mission = mission_new(s);
    if (!s->mission || !mission_learn(s->mission)) {
        if (!s->failure)
            s->failure = fail(s->err, "what is asked for cannot be read, or the program does something else than where it was asked for");
    } else {
        dfs_run(s, mission_reduction(s->mission), mission_bound(s->mission));
        if (!s->failure)
            mission_answer(s->mission);
    }
    s->over = true;
}

static void run_all(struct search *s, struct search_settings *set, struct search_result *result)
{
    s->abroad = set->dispatch.tasks > 0 ? abroad_new(s) : NULL;
    choose_depth(s, set, result);
    if (!search_over(s))
        run(s, result);
    if (s->abroad)
        abroad_count(s->abroad, result);
    abroad_free(s->abroad);
}

int search_run(struct system *system, const struct search_settings *settings, const struct watcher *watcher,
               struct search_result *result, struct err *err)
{
    struct search s;
    assert(!search_refuses(settings->strategy, settings->reduction));
    assert(!settings->cache || (settings->strategy == SEARCH_STATEFUL && !settings->max_depth));
    struct search_settings set = *settings;
    *result = (struct search_result){ .coverage = COVERAGE_PART };
    assert(set.dispatch.tasks < 1 || !search_refuses_dispatch(set.strategy, set.reduction));
    search_init(&s, system, &set, watcher, err);
    if (set.commission.words)
        do_mission(&s);
    else
        run_all(&s, &set, result);
    result->counts = s.counts;
    result->stopped_by = s.stopped;
    search_fini(&s);
    mission_free(s.mission);
    return s.failure;
}
