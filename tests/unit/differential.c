/* Random programs: every strategy and every reduction must find what brute force finds, count what it counts, and claim no
 * more than is so.
 *
 *     differential [programs [first seed]]
 * SPDX-License-Identifier: MIT */
#include "brute.h"
#include "generate.h"
#include "random.h"
#include "traces.h"
#include "tryout.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    PROGRAMS    = 1500,
    MOST_STATES = 6000,
    MOST_PATHS  = 30000,             /* transitions of a stateless search without reduction */
    MOST_BAD    = 3,                 /* failures before we give up */
    WALK        = 12,
    PATIENCE    = 300                /* seconds for one program */
};

struct totals {
    uint64_t searches, deadlocks, violations, endless, huge, skipped, part[REDUCTION_COUNT], bounded[REDUCTION_COUNT];
    uint64_t counted, traces;        /* programs, and their executions but for the order of independent transitions */
};

/* Where we are, for the handler of a crash inside what is tested. */
static char whereabouts[512];

struct failure { char tryout[256], wrong[512]; };

/* One program in the hands of the test. */
struct test {
    const struct program *program;
    struct brute          brute;
    struct walk           walk;
    struct random         random;
    bool                  finite;            /* all its paths can be counted and searched one by one */
    uint32_t              bound;             /* a depth that cuts, 0: none */
    struct failure       *failure;
    struct totals        *totals;
};

static bool try_search(struct test *t, struct tryout tryout)
{
    tryout.brute = &t->brute;
    tryout.walk = &t->walk;
    tryout.incr = (uint32_t)random_between(&t->random, 1, 5);
    tryout_name(&tryout, t->failure->tryout, sizeof t->failure->tryout);
    snprintf(whereabouts, sizeof whereabouts, "seed %llu: %s\n", (unsigned long long)t->program->seed, t->failure->tryout);
    tryout_run(&tryout);
    t->totals->searches++;
    t->totals->bounded[tryout.reduction] += tryout.result.stopped_by == STOPPED_MAX_DEPTH;
    t->totals->part[tryout.reduction] += tryout.result.coverage == COVERAGE_PART;
    memcpy(t->failure->wrong, tryout.wrong, sizeof tryout.wrong);
    return !tryout.wrong[0];
}

/* Would it come to an end? */
static bool ends(const struct test *t, enum strategy strategy, uint32_t bound)
{
    if (bound)
        return true;
    if (strategy != SEARCH_AUTO && !search_keeps_states(strategy))
        return t->finite;
    return t->brute.complete == UINT32_MAX;
}

static bool try_pair(struct test *t, enum strategy strategy, enum reduction reduction, uint32_t bound)
{
    if (!ends(t, strategy, bound))
        return true;
    struct tryout tryout = { .strategy = strategy, .reduction = reduction, .bound = bound, .rules = RULES_SOME };
    if (!try_search(t, tryout))
        return false;
    if (reduction == REDUCTION_PERSISTENT)
        for (tryout.rules = RULES_NONE; tryout.rules <= RULES_ALL; tryout.rules += RULES_ALL - RULES_NONE)
            if (!try_search(t, tryout))
                return false;
    tryout.rules = RULES_NONE;
    tryout.merge = NEVER_MERGE;
    return !t->finite || !random_percent(&t->random, 10) || try_search(t, tryout);
}

static bool try_all(struct test *t)
{
    for (int strategy = 0; strategy < STRATEGY_COUNT; strategy++)
        for (int reduction = 0; reduction < REDUCTION_COUNT; reduction++) {
            if (strategy == SEARCH_RANDOM || search_refuses(strategy, reduction))
                continue;
            if (!try_pair(t, strategy, reduction, 0) || (t->bound && !try_pair(t, strategy, reduction, t->bound)))
                return false;
        }
    return true;
}

static enum verdict ignore(void *self, enum error_kind kind, int process, const struct step *path, uint32_t depth)
{
    (void)self, (void)kind, (void)process, (void)path, (void)depth;
    return GO_ON;
}

static bool differs(struct test *t, const char *what, uint64_t got, uint64_t expected)
{
    if (got == expected)
        return false;
    snprintf(t->failure->wrong, sizeof t->failure->wrong, "%s: %llu, should be %llu", what, (unsigned long long)got,
             (unsigned long long)expected);
    return true;
}

/* The optimal reduction searches one execution of each kind, and nothing in vain. */
static bool count_traces(struct test *t)
{
    struct stage stage;
    struct search_result result;
    struct watcher watcher = { .found = ignore };
    struct search_settings settings = { .strategy = SEARCH_DFS, .reduction = REDUCTION_OPTIMAL, .check = t->program->seed % 2 };
    if (!t->finite)
        return true;
    snprintf(t->failure->tryout, sizeof t->failure->tryout, "dfs optimal, counted");
    snprintf(whereabouts, sizeof whereabouts, "seed %llu: %s\n", (unsigned long long)t->program->seed, t->failure->tryout);
    stage_open(&stage, t->program, RULES_NONE, random_percent(&t->random, 80) ? MERGE : NEVER_MERGE);
    walk_again(&stage, &t->walk, NULL);
    uint64_t traces = traces_count(stage.system, 2 * MOST_PATHS, NULL);
    search_run(stage.system, &settings, &watcher, &result, NULL);
    stage_close(&stage);
    t->totals->counted++;
    t->totals->traces += traces;
    return !differs(t, "executions", result.counts.executions, traces)
        && !differs(t, "sleep_cut", result.counts.sleep_cut, 0) && !differs(t, "surprises", result.counts.surprises, 0);
}

/* A depth at which there is something to cut, but not more paths than can be searched. */
static uint32_t choose_bound(struct test *t)
{
    struct brute_tree tree;
    uint32_t most = 0, enough = t->brute.longest == UINT32_MAX ? 40 : t->brute.longest + 1;
    while (most < enough && brute_tree(&t->brute, most + 1, MOST_PATHS, &tree))
        most++;
    return most ? (uint32_t)random_between(&t->random, 1, (int)most) : 0;
}

static bool walk(struct test *t)
{
    struct stage stage;
    uint32_t from = random_percent(&t->random, 20) ? (uint32_t)random_between(&t->random, 1, 3) : 0;
    snprintf(t->failure->tryout, sizeof t->failure->tryout, "a walk");
    snprintf(whereabouts, sizeof whereabouts, "seed %llu: a walk\n", (unsigned long long)t->program->seed);
    stage_open(&stage, t->program, RULES_SOME, MERGE);
    bool well = walk_random(&stage, &t->walk, WALK, t->program->seed, t->failure->wrong, sizeof t->failure->wrong);
    stage_close(&stage);
    if (t->walk.length > from)
        t->walk.length = from;       /* the searches begin there */
    return well;
}

static void explore(struct test *t)
{
    struct world first;
    struct brute_tree tree;
    world_begin(t->program, &first);
    for (uint32_t i = 0; i < t->walk.length; i++)
        world_step(t->program, &first, t->walk.process[i], t->walk.outcome[i]);
    brute_init(&t->brute, t->program, &first, MOST_STATES);
    t->finite = brute_tree(&t->brute, 0, MOST_PATHS, &tree);
    t->bound = choose_bound(t);
}

static void count(const struct test *t)
{
    bool deadlock = false;
    for (uint32_t i = 0; i < t->brute.states; i++)
        deadlock |= t->brute.deadlock[i];
    t->totals->deadlocks += deadlock;
    t->totals->violations += t->brute.violation_count > 0;
    t->totals->endless += t->brute.longest == UINT32_MAX;
    t->totals->huge += t->brute.longest != UINT32_MAX && !t->finite;
    t->totals->skipped += !t->finite && !t->bound;
}

static bool check(const struct program *p, struct failure *failure, struct totals *totals)
{
    struct test t = { .program = p, .random = { p->seed }, .failure = failure, .totals = totals };
    alarm(PATIENCE);
    if (!walk(&t))
        return false;
    explore(&t);
    count(&t);
    bool well = try_all(&t) && count_traces(&t);
    brute_fini(&t.brute);
    return well;
}

/* ---- failures ---- */

/* Takes instructions out while it still fails, in whatever way. */
static void shrink(struct program *p, struct failure *failure)
{
    struct totals ignored = { 0 };
    bool smaller = true;
    while (smaller) {
        smaller = false;
        for (int process = 0; process < p->processes; process++)
            for (int pc = 0; pc < p->length[process]; pc++) {
                struct program less = *p;
                struct failure found;
                if (less.code[process][pc].kind == DO_NOTHING)
                    continue;
                less.code[process][pc] = (struct instruction){ .kind = DO_NOTHING };
                if (check(&less, &found, &ignored))
                    continue;
                *p = less;
                *failure = found;
                smaller = true;
            }
    }
}

static void report(const char *self, struct program *p, struct failure *failure)
{
    printf("FAILED: %s: %s\n", failure->tryout, failure->wrong);
    shrink(p, failure);
    printf("as small as it gets: %s: %s\n", failure->tryout, failure->wrong);
    madeup_print(p, stdout);
    printf("again: %s 1 %llu\n\n", self, (unsigned long long)p->seed);
    fflush(stdout);
}

static void crashed(int signal)
{
    const char *what = signal == SIGALRM ? "\nFAILED: no end in sight; " : "\nFAILED: crash; ";
    ssize_t ignored = write(1, what, strlen(what));
    ignored += write(1, whereabouts, strlen(whereabouts));
    (void)ignored;
    _exit(1);
}

static void print_totals(const struct totals *t, uint64_t programs, uint64_t first)
{
    printf("differential: %llu programs from seed %llu, %llu searches\n", (unsigned long long)programs,
           (unsigned long long)first, (unsigned long long)t->searches);
    printf("  can deadlock: %llu; can violate an assertion: %llu; endless: %llu; too many paths without a bound: %llu;"
           " skipped: %llu\n", (unsigned long long)t->deadlocks, (unsigned long long)t->violations,
           (unsigned long long)t->endless, (unsigned long long)t->huge, (unsigned long long)t->skipped);
    printf("  counted: %llu programs with %llu executions, but for the order of independent transitions\n",
           (unsigned long long)t->counted, (unsigned long long)t->traces);
    for (int r = 0; r < REDUCTION_COUNT; r++)
        printf("  %s: %llu searches cut by the bound, of which %llu claim only a part\n", search_reduction_names[r],
               (unsigned long long)t->bounded[r], (unsigned long long)t->part[r]);
}

int main(int argc, char **argv)
{
    uint64_t programs = argc > 1 ? strtoull(argv[1], NULL, 10) : PROGRAMS;
    uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    struct totals totals = { 0 };
    int bad = 0;
    signal(SIGABRT, crashed);
    signal(SIGSEGV, crashed);
    signal(SIGALRM, crashed);
    uint64_t done = 0;
    for (; done < programs && bad < MOST_BAD; done++) {
        struct program p;
        struct failure failure;
        generate(&p, first + done);
        if (check(&p, &failure, &totals))
            continue;
        report(argv[0], &p, &failure);
        bad++;
    }
    print_totals(&totals, done, first);
    return bad != 0;
}
