/* Made-up programs with threads, behind the header that real ones are behind: whatever is foreseen of them, every search must find
 * what brute force finds, every error's path must be one of the program's, and the optimal reduction must count what it counts when
 * nothing is foreseen. The same when guesses are made wrong on purpose: that costs time, nothing else. Some programs are large, and
 * guesses about them seldom wrong: there sets of paths are sent off, believed while the search goes on, and taken back. Of these some
 * are searched once more with limits: what is told then, and counted, is the beginning of what a search without foresight tells.
 *
 *     foresight [programs [first seed]]
 * SPDX-License-Identifier: MIT */
#include "base/memory.h"
#include "mischief.h"
#include "search/search.h"
#include "sharing.h"
#include "system/group.h"
#include "troupe.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PROGRAMS = 250, MOST_STATES = 20000, MOST_ORDERS = 4000, MOST_BAD = 3, PATIENCE = 300, LARGE_EVERY = 15 };

/* ---- comparing ---- */

struct judge {
    struct troupe           stage;
    struct sharing_outcomes found;
    char                    wrong[1100];
};

static void differ(struct judge *j, const char *what, uint32_t depth)
{
    if (!j->wrong[0])
        snprintf(j->wrong, sizeof j->wrong, "%s, at depth %u", what, depth);
}

/* Follows the path in a world of our own; false where the program could not have done so. */
static bool follow(const struct troupe *s, const struct step *path, uint32_t depth, struct sharing_world *w)
{
    struct troupe_actor a = { 0 };
    sharing_world_begin(s->program, w);
    for (uint32_t i = 0; i < depth; i++) {
        struct leg leg = { .process = path[i].process, .from = path[i].node, .result = path[i].result };
        int thread = a.thread_of[leg.process];
        struct arrival there;
        if (!sharing_can_go(s->program, w, thread))
            return false;
        uint8_t kind = sharing_at(s->program, &w->memory, thread)->kind;
        bool tries = w->life[thread] == 2 && (kind == AT_TRYLOCK || kind == AT_TRYWAIT || kind == AT_TOSS);
        bool worked = sharing_step(s->program, w, thread, path[i].choice);
        if (tries && worked != (leg.result == 0))
            return false;
        troupe_go(s, &a, &leg);
        troupe_arrive(s, &a, (int)leg.process, &there);
        if (memcmp(&a.memory, &w->memory, sizeof a.memory)
            || there.fingerprint[1] != troupe_node(s, leg.process, path[i].next)->fingerprint[1])
            return false;
    }
    return true;
}

static enum verdict found(void *self, enum error_kind kind, int process, const struct step *path, uint32_t depth)
{
    struct judge *j = self;
    struct sharing_world w;
    system_check(j->stage.system);
    if (!follow(&j->stage, path, depth, &w))
        differ(j, "a path that is none of the program's", depth);
    else if (kind == ERROR_ASSERTION && process == 0)
        j->found.sums[(uint8_t)system_pending(j->stage.system, process)->op.arg[1]] = true;
    else if (kind == ERROR_DEADLOCK && sharing_stuck(j->stage.program, &w))
        sharing_note_stuck(&j->found, sharing_hash(&w));
    else
        differ(j, "an error that is none", depth);
    return GO_ON;
}

/* Every state that is entered. Who watches forgoes foresight. */
static void see(void *self, uint64_t number, uint32_t depth)
{
    const struct judge *j = self;
    (void)number, (void)depth;
    system_check(j->stage.system);
}

/* Of large programs guesses are seldom wrong, for sets of paths grow while all of them are right. */
static bool is_large(uint64_t seed) { return seed % LARGE_EVERY == 0; }

struct trial { enum strategy strategy; enum reduction reduction; bool watched; int mischief; };

/* Of large programs, without mischief: `turns` that the program had where nothing was foreseen, and where it was, for so many paths. */
struct totals { uint64_t searches, cut, runs, wrong, stuck, left_out, unforeseen_turns, turns, paths; };

static bool try_one(const struct sharing *p, struct trial trial, const struct sharing_outcomes *truth, struct search_result *result,
                    struct totals *totals)
{
    struct judge j = { .wrong = "" };
    struct err err = { .text = "" };
    struct search_settings settings = { .strategy = trial.strategy, .reduction = trial.reduction, .depth_incr = 8, .check = p->seed % 2,
                                        .stop_at_state = trial.reduction == REDUCTION_OPTIMAL ? 0 : MOST_ORDERS };
    struct watcher watcher = { .self = &j, .found = found, .state = trial.watched ? see : NULL };
    mischief_begin(p->seed, trial.mischief);
    troupe_open(&j.stage, p, false);
    if (search_run(j.stage.system, &settings, &watcher, result, &err))
        differ(&j, err.text, 0);
    bool all = result->stopped_by != STOPPED_STOP_AT_STATE;      /* else there are too many orders */
    totals->cut += !all;
    if (all && !j.wrong[0] && !sharing_same_outcomes(&j.found, truth))
        differ(&j, "other outcomes than by brute force", 0);
    if ((all && result->coverage != COVERAGE_ALL) || result->counts.surprises || result->counts.untried)
        differ(&j, "not all was searched", 0);
    if (j.stage.system->group && system_path_length(j.stage.system))
        differ(&j, "the system is not back where the search began", 0);
    system_check(j.stage.system);
    totals->searches++;
    totals->runs += j.stage.runs;
    totals->wrong += j.stage.wrong;
    if (is_large(p->seed) && trial.reduction == REDUCTION_OPTIMAL && !trial.mischief) {
        totals->unforeseen_turns += trial.watched ? j.stage.turns : 0;
        totals->turns += trial.watched ? 0 : j.stage.turns;
        totals->paths += trial.watched ? 0 : j.stage.runs;
    }
    if (j.wrong[0])
        printf("FAILED: seed %" PRIu64 ": %s %s%s, %d percent wrong: %s\n", p->seed, search_strategy_names[trial.strategy],
               search_reduction_names[trial.reduction], trial.watched ? ", watched" : "", trial.mischief, j.wrong);
    sharing_outcomes_fini(&j.found);
    troupe_close(&j.stage);
    return !j.wrong[0];
}

static bool same_counts(const struct sharing *p, const struct counts *a, const struct counts *b)
{
    bool same = a->executions == b->executions && a->transitions == b->transitions && a->states == b->states
             && a->sleep_cut == b->sleep_cut;
    if (!same)
        printf("FAILED: seed %" PRIu64 ": %" PRIu64 " executions, %" PRIu64 " transitions; foreseeing nothing: %" PRIu64 ", %" PRIu64
               "\n", p->seed, a->executions, a->transitions, b->executions, b->transitions);
    return same;
}

/* Every reduction that runs the program at each step. */
static bool try_others(const struct sharing *p, const struct sharing_outcomes *truth, struct totals *totals)
{
    struct search_result result;
    for (int r = REDUCTION_NONE; r < REDUCTION_OPTIMAL; r++)
        if (!try_one(p, (struct trial){ SEARCH_DFS, r, false, 0 }, truth, &result, totals))
            return false;
    return true;
}

static enum verdict go_on(void *self, enum error_kind kind, int process, const struct step *path, uint32_t depth)
{
    (void)self, (void)kind, (void)process, (void)path, (void)depth;
    return GO_ON;
}

/* A search that keeps states enters as many as brute force, with sleep sets too; these leave out transitions, and nothing else. */
static bool try_states(const struct sharing *p, enum reduction reduction, const struct sharing_outcomes *truth, struct totals *totals)
{
    struct troupe t;
    struct search_result result;
    struct err err = { .text = "" };
    struct search_settings settings = { .strategy = SEARCH_STATEFUL, .reduction = reduction };
    troupe_open(&t, p, true);
    bool well = !search_run(t.system, &settings, &(struct watcher){ .found = go_on }, &result, &err);
    troupe_close(&t);
    const struct counts *c = &result.counts;
    bool same = reduction == REDUCTION_NONE ? c->transitions == truth->transitions : c->transitions <= truth->transitions;
    well = well && same && result.coverage == COVERAGE_ALL && c->states == truth->states;
    totals->searches++;
    totals->left_out += well ? truth->transitions - c->transitions : 0;
    if (!well)
        printf("FAILED: seed %" PRIu64 ": stateful %s: %" PRIu64 " states, %" PRIu64 " transitions; brute force: %u, %u %s\n", p->seed,
               search_reduction_names[reduction], c->states, c->transitions, truth->states, truth->transitions, err.text);
    return well;
}

/* Foreseeing, with so many percent of wrong guesses each time, as when nothing is foreseen. */
static bool try_optimal(const struct sharing *p, const int mischiefs[3], const struct sharing_outcomes *truth, struct totals *totals)
{
    struct search_result watched, result;
    bool well = try_one(p, (struct trial){ SEARCH_DFS, REDUCTION_OPTIMAL, true, 0 }, truth, &watched, totals);
    for (int i = 0; i < 3 && well; i++)
        well = try_one(p, (struct trial){ SEARCH_DFS, REDUCTION_OPTIMAL, false, mischiefs[i] }, truth, &result, totals)
            && same_counts(p, &result.counts, &watched.counts);
    return well;
}

/* ---- searches that a limit ends ----
 *
 * It may come while paths are believed. What was told of executions is compared with what a search tells that foresees nothing: the
 * first of these, in the same order, and as many as are counted; and the transitions are those of their tree, but for the path that the
 * limit has cut. */

enum { MOST_STEPS = 96 };

struct execution { uint32_t count; uint16_t steps[MOST_STEPS]; };
struct told {
    struct judge      judge;
    struct execution *all;
    uint32_t          count, room;
    uint32_t          interrupt_after;           /* so many executions; 0: never */
    volatile int      interrupt;
};

static void tell(void *self, uint64_t number, const struct step *path, uint32_t depth)
{
    struct told *t = self;
    assert(number <= t->count && depth <= MOST_STEPS);
    t->count = (uint32_t)number;                 /* what came after it is void */
    ARRAY_GROW(t->all, t->count, t->room);
    struct execution *e = &t->all[t->count++];
    for (e->count = 0; e->count < depth; e->count++)
        e->steps[e->count] = (uint16_t)(path[e->count].process << 8 | path[e->count].choice);
    if (t->count == t->interrupt_after)
        t->interrupt = OUT_OF_TIME;
}

static uint32_t common(const struct execution *a, const struct execution *b)
{
    uint32_t same = 0;
    while (same < a->count && same < b->count && a->steps[same] == b->steps[same])
        same++;
    return same;
}

static uint64_t edges(const struct told *t)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < t->count; i++)
        count += t->all[i].count - (i ? common(&t->all[i - 1], &t->all[i]) : 0);
    return count;
}

static bool begins_as(const struct told *whole, const struct told *part)
{
    bool same = part->count <= whole->count;
    for (uint32_t i = 0; i < part->count && same; i++)
        same = part->all[i].count == whole->all[i].count && common(&part->all[i], &whole->all[i]) == part->all[i].count;
    return same;
}

static struct search_result search_told(const struct sharing *p, struct search_settings *settings, struct told *t, int mischief_of, bool watched)
{
    struct search_result result;
    struct err err = { .text = "" };
    struct watcher watcher = { .self = t, .found = found, .state = watched ? see : NULL, .execution = tell };
    settings->strategy = SEARCH_DFS;
    settings->reduction = REDUCTION_OPTIMAL;
    settings->depth_given = true;
    settings->interrupt = &t->interrupt;
    settings->check = p->seed % 2;
    mischief_begin(p->seed, mischief_of);
    troupe_open(&t->judge.stage, p, false);
    if (search_run(t->judge.stage.system, settings, &watcher, &result, &err))
        differ(&t->judge, err.text, 0);
    if (system_path_length(t->judge.stage.system))
        differ(&t->judge, "the system is not back where the search began", 0);
    system_check(t->judge.stage.system);
    const struct counts *c = &result.counts;
    uint64_t counted = c->executions + c->sleep_cut + c->depth_cut;
    if (counted > t->count)
        differ(&t->judge, "executions are counted that were not told", 0);
    t->count = counted < t->count ? (uint32_t)counted : t->count;
    uint64_t cut = c->transitions - edges(t);
    if (c->states != c->transitions + 1 || (result.stopped_by == STOPPED_NOTHING ? cut != 0 : cut > MOST_STEPS))
        differ(&t->judge, "the transitions are not those of the executions", 0);
    sharing_outcomes_fini(&t->judge.found);
    troupe_close(&t->judge.stage);
    return result;
}

static bool try_limit(const struct sharing *p, struct search_settings settings, uint32_t interrupt_after, const struct told *whole)
{
    struct told t = { .interrupt_after = interrupt_after };
    enum stopped_by wanted = interrupt_after ? STOPPED_TIME_LIMIT : STOPPED_STOP_AT_STATE;
    struct search_result result = search_told(p, &settings, &t, 1, false);
    if (result.stopped_by != wanted || result.coverage != COVERAGE_PART)
        differ(&t.judge, "it was not the limit that ended it", 0);
    if (!begins_as(whole, &t))
        differ(&t.judge, "not the beginning of what there is", 0);
    if (t.judge.wrong[0])
        printf("FAILED: seed %" PRIu64 ": a limit after %u executions, or %" PRIu64 " states: %s\n", p->seed, interrupt_after, settings.stop_at_state,
               t.judge.wrong);
    free(t.all);
    return !t.judge.wrong[0];
}

/* Within a bound, as far as it goes, and at other limits, wherever they come. */
static bool try_limits(const struct sharing *p)
{
    struct told whole = { .count = 0 }, bounded = { .count = 0 }, foreseen = { .count = 0 };
    struct search_settings none = { .seed = 0 }, bound = { .seed = 0 };
    struct search_result all = search_told(p, &none, &whole, 0, true);
    bound.max_depth = all.counts.max_depth - all.counts.max_depth / 4;
    struct search_result unforeseen = search_told(p, &bound, &bounded, 0, true), result = search_told(p, &bound, &foreseen, 2, false);
    bool well = !whole.judge.wrong[0] && !bounded.judge.wrong[0] && !foreseen.judge.wrong[0] && same_counts(p, &result.counts, &unforeseen.counts)
             && result.counts.depth_cut == unforeseen.counts.depth_cut && bounded.count == foreseen.count && begins_as(&bounded, &foreseen);
    if (!well)
        printf("FAILED: seed %" PRIu64 ": within %u steps: %s%s%s\n", p->seed, bound.max_depth, whole.judge.wrong, bounded.judge.wrong, foreseen.judge.wrong);
    for (uint32_t part = 1; part < 4 && well && all.counts.states > 8; part++)
        well = try_limit(p, (struct search_settings){ .stop_at_state = part * all.counts.states / 4 }, 0, &whole)
            && try_limit(p, (struct search_settings){ .seed = 0 }, 1 + part * whole.count / 5, &whole);
    free(whole.all);
    free(bounded.all);
    free(foreseen.all);
    return well;
}

static bool check(const struct sharing *p, struct totals *totals)
{
    static const int often[] = { 0, 10, 60 }, seldom[] = { 0, 1, 3 };
    struct sharing_outcomes truth = { .stuck = NULL };
    bool well = true;
    if (sharing_brute(p, MOST_STATES, &truth)) {
        totals->stuck += truth.stuck_count != 0;
        well = try_optimal(p, is_large(p->seed) ? seldom : often, &truth, totals);
        if (is_large(p->seed))
            well = well && try_limits(p);
        else
            well = well && try_others(p, &truth, totals) && try_states(p, REDUCTION_NONE, &truth, totals)
                && try_states(p, REDUCTION_SLEEP, &truth, totals);
    }
    sharing_outcomes_fini(&truth);
    return well;
}

/* Takes instructions out while it still fails. Not those that make the program what it is. */
static void shrink(struct sharing *p)
{
    struct totals ignored = { 0 };
    for (int t = 0; t < p->threads; t++)
        for (int i = 0; i < p->length[t]; i++) {
            struct sharing less = *p;
            uint8_t kind = less.code[t][i].kind;
            if (kind == TO_NOTHING || kind >= AT_CREATE || kind == AT_LOCK || kind == AT_TRYLOCK || kind == AT_UNLOCK)
                continue;
            less.code[t][i].kind = TO_NOTHING;
            if (!check(&less, &ignored))
                *p = less;
        }
}

static bool try_program(uint64_t seed, struct totals *totals, const char *self)
{
    struct sharing p;
    alarm(PATIENCE);
    (is_large(seed) ? sharing_make_up_large : sharing_make_up)(&p, seed);
    if (check(&p, totals))
        return true;
    shrink(&p);
    sharing_print(&p, stdout);
    printf("again: %s 1 %" PRIu64 "\n", self, seed);
    return false;
}

/* Of these a step is taken again when branches of a wakeup tree are below it, and beside the first of them: which is rare. In the first
 * PROGRAMS there are 120 and 210, where something is below it. */
static const uint64_t rare[] = { 665 };

/* What it is for: without foresight the program has a turn at every step; with it at few, and then for several paths. */
static bool is_cheap(const struct totals *t)
{
    bool cheap = t->turns * 6 < t->unforeseen_turns && t->paths * 8 > t->turns * 11;
    if (!cheap)
        printf("FAILED: %" PRIu64 " turns of the program for %" PRIu64 " paths; foreseeing nothing %" PRIu64 "\n", t->turns, t->paths, t->unforeseen_turns);
    return cheap;
}

int main(int argc, char **argv)
{
    uint64_t programs = argc > 1 ? strtoull(argv[1], NULL, 10) : PROGRAMS, first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    struct totals totals = { 0 };
    int bad = 0;
    for (uint64_t i = 0; i < programs && bad < MOST_BAD; i++)
        bad += !try_program(first + i, &totals, argv[0]);
    for (uint32_t i = 0; i < sizeof rare / sizeof *rare && argc < 3; i++)
        bad += !try_program(rare[i], &totals, argv[0]);
    printf("foresight: %" PRIu64 " programs, of which %" PRIu64 " can deadlock; %" PRIu64 " searches, %" PRIu64 " cut; %" PRIu64 " paths run, of which %"
           PRIu64 " were foreseen wrong; %" PRIu64 " transitions left out by who keeps states\n", programs, totals.stuck, totals.searches, totals.cut,
           totals.runs, totals.wrong, totals.left_out);
    if (argc == 1 && !is_cheap(&totals))
        bad++;
    return bad != 0;
}
