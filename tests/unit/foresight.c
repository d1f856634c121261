/* Made-up programs with threads, behind the header that real ones are behind: whatever is foreseen of them, every search must find
 * what brute force finds, every error's path must be one of the program's, and the optimal reduction must count what it counts when
 * nothing is foreseen. The same when guesses are made wrong on purpose: that costs time, nothing else.
 *
 *     foresight [programs [first seed]]
 * SPDX-License-Identifier: MIT */
#include "random.h"
#include "search/search.h"
#include "sharing.h"
#include "system/guess.h"
#include "wire.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PROGRAMS = 1500, MOST_STATES = 20000, MOST_ORDERS = 4000, MOST_BAD = 3, PATIENCE = 300 };

/* A program on stage. */
struct stage {
    const struct sharing *program;
    struct created        objects[SHARING_VARIABLES + SHARING_COUNTERS];
    struct start          start;
    struct history       *history;
    struct texts         *texts;
    struct runner         runner;
    struct system        *system;
    const struct way     *sent;
    uint32_t              sent_count;
    uint64_t              runs, wrong;           /* paths that the program ran, and that it did not do as foreseen */
};

/* ---- the program, run along a path ---- */

struct actor {
    struct sharing_memory memory;
    uint8_t               thread_of[MAX_PROCESSES], process_of[SHARING_THREADS];
};

static struct op make_op(int type, int code, uint32_t object, int first)
{
    return (struct op){ .type = (uint8_t)type, .code = (uint8_t)code, .object = object, .arg = { first } };
}

static struct op operation(const struct sharing *p, const struct actor *a, int thread)
{
    const struct sharing_code *c = sharing_at(p, &a->memory, thread);
    uint32_t mutex = c->object, counter = SHARING_VARIABLES + c->object;
    switch (c->kind) {
    case AT_LOCK:    return make_op(TYPE_MUTEX, MUTEX_LOCK, mutex, MUTEX_NORMAL);
    case AT_TRYLOCK: return make_op(TYPE_MUTEX, MUTEX_TRYLOCK, mutex, MUTEX_NORMAL);
    case AT_UNLOCK:  return make_op(TYPE_MUTEX, MUTEX_UNLOCK, mutex, MUTEX_NORMAL);
    case AT_POST:    return make_op(TYPE_COUNTER, COUNTER_POST, counter, 0);
    case AT_WAIT:    return make_op(TYPE_COUNTER, COUNTER_WAIT, counter, 0);
    case AT_TRYWAIT: return make_op(TYPE_COUNTER, COUNTER_TRYWAIT, counter, 0);
    case AT_CREATE:  return make_op(TYPE_PROCESS, PROCESS_CREATE, NO_OBJECT, 0);
    case AT_JOIN:    return make_op(TYPE_PROCESS, PROCESS_JOIN, NO_OBJECT, a->process_of[c->n]);
    case AT_LEAVE:   return make_op(TYPE_PROCESS, PROCESS_LEAVE, NO_OBJECT, 0);
    case AT_FINISH:  return make_op(TYPE_PROCESS, PROCESS_FINISH, NO_OBJECT, 0);
    case AT_END:     return make_op(TYPE_PROCESS, PROCESS_EXIT, NO_OBJECT, 0);
    default: {
        struct op op = make_op(TYPE_ASSERT, ASSERT_ASSERT, NO_OBJECT, 0);
        op.arg[1] = sharing_sum(&a->memory);
        return op;
    }
    }
}

/* As the runtime's: of the operation, its arguments and its place, in whatever thread. */
static uint64_t digest(const struct op *op)
{
    struct random mix = { op->place << 32 ^ (uint64_t)op->type << 24 ^ (uint64_t)op->code << 16 ^ (uint64_t)op->object << 8 };
    mix.at ^= random_next(&mix) + (uint32_t)op->arg[0] * 31u + (uint32_t)op->arg[1];
    return random_next(&mix) | 1;
}

static void arrive(const struct stage *s, const struct actor *a, int process, struct arrival *arrival)
{
    int thread = a->thread_of[process];
    *arrival = (struct arrival){ .op = operation(s->program, a, thread), .mergeable = true };
    arrival->op.process = (uint8_t)process;
    arrival->op.place = (uint64_t)thread << 8 | a->memory.pc[thread];
    arrival->fingerprint[1] = digest(&arrival->op);
}

static const struct node *node_of(const struct stage *s, uint32_t process, uint32_t node)
{
    return &s->history->graphs[process].nodes[node];
}

/* It stands where the leg begins, and goes on with the leg's result. */
static void go(const struct stage *s, struct actor *a, const struct leg *leg)
{
    int thread = a->thread_of[leg->process];
    const struct node *from = node_of(s, leg->process, leg->from);
    const struct sharing_code *c = sharing_at(s->program, &a->memory, thread);
    if (from->op.type == TYPE_PROCESS && from->op.code == PROCESS_START) {
        sharing_begin(s->program, &a->memory, thread);
        return;
    }
    struct arrival there;
    arrive(s, a, (int)leg->process, &there);
    assert(there.fingerprint[1] == from->fingerprint[1]);
    if (c->kind == AT_CREATE) {
        a->thread_of[leg->result] = c->n;
        a->process_of[c->n] = (uint8_t)leg->result;
    }
    sharing_go_on(s->program, &a->memory, thread, leg->result == 0);
}

static int run(void *self, const struct leg *path, uint32_t count, uint32_t *right, struct arrival *a, struct err *err)
{
    struct stage *s = self;
    struct actor actor = { 0 };
    (void)err;
    s->runs++;
    for (*right = 0; *right < count; ++*right) {
        const struct leg *leg = &path[*right];
        go(s, &actor, leg);
        arrive(s, &actor, (int)leg->process, a);
        if (leg->to == NO_NODE || node_of(s, leg->process, leg->to)->fingerprint[1] != a->fingerprint[1]) {
            s->wrong += leg->to != NO_NODE;
            return 0;
        }
    }
    return 0;
}

static int set_off(void *self, const struct way *ways, uint32_t count, enum sending how, struct err *err)
{
    struct stage *s = self;
    (void)how, (void)err;
    s->sent = ways;
    s->sent_count = count;
    return 0;
}

static int await(void *self, uint32_t *wrong, uint32_t *right, struct arrival *a, struct err *err)
{
    struct stage *s = self;
    for (*wrong = 0; *wrong < s->sent_count; ++*wrong) {
        run(s, s->sent[*wrong].path, s->sent[*wrong].count, right, a, err);
        if (*right < s->sent[*wrong].count)
            return 0;
    }
    return 0;
}

static void open_stage(struct stage *s, const struct sharing *p)
{
    *s = (struct stage){ .program = p, .history = history_new(), .texts = texts_new() };
    for (int i = 0; i < SHARING_VARIABLES; i++)
        s->objects[i] = (struct created){ .type = TYPE_MUTEX, .number = (uint32_t)i, .index = -1 };
    for (int i = 0; i < SHARING_COUNTERS; i++)
        s->objects[SHARING_VARIABLES + i] = (struct created){ .type = TYPE_COUNTER, .number = (uint32_t)i, .index = -1,
                                                              .arg = { 0, p->initial[i] } };
    s->start = (struct start){ .processes = 1, .objects = s->objects, .group = true };
    s->runner = (struct runner){ .self = s, .run = run, .send = set_off, .await = await };
    s->system = system_new(&(struct system_parts){ &s->start, s->history, &s->runner, s->texts, NULL, NULL, false }, NULL);
    assert(s->system);
}

static void close_stage(struct stage *s)
{
    system_free(s->system);
    history_free(s->history);
    texts_free(s->texts);
}

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
    struct stage            stage;
    struct sharing_outcomes found;
    char                    wrong[1100];
};

static void differ(struct judge *j, const char *what, uint32_t depth)
{
    if (!j->wrong[0])
        snprintf(j->wrong, sizeof j->wrong, "%s, at depth %u", what, depth);
}

/* Follows the path in a world of our own; false where the program could not have done so. */
static bool follow(const struct stage *s, const struct step *path, uint32_t depth, struct sharing_world *w)
{
    struct actor a = { 0 };
    sharing_world_begin(s->program, w);
    for (uint32_t i = 0; i < depth; i++) {
        struct leg leg = { .process = path[i].process, .from = path[i].node, .result = path[i].result };
        int thread = a.thread_of[leg.process];
        struct arrival there;
        if (!sharing_can_go(s->program, w, thread))
            return false;
        bool tries = w->life[thread] == 2 && (sharing_at(s->program, &w->memory, thread)->kind == AT_TRYLOCK
                                              || sharing_at(s->program, &w->memory, thread)->kind == AT_TRYWAIT);
        bool worked = sharing_step(s->program, w, thread);
        if (tries && worked != (leg.result == 0))
            return false;
        go(s, &a, &leg);
        arrive(s, &a, (int)leg.process, &there);
        if (memcmp(&a.memory, &w->memory, sizeof a.memory)
            || there.fingerprint[1] != node_of(s, leg.process, path[i].next)->fingerprint[1])
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

struct totals { uint64_t searches, cut, runs, wrong, stuck; };

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
    open_stage(&j.stage, p);
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
    close_stage(&j.stage);
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

static bool check(const struct sharing *p, struct totals *totals)
{
    static const int mischiefs[] = { 0, 10, 60 };
    struct sharing_outcomes truth = { .stuck = NULL };
    struct search_result watched, result;
    bool well = true;
    if (!sharing_brute(p, MOST_STATES, &truth)) {
        sharing_outcomes_fini(&truth);
        return true;
    }
    totals->stuck += truth.stuck_count != 0;
    well = try_one(p, (struct trial){ SEARCH_DFS, REDUCTION_OPTIMAL, true, 0 }, &truth, &watched, totals);
    for (size_t i = 0; i < sizeof mischiefs / sizeof *mischiefs && well; i++)
        well = try_one(p, (struct trial){ SEARCH_DFS, REDUCTION_OPTIMAL, false, mischiefs[i] }, &truth, &result, totals)
            && same_counts(p, &result.counts, &watched.counts);
    well = well && try_others(p, &truth, totals);
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
        sharing_make_up(&p, first + i);
        if (check(&p, &totals))
            continue;
        shrink(&p);
        sharing_print(&p, stdout);
        printf("again: %s 1 %" PRIu64 "\n", argv[0], first + i);
        bad++;
    }
    printf("foresight: %" PRIu64 " programs, of which %" PRIu64 " can deadlock; %" PRIu64 " searches, %" PRIu64 " cut; %" PRIu64 " paths run, of which %"
           PRIu64 " were foreseen wrong\n", programs, totals.stuck, totals.searches, totals.cut, totals.runs, totals.wrong);
    return bad != 0;
}
