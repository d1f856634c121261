/* Random walks (search/random.c) tell how many executions there are: on random programs, of processes by brute force, of threads by a search without
 * reduction. An estimate without bias is right on average, so the average over all programs is looked at, and how often one is far off.
 *
 *     walks [programs [first seed]]
 * SPDX-License-Identifier: MIT */
#include "brute.h"
#include "check.h"
#include "generate.h"
#include "search/search.h"
#include "stage.h"
#include "troupe.h"

#include <math.h>
#include <stdlib.h>

enum { PROGRAMS = 60, LEAST = 5, MOST_STATES = 2000, STATES = 8000, TRANSITIONS = 100000 };

static struct average { uint64_t programs, far; double ratios, variances; } processes, threads;

static enum verdict found(void *self, enum error_kind kind, int process, const struct step *path, uint32_t depth)
{
    (void)self, (void)kind, (void)process, (void)path, (void)depth;
    return GO_ON;
}

static struct search_result search(struct system *system, enum strategy strategy, uint64_t states, uint64_t seed)
{
    struct search_settings settings = { .strategy = strategy, .reduction = REDUCTION_NONE, .stop_at_state = states, .seed = seed };
    struct watcher watcher = { .found = found };
    struct search_result result;
    struct err err = { .text = "" };
    CHECK(!search_run(system, &settings, &watcher, &result, &err));
    return result;
}

/* Four times its own error away from the truth should nobody be, but who walks seldom where most executions are. */
static void compare(struct average *a, const struct search_result *r, uint64_t truth, uint64_t seed, const char *what)
{
    double estimate = r->counts.executions_estimate, error = r->counts.estimate_error, off = fabs(estimate - (double)truth);
    a->programs++;
    a->ratios += estimate / (double)truth;
    a->variances += error * error / ((double)truth * (double)truth);
    if (off > 4 * error + 0.03 * (double)truth) {
        a->far++;
        printf("seed %llu, %s: %.1f (%.1f) executions of %llu\n", (unsigned long long)seed, what, estimate, error, (unsigned long long)truth);
    }
}

static void try_walks(struct average *a, struct system *system, uint64_t truth, uint64_t seed, const char *what)
{
    struct search_result walks = search(system, SEARCH_RANDOM, STATES, seed);
    CHECK(walks.counts.states == STATES && walks.coverage == COVERAGE_PART);
    compare(a, &walks, truth, seed, what);
}

static void try_processes(uint64_t seed)
{
    struct program program;
    struct stage stage;
    struct brute brute;
    struct world first;
    struct brute_tree tree;
    generate(&program, seed);
    world_begin(&program, &first);
    brute_init(&brute, &program, &first, MOST_STATES);
    stage_open(&stage, &program, RULES_NONE, MERGE);
    if (brute_tree(&brute, 0, TRANSITIONS, &tree) && tree.executions >= LEAST)
        try_walks(&processes, stage.system, tree.executions, seed, "processes");
    stage_close(&stage);
    brute_fini(&brute);
}

static void try_threads(uint64_t seed)
{
    struct sharing program;
    struct troupe troupe;
    sharing_make_up(&program, seed);
    troupe_open(&troupe, &program, false);
    struct search_result all = search(troupe.system, SEARCH_DFS, TRANSITIONS, seed);
    if (all.stopped_by == STOPPED_NOTHING && all.counts.executions >= LEAST)
        try_walks(&threads, troupe.system, all.counts.executions, seed, "threads");
    troupe_close(&troupe);
}

/* Right on average, as far as so many estimates can tell, and hardly ever far off. */
static void judge(const struct average *a, const char *what)
{
    double programs = (double)a->programs, mean = a->ratios / programs, error = sqrt(a->variances) / programs;
    printf("%s: %llu estimates, %.4f of what is true on average, which should be 1 to %.4f or so; %llu far off\n", what,
           (unsigned long long)a->programs, mean, error, (unsigned long long)a->far);
    CHECK(a->programs && fabs(mean - 1) < 3 * error + 0.003);
    CHECK(50 * a->far <= a->programs);
}

int main(int argc, char **argv)
{
    uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : PROGRAMS, first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    for (uint64_t seed = first; seed < first + count; seed++) {
        try_processes(seed);
        try_threads(seed);
    }
    judge(&processes, "processes");
    judge(&threads, "threads");
    return failures != 0;
}
