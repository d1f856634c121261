/* Tables 4.1, 4.2 and 5.1 of the thesis on search-carrying code, for one recorded search (certifier/recorded.h).
 *
 *     recorded FILE.scc caching [POLICY]       a line for each size and policy: size policy work time, in those of the search that keeps all states
 *     recorded FILE.scc coverage       a line for each limit: limit best worst average sigma, in percentage points, of ten seeds, and how many are within their interval
 *
 * A search that does more than 25 times the work is given up, as in the thesis: TO. STACK: the path did not fit into the cache.
 * SPDX-License-Identifier: MIT */
#include "certifier/recorded.h"
#include "search/search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_WORK = 25, SEEDS = 10 };

static uint64_t limit;               /* of transitions */
static volatile int interrupt;

static enum verdict found(void *self, enum error_kind kind, int process, const struct step *path, uint32_t depth)
{
    (void)self, (void)kind, (void)process, (void)path, (void)depth;
    return GO_ON;
}

static void progress(void *self, const struct counts *counts, uint32_t depth)
{
    (void)self, (void)depth;
    if (limit && counts->transitions > limit)
        interrupt = INTERRUPTED;
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Gives the processor time it took; negative: it failed. */
static double search(struct recorded *r, struct search_settings settings, struct search_result *result)
{
    struct watcher watcher = { .found = found, .progress = progress };
    struct err err = { .text = "" };
    interrupt = NOT_INTERRUPTED;
    settings.interrupt = &interrupt;
    double begin = seconds();
    int failed = search_run(recorded_system(r), &settings, &watcher, result, &err);
    return failed ? -1 : seconds() - begin;
}

static double all(struct recorded *r)
{
    struct search_result result;
    double least = 1e9;
    for (int i = 0; i < 3; i++) {    /* the first one reads the script */
        double took = search(r, (struct search_settings){ .strategy = SEARCH_STATEFUL }, &result);
        least = i && took < least ? took : least;
    }
    return least;
}

static void one(struct recorded *r, int percent, enum cache_policy policy, double whole)
{
    struct search_result result;
    struct search_settings settings = { .strategy = SEARCH_STATEFUL, .cache = (uint64_t)recorded_states(r) * (uint64_t)percent / 100,
                                        .cache_policy = policy, .seed = 1 };
    limit = MOST_WORK * recorded_transitions(r);
    double took = search(r, settings, &result);
    printf("%d %s ", percent, search_cache_names[policy]);
    if (took < 0)
        printf("STACK STACK\n");
    else if (result.stopped_by)
        printf("TO TO\n");
    else
        printf("%.2f %.2f\n", (double)result.counts.transitions / (double)recorded_transitions(r), took / whole);
    fflush(stdout);
}

static void caching(struct recorded *r, const char *only)        /* NULL: all policies */
{
    static const int percents[] = { 15, 25, 50, 75, 95 };
    double whole = all(r);
    for (size_t i = 0; i < sizeof percents / sizeof *percents; i++)
        for (int policy = 0; policy < CACHE_POLICY_COUNT; policy++)
            if (!only || !strcmp(only, search_cache_names[policy]))
                one(r, percents[i], policy, whole);
}

static void coverage(struct recorded *r)
{
    static const int percents[] = { 3, 10, 25, 50, 75, 95 };
    for (size_t i = 0; i < sizeof percents / sizeof *percents; i++) {
        double best = 100, worst = 0, sum = 0, squares = 0;
        int within = 0;
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            struct search_result result;
            uint64_t states = (uint64_t)recorded_states(r) * (uint64_t)percents[i] / 100;
            limit = 0;
            search(r, (struct search_settings){ .strategy = SEARCH_ESTIMATE, .stop_at_state = states, .seed = seed }, &result);
            double right = 100 * (double)states / recorded_states(r), off = fabs(result.estimate.percent - right);
            within += result.estimate.low <= right + 0.005 && right <= result.estimate.high + 0.005;
            best = off < best ? off : best;
            worst = off > worst ? off : worst;
            sum += off;
            squares += off * off;
        }
        double mean = sum / SEEDS;
        printf("%d %.2f %.2f %.2f %.2f %d\n", percents[i], best, worst, mean, sqrt(fmax(0, squares / SEEDS - mean * mean)), within);
    }
}

int main(int count, char **words)
{
    struct err err = { .text = "" };
    if (count < 3 || count > 4)
        return fprintf(stderr, "usage: recorded FILE.scc caching [POLICY] | coverage\n"), 2;
    struct recorded *r = recorded_open(words[1], &err);
    if (!r)
        return fprintf(stderr, "%s\n", err.text), 2;
    if (!strcmp(words[2], "caching"))
        caching(r, words[3]);
    else
        coverage(r);
    recorded_close(r);
    return 0;
}
