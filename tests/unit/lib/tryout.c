/* SPDX-License-Identifier: MIT */
#include "tryout.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct judge {
    struct tryout *tryout;
    struct stage  stage;
    struct world  first;
    bool         *deadlock, *violation;      /* found: by number in the lists of brute force */
    uint32_t      first_error;               /* depth of the first one found, UINT32_MAX: none */
};

static void differ(struct judge *j, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void differ(struct judge *j, const char *format, ...)
{
    if (j->tryout->wrong[0])
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(j->tryout->wrong, sizeof j->tryout->wrong, format, args);
    va_end(args);
}

void tryout_name(const struct tryout *t, char *out, size_t room)
{
    static const char *const rules[] = { "no rules", "some rules", "all rules" };
    snprintf(out, room, "%s %s, max_depth %u, depth_incr %u, %s%s%s, cache %u %s", search_strategy_names[t->strategy],
             search_reduction_names[t->reduction], t->bound, t->incr, rules[t->rules],
             t->merge == MERGE ? "" : ", no merging", t->walk && t->walk->length ? ", not from the first state" : "", t->cache,
             search_cache_names[t->policy]);
}

/* ---- while it runs ---- */

static void found_deadlock(struct judge *j, const struct world *w, uint32_t depth)
{
    uint32_t state = brute_find(j->tryout->brute, w);
    if (!world_deadlocked(j->tryout->brute->program, w) || state == UINT32_MAX)
        differ(j, "a deadlock at depth %u that is none", depth);
    else
        j->deadlock[state] = true;
}

static void found_violation(struct judge *j, const struct world *w, int process, uint32_t depth)
{
    uint32_t i = brute_violation(j->tryout->brute, process, &w->at[process]);
    if (!world_violates(j->tryout->brute->program, w, process) || i == UINT32_MAX)
        differ(j, "a violated assertion of process %d at depth %u that is none", process + 1, depth);
    else
        j->violation[i] = true;
}

static enum verdict found(void *self, enum error_kind kind, int process, const struct step *path, uint32_t depth)
{
    struct judge *j = self;
    struct world w = j->first;
    if (j->first_error == UINT32_MAX)
        j->first_error = depth;
    if (j->tryout->bound && depth > j->tryout->bound)
        differ(j, "an error at depth %u", depth);
    if (!stage_follow(&j->stage, &w, path, depth) || !stage_agrees(&j->stage, &w))
        differ(j, "the scenario of the %s at depth %u is not one of the program's", search_error_names[kind], depth);
    else if (kind == ERROR_DEADLOCK)
        found_deadlock(j, &w, depth);
    else if (kind == ERROR_ASSERTION)
        found_violation(j, &w, process, depth);
    else
        differ(j, "an error of kind %s", search_error_names[kind]);
    return GO_ON;
}

/* ---- afterwards ---- */

/* Everything within this depth must have been found. */
static void check_found(struct judge *j, uint32_t depth)
{
    const struct brute *b = j->tryout->brute;
    for (uint32_t i = 0; i < b->states; i++)
        if (b->deadlock[i] && b->distance[i] <= depth && !j->deadlock[i])
            differ(j, "the deadlock at depth %u was not found", b->distance[i]);
    for (uint32_t i = 0; i < b->violation_count; i++)
        if (b->violations[i].depth <= depth && !j->violation[i])
            differ(j, "the violated assertion of process %d at %d, depth %u, was not found", b->violations[i].process + 1,
                   b->violations[i].at.pc, b->violations[i].depth);
}

static bool keeps_states(const struct tryout *t)
{
    return search_keeps_states(t->strategy);
}

static bool takes_paths(const struct tryout *t)
{
    return t->strategy == SEARCH_DFS || t->strategy == SEARCH_ITERATIVE;
}

static void check_coverage(struct judge *j)
{
    const struct tryout *t = j->tryout;
    switch (t->result.coverage) {
    case COVERAGE_ALL:   check_found(j, UINT32_MAX); break;
    case COVERAGE_DEPTH: check_found(j, t->bound); break;
    case COVERAGE_PART:
        if (t->reduction == REDUCTION_NONE || t->reduction == REDUCTION_SLEEP || keeps_states(t))
            differ(j, "claims to have covered only a part, where a bound cannot hide anything");
        break;
    }
    bool cut = takes_paths(t) ? t->result.counts.depth_cut > 0 : t->result.stopped_by == STOPPED_MAX_DEPTH;
    if (!cut && t->result.coverage != COVERAGE_ALL)
        differ(j, "nothing was cut, and yet it claims not to have covered all");
    if (t->result.coverage != COVERAGE_ALL && (!t->bound || t->brute->longest <= t->bound))
        differ(j, "no path is longer than the bound, and yet it claims not to have covered all");
    if (t->result.stopped_by != (cut ? STOPPED_MAX_DEPTH : STOPPED_NOTHING))
        differ(j, "says it was stopped by %s", search_stop_names[t->result.stopped_by]);
}

static void check_count(struct judge *j, const char *what, uint64_t got, uint64_t expected)
{
    if (got != expected)
        differ(j, "%s: %llu, should be %llu", what, (unsigned long long)got, (unsigned long long)expected);
}

static void check_paths(struct judge *j)
{
    const struct tryout *t = j->tryout;
    const struct counts *c = &t->result.counts;
    struct brute_tree tree;
    if (!brute_tree(t->brute, t->strategy == SEARCH_ITERATIVE ? t->result.layer : t->bound, TRIAL_MOST, &tree))
        return;
    if (c->transitions > tree.transitions)
        differ(j, "%llu transitions, more than the %llu there are", (unsigned long long)c->transitions,
               (unsigned long long)tree.transitions);
    if (t->reduction != REDUCTION_NONE)
        return;
    check_count(j, "transitions", c->transitions, tree.transitions);
    check_count(j, "states", c->states, tree.transitions + 1);
    check_count(j, "executions", c->executions, tree.executions);
    check_count(j, "depth_cut", c->depth_cut, tree.depth_cut);
    check_count(j, "sleep_cut", c->sleep_cut, 0);
    check_count(j, "max_depth", c->max_depth, tree.longest);
}

static void check_states(struct judge *j)
{
    const struct tryout *t = j->tryout;
    const struct brute *b = t->brute;
    uint64_t states = 0, transitions = 0;
    for (uint32_t i = 0; i < b->expanded; i++) {
        states += !t->bound || b->distance[i] <= t->bound;
        transitions += !t->bound || b->distance[i] < t->bound ? b->first[i + 1] - b->first[i] : 0;
    }
    check_count(j, "states", t->result.counts.states, states);
    if (t->reduction != REDUCTION_SLEEP || t->bound)
        check_count(j, "transitions", t->result.counts.transitions, transitions);
    else if (t->result.counts.transitions > transitions)
        differ(j, "more transitions than the %llu there are", (unsigned long long)transitions);
}

/* No more states are replaced than were entered; of which it says about how many are different. */
static void check_cached(struct judge *j)
{
    const struct tryout *t = j->tryout;
    uint64_t entered = t->result.counts.states, all = t->brute->states, distinct = t->result.cache.distinct, slack = 5 + all / 20;
    if (t->too_small && t->cache > all)
        differ(j, "all states would fit into the cache, and it says that the path does not");
    if (t->too_small || t->merge != MERGE)
        return;
    if (entered < all || entered > t->result.cache.replaced + t->cache || (t->cache >= all && entered != all))
        differ(j, "entered %llu states, and replaced %llu", (unsigned long long)entered, (unsigned long long)t->result.cache.replaced);
    if (distinct + slack < all || distinct > all + slack || distinct > entered)
        differ(j, "%llu different states, should be %llu", (unsigned long long)distinct, (unsigned long long)all);
}

static uint32_t layer_of(uint32_t depth, uint32_t incr)
{
    return depth ? (depth + incr - 1) / incr : 1;
}

/* Breadth first: a shortest error first. In layers: one that is in the layer of the shortest. */
static void check_first_error(struct judge *j)
{
    const struct brute *b = j->tryout->brute;
    uint32_t shortest = UINT32_MAX, incr = j->tryout->incr;
    bool promises_depth = j->tryout->reduction == REDUCTION_NONE || j->tryout->reduction == REDUCTION_SLEEP;
    for (uint32_t i = 0; i < b->states; i++)
        if (b->deadlock[i] && b->distance[i] < shortest)
            shortest = b->distance[i];
    for (uint32_t i = 0; i < b->violation_count; i++)
        if (b->violations[i].depth < shortest)
            shortest = b->violations[i].depth;
    if (j->first_error == UINT32_MAX || shortest == UINT32_MAX)
        return;
    if (j->tryout->strategy == SEARCH_BFS)
        check_count(j, "depth of the first error", j->first_error, shortest);
    if (j->tryout->strategy == SEARCH_ITERATIVE && promises_depth && layer_of(j->first_error, incr) > layer_of(shortest, incr))
        differ(j, "the first error found is at depth %u, where one is at %u", j->first_error, shortest);
}

/* ---- all of it ---- */

static void search(struct judge *j)
{
    struct tryout *t = j->tryout;
    struct system *system = j->stage.system;
    struct search_settings settings = { .strategy = t->strategy, .reduction = t->reduction, .max_depth = t->bound,
                                        .depth_incr = t->incr, .check = t->bound != 0, .cache = t->cache, .cache_policy = t->policy,
                                        .stop_at_state = t->stop, .seed = t->seed };
    struct watcher watcher = { .self = j, .found = found };
    uint32_t words = system_state_words(system), *before = malloc(2 * words * sizeof *before), *after = before + words;
    assert(before);
    system_save(system, before);
    uint64_t enabled = system->enabled;
    struct err err = { .text = "" };
    int failed = search_run(system, &settings, &watcher, &t->result, &err);
    t->too_small = failed && t->cache && strstr(err.text, "the cache has no room");
    if (failed && !t->too_small)
        differ(j, "the search failed");
    system_save(system, after);
    if (memcmp(before, after, words * sizeof *before) || enabled != system->enabled)
        differ(j, "the system is not back where the search began");
    free(before);
}

void tryout_run(struct tryout *t)
{
    const struct brute *b = t->brute;
    struct judge j = { .tryout = t, .first_error = UINT32_MAX };
    t->wrong[0] = '\0';
    stage_open(&j.stage, b->program, t->rules, t->merge);
    if (t->walk && !walk_again(&j.stage, t->walk, NULL))
        differ(&j, "the same steps lead elsewhere");
    j.first = b->worlds[0];
    j.deadlock = calloc(b->states, sizeof *j.deadlock);
    j.violation = calloc(b->violation_count + 1, sizeof *j.violation);
    assert(j.deadlock && j.violation);
    search(&j);
    t->runs = j.stage.runs;
    if (!t->too_small && !t->stop)
        check_coverage(&j);
    if (t->cache)
        check_cached(&j);
    if (takes_paths(t))
        check_paths(&j);
    if (keeps_states(t) && t->reduction == REDUCTION_NONE && t->merge == MERGE && !t->too_small && !t->result.cache.replaced
        && !t->stop)
        check_states(&j);
    check_first_error(&j);
    free(j.deadlock);
    free(j.violation);
    stage_close(&j.stage);
}
