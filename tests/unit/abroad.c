/* A search of which other processes search parts (search/abroad.h) is, count for count and error for error, that of one: on random programs, of processes and of
 * threads, where missions are late, are answered in any order, give back their work, come to nothing, or answer with what nobody can read; and where guesses
 * about threads are made wrong on purpose, so that parts turn out to have been searched where the program does not go.
 *
 *     abroad [programs [first seed]]
 * SPDX-License-Identifier: MIT */
#include "generate.h"
#include "mischief.h"
#include "random.h"
#include "stage.h"
#include "troupe.h"

#include "search/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { PROGRAMS = 60, MOST_STATES = 20000, MOST_BAD = 3, TASKS = 4 };

/* One start of a made-up program, of processes or of threads. */
struct scene {
    const struct program *processes;             /* NULL: threads: */
    const struct sharing *threads;
    struct stage          stage;
    struct troupe         troupe;
};

static struct system *open_scene(struct scene *s)
{
    if (s->processes)
        stage_open(&s->stage, s->processes, RULES_NONE, MERGE);
    else
        troupe_open(&s->troupe, s->threads, false);
    return s->processes ? s->stage.system : s->troupe.system;
}

static void close_scene(struct scene *s)
{
    if (s->processes)
        stage_close(&s->stage);
    else
        troupe_close(&s->troupe);
}

/* ---- the others ---- */

struct waiting { uint64_t number, *words; uint32_t count; };
struct others {
    const struct scene    *scene;
    struct search_settings settings;
    struct random          random;
    struct waiting         waiting[TASKS + 2];
    uint32_t               count, patience;      /* looks after which the one that is searched is late */
    uint64_t              *answer;
    uint32_t               answered;
    uint64_t               missions, empty, dropped;
};

static bool send_one(void *self, uint64_t number, const uint64_t *words, uint32_t count)
{
    struct others *o = self;
    struct waiting *w = &o->waiting[o->count++];
    *w = (struct waiting){ number, malloc(count * sizeof *words), count };
    memcpy(w->words, words, count * sizeof *words);
    return true;
}

static bool is_late(void *self)
{
    struct others *o = self;
    return !o->patience || !--o->patience;
}

static void take_answer(void *self, const uint64_t *words, uint32_t count)
{
    struct others *o = self;
    o->answer = malloc(count * sizeof *words);
    memcpy(o->answer, words, count * sizeof *words);
    o->answered = count;
    if (random_percent(&o->random, 3))
        o->answer[random_below(&o->random, (int)count)] ^= UINT64_C(1) << random_below(&o->random, 64);
}

static void do_one(struct others *o, const struct waiting *w)
{
    struct scene scene = *o->scene;
    struct search_settings set = o->settings;
    struct search_result result;
    struct watcher nobody = { 0 };
    struct err err;
    o->answer = NULL;
    o->patience = random_percent(&o->random, 50) ? (uint32_t)random_between(&o->random, 1, 60) : 1000000;
    set.dispatch = (struct dispatch){ 0 };
    set.commission = (struct commission){ w->words, w->count, o, is_late, NULL, take_answer };
    search_run(open_scene(&scene), &set, &nobody, &result, &err);
    close_scene(&scene);
    o->missions++;
    o->empty += !o->answer;
}

static bool hear_one(void *self, int milliseconds, uint64_t *number, uint64_t **words, uint32_t *count)
{
    struct others *o = self;
    if (!o->count || (!milliseconds && random_percent(&o->random, 70)))
        return false;
    uint32_t which = (uint32_t)random_below(&o->random, (int)o->count);
    struct waiting w = o->waiting[which];
    o->waiting[which] = o->waiting[--o->count];
    if (random_percent(&o->random, 10))
        o->answer = NULL;            /* it died */
    else
        do_one(o, &w);
    *number = w.number;
    *words = o->answer;
    *count = o->answer ? o->answered : 0;
    free(w.words);
    return true;
}

static void drop_one(void *self, uint64_t number)
{
    struct others *o = self;
    for (uint32_t i = o->count; i-- > 0;)
        if (o->waiting[i].number == number) {
            free(o->waiting[i].words);
            o->waiting[i] = o->waiting[--o->count];
            o->dropped++;
        }
}

static bool has_begun(void *self, uint64_t number)
{
    (void)number;
    return random_percent(&((struct others *)self)->random, 80);
}

static void hurry(void *self, uint64_t number) { (void)self, (void)number; }

/* ---- what came of it ---- */

struct outcome_seen {
    struct search_result result;
    uint64_t found, errors;          /* a number for all of them, in their order */
    uint64_t local[MAX_PROCESSES];
};

static enum verdict note(void *self, enum error_kind kind, int process, const struct step *path, uint32_t depth)
{
    struct outcome_seen *o = self;
    uint64_t words[] = { o->found, kind, (uint64_t)process, depth };
    o->found = XXH3_64bits(words, sizeof words);
    for (uint32_t i = 0; i < depth; i++)
        o->found = (o->found ^ ((uint64_t)path[i].process << 32 | path[i].choice)) * UINT64_C(0x9e3779b97f4a7c15) + 1;
    o->errors++;
    return GO_ON;
}

static enum verdict note_first(void *self, enum error_kind kind, int process, const struct step *path, uint32_t depth)
{
    note(self, kind, process, path, depth);
    return STOP;
}

static void run(const struct scene *s, const struct search_settings *set, bool first, struct outcome_seen *to)
{
    struct scene scene = *s;
    struct watcher watcher = { .self = to, .found = first ? note_first : note };
    struct err err;
    *to = (struct outcome_seen){ 0 };
    struct system *system = open_scene(&scene);
    search_run(system, set, &watcher, &to->result, &err);
    for (int p = 0; p < system->processes; p++)
        to->local[p] = system_local_states(system, p) + to->result.elsewhere[p];
    close_scene(&scene);
}

static bool same(const struct outcome_seen *a, const struct outcome_seen *b)
{
    const struct counts *c = &a->result.counts, *d = &b->result.counts;
    return c->states == d->states && c->transitions == d->transitions && c->executions == d->executions && c->sleep_cut == d->sleep_cut
        && c->depth_cut == d->depth_cut && c->max_depth == d->max_depth && c->untried == d->untried && a->result.stopped_by == b->result.stopped_by
        && a->result.coverage == b->result.coverage && a->found == b->found && a->errors == b->errors && !memcmp(a->local, b->local, sizeof a->local);
}

static void print(const char *who, const struct outcome_seen *o)
{
    const struct counts *c = &o->result.counts;
    printf("  %s: states %llu, transitions %llu, executions %llu, sleep_cut %llu, depth_cut %llu, max_depth %u, stopped by %s, coverage %d, errors %llu (%llx), local",
           who, (unsigned long long)c->states, (unsigned long long)c->transitions, (unsigned long long)c->executions, (unsigned long long)c->sleep_cut,
           (unsigned long long)c->depth_cut, c->max_depth, search_stop_names[o->result.stopped_by], o->result.coverage, (unsigned long long)o->errors,
           (unsigned long long)o->found);
    for (int p = 0; p < 5; p++)
        printf(" %llu", (unsigned long long)o->local[p]);
    printf("\n");
}

struct totals { uint64_t searches, missions, empty, dropped, errors, used[2][REDUCTION_COUNT], states[2][REDUCTION_COUNT], all[2][REDUCTION_COUNT]; };

/* False: they differ. */
static bool compare(const struct scene *s, struct search_settings set, uint64_t seed, bool first, int percent, struct totals *totals)
{
    struct outcome_seen alone, divided;
    mischief_begin(seed, percent);
    run(s, &set, first, &alone);
    struct others others = { .scene = s, .settings = set, .random = { seed } };
    set.dispatch = (struct dispatch){ .tasks = TASKS, .stops = first, .far = seed % 2, .self = &others, .send = send_one, .hear = hear_one, .begun = has_begun,
                                      .hurry = hurry, .drop = drop_one };
    run(s, &set, first, &divided);
    totals->searches++;
    totals->missions += others.missions;
    totals->empty += others.empty;
    totals->dropped += others.dropped;
    totals->errors += alone.errors;
    totals->used[!s->processes][set.reduction] += divided.result.divided.used;
    totals->states[!s->processes][set.reduction] += divided.result.divided.states;
    totals->all[!s->processes][set.reduction] += alone.result.counts.states;
    if (same(&alone, &divided) && !others.count)
        return true;
    printf("FAILED: seed %llu, %d percent wrong, %s, %s %s, max_depth %u, stop_at_state %llu%s: %u missions left\n", (unsigned long long)seed, percent, s->processes ? "processes" : "threads",
           search_strategy_names[set.strategy], search_reduction_names[set.reduction], set.max_depth, (unsigned long long)set.stop_at_state, first ? ", to the first error" : "", others.count);
    print("alone", &alone);
    print("divided", &divided);
    return false;
}

static bool try_all(const struct scene *s, uint64_t seed, struct totals *totals)
{
    static const int wrong[] = { 0, 5, 30 };     /* percent of all guesses; `optimal` alone guesses, of threads alone */
    struct random random = { seed };
    bool well = true;
    for (int r = 0; r < REDUCTION_COUNT && well; r++) {
        struct search_settings set = { .strategy = SEARCH_DFS, .reduction = (enum reduction)r, .max_depth = (uint32_t)random_between(&random, 4, r == REDUCTION_NONE ? 12 : r == REDUCTION_OPTIMAL ? 80 : 40),
                                       .depth_given = true, .depth_incr = 5, .stop_at_state = random_percent(&random, 15) ? (uint64_t)random_between(&random, 5, 3000) : MOST_STATES,
                                       .livelock_limit = random_percent(&random, 30) ? 3 : 0 };
        if (random_percent(&random, 25))
            set.strategy = SEARCH_ITERATIVE;
        bool first = random_percent(&random, 20);
        if (!search_refuses_dispatch(set.strategy, set.reduction))
            for (int i = 0; i < (s->threads && r == REDUCTION_OPTIMAL ? 3 : 1) && well; i++)
                well = compare(s, set, seed, first, wrong[i], totals);
    }
    return well;
}

int main(int argc, char **argv)
{
    uint64_t programs = argc > 1 ? strtoull(argv[1], NULL, 10) : PROGRAMS, first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    struct totals totals = { 0 };
    int bad = 0;
    for (uint64_t seed = first; seed < first + programs && bad < MOST_BAD; seed++) {
        struct program processes;
        struct sharing threads;
        generate(&processes, seed);
        (seed % 4 ? sharing_make_up : sharing_make_up_large)(&threads, seed);
        bad += !try_all(&(struct scene){ .processes = &processes }, seed, &totals);
        bad += !try_all(&(struct scene){ .threads = &threads }, seed, &totals);
    }
    printf("abroad: %llu searches with %llu errors; %llu missions, of which %llu came to nothing; %llu dropped\n", (unsigned long long)totals.searches,
           (unsigned long long)totals.errors, (unsigned long long)totals.missions, (unsigned long long)totals.empty, (unsigned long long)totals.dropped);
    for (int r = 0; r < REDUCTION_COUNT; r++)
        for (int g = 0; g < 2; g++)
            if (totals.all[g][r])
                printf("  %s, %s: %llu parts with %llu of %llu states were used\n", g ? "threads" : "processes", search_reduction_names[r],
                       (unsigned long long)totals.used[g][r], (unsigned long long)totals.states[g][r], (unsigned long long)totals.all[g][r]);
    return bad != 0;
}
