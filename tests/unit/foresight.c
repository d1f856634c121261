/* Made-up programs with threads, behind the header that real ones are behind: whatever is foreseen of them, every search must find
 * what brute force finds, every error's path must be one of the program's, and the optimal reduction must count what it counts when
 * nothing is foreseen. The same when guesses are made wrong on purpose: that costs time, nothing else. Some programs are large, and
 * guesses about them seldom wrong: there sets of paths are sent off, believed while the search goes on, and taken back.
 *
 *     foresight [programs [first seed]]
 * SPDX-License-Identifier: MIT */
#include "random.h"
#include "search/search.h"
#include "sharing.h"
#include "system/guess.h"
#include "troupe.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PROGRAMS = 1100, MOST_STATES = 20000, MOST_ORDERS = 4000, MOST_BAD = 3, PATIENCE = 300, LARGE_EVERY = 15 };

/* ---- guesses that are wrong on purpose ----
 *
 * The linker puts these in the place of those of guess.c. A guess may be any node that is as far from the start as it should be: were
 * it nearer, a path could go round in circles, which the system excludes (group_path.c). */

static struct random mischief;
static int mischief_percent;

static uint32_t distance(const struct system *s, uint32_t process, uint32_t node)
{
    uint32_t count = 0;
    for (; node != NO_NODE && s->nodes[process][node].parent != NO_NODE; node = s->nodes[process][node].parent)
        count++;
    return count;
}

/* UINT32_MAX: this time the guess is left as it is. */
static uint32_t wrong_node(const struct system *s, const struct leg *leg)
{
    enum { FIRST = 3 };                          /* those before it are of no past: not created, started, killed */
    const struct graph *g = &s->graphs[leg->process];
    if (!random_percent(&mischief, mischief_percent) || g->count <= FIRST)
        return UINT32_MAX;
    uint32_t node = (uint32_t)random_between(&mischief, FIRST, (int)g->count - 1);
    return distance(s, leg->process, node) == distance(s, leg->process, leg->from) + 1 ? node : UINT32_MAX;
}

uint32_t __real_guess_where(const struct guess *, const struct system *, const struct leg *, uint32_t);
uint32_t __wrap_guess_where(const struct guess *, const struct system *, const struct leg *, uint32_t);
uint32_t __wrap_guess_where(const struct guess *g, const struct system *s, const struct leg *path, uint32_t at)
{
    uint32_t wrong = wrong_node(s, &path[at]);
    return wrong == UINT32_MAX ? __real_guess_where(g, s, path, at) : wrong;
}

const struct node *__real_guess_common(const struct guess *, const struct system *, uint64_t, const struct leg *);
const struct node *__wrap_guess_common(const struct guess *, const struct system *, uint64_t, const struct leg *);
const struct node *__wrap_guess_common(const struct guess *g, const struct system *s, uint64_t sum, const struct leg *leg)
{
    uint32_t wrong = wrong_node(s, leg);
    return wrong == UINT32_MAX ? __real_guess_common(g, s, sum, leg) : &s->nodes[leg->process][wrong];
}

uint32_t __real_guess_like(const struct guess *, const struct system *, const struct leg *);
uint32_t __wrap_guess_like(const struct guess *, const struct system *, const struct leg *);
uint32_t __wrap_guess_like(const struct guess *g, const struct system *s, const struct leg *leg)
{
    uint32_t wrong = wrong_node(s, leg);
    return wrong == UINT32_MAX ? __real_guess_like(g, s, leg) : wrong;
}

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

struct trial { enum strategy strategy; enum reduction reduction; bool watched; int mischief; };

struct totals { uint64_t searches, cut, runs, wrong, stuck, left_out; };

static bool try_one(const struct sharing *p, struct trial trial, const struct sharing_outcomes *truth, struct search_result *result,
                    struct totals *totals)
{
    struct judge j = { .wrong = "" };
    struct err err = { .text = "" };
    struct search_settings settings = { .strategy = trial.strategy, .reduction = trial.reduction, .depth_incr = 8, .check = p->seed % 2,
                                        .stop_at_state = trial.reduction == REDUCTION_OPTIMAL ? 0 : MOST_ORDERS };
    struct watcher watcher = { .self = &j, .found = found, .state = trial.watched ? see : NULL };
    mischief = (struct random){ p->seed };
    mischief_percent = trial.mischief;
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

/* Of large programs guesses are seldom wrong, for sets of paths grow while all of them are right. */
static bool is_large(uint64_t seed) { return seed % LARGE_EVERY == 0; }

static bool check(const struct sharing *p, struct totals *totals)
{
    static const int often[] = { 0, 10, 60 }, seldom[] = { 0, 1, 3 };
    struct sharing_outcomes truth = { .stuck = NULL };
    bool well = true;
    if (sharing_brute(p, MOST_STATES, &truth)) {
        totals->stuck += truth.stuck_count != 0;
        well = try_optimal(p, is_large(p->seed) ? seldom : often, &truth, totals);
        if (!is_large(p->seed))
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

int main(int argc, char **argv)
{
    uint64_t programs = argc > 1 ? strtoull(argv[1], NULL, 10) : PROGRAMS, first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    struct totals totals = { 0 };
    int bad = 0;
    for (uint64_t i = 0; i < programs && bad < MOST_BAD; i++) {
        struct sharing p;
        alarm(PATIENCE);
        (is_large(first + i) ? sharing_make_up_large : sharing_make_up)(&p, first + i);
        if (check(&p, &totals))
            continue;
        shrink(&p);
        sharing_print(&p, stdout);
        printf("again: %s 1 %" PRIu64 "\n", argv[0], first + i);
        bad++;
    }
    printf("foresight: %" PRIu64 " programs, of which %" PRIu64 " can deadlock; %" PRIu64 " searches, %" PRIu64 " cut; %" PRIu64 " paths run, of which %"
           PRIu64 " were foreseen wrong; %" PRIu64 " transitions left out by who keeps states\n", programs, totals.stuck, totals.searches, totals.cut,
           totals.runs, totals.wrong, totals.left_out);
    return bad != 0;
}
