/* Random programs, searched within a limit of states: what is said of how much that is must be so, by brute force; and what was counted is
 * never more than there is.
 *
 *     estimate [programs [first seed]]
 * SPDX-License-Identifier: MIT */
#include "brute.h"
#include "check.h"
#include "generate.h"
#include "tryout.h"

#include <math.h>
#include <stdlib.h>

enum { PROGRAMS = 400, MOST_STATES = 6000, LEAST_STATES = 20 };

static uint64_t searches, counted, given_up;
static double   worst;

static void wrong(const struct brute *b, const struct tryout *t, const char *what)
{
    const struct search_result *r = &t->result;
    printf("seed %llu, %llu of %u states: %s; %.2f %% (%.2f to %.2f), %llu states\n", (unsigned long long)b->program->seed,
           (unsigned long long)t->stop, b->states, what, r->estimate.percent, r->estimate.low, r->estimate.high,
           (unsigned long long)r->estimate.states);
    failures++;
}

static void judge(const struct brute *b, const struct tryout *t)
{
    const struct search_result *r = &t->result;
    double truth = 100 * (double)t->stop / b->states;
    if (r->counts.states != t->stop || r->stopped_by != STOPPED_STOP_AT_STATE || r->coverage != COVERAGE_PART)
        wrong(b, t, "did not stop where it should");
    bool holds = truth <= r->estimate.high + 1e-6 && truth >= r->estimate.low - 1e-6;
    if ((!holds && !r->estimate.sampled) || r->estimate.percent > r->estimate.high || r->estimate.percent < r->estimate.low)
        wrong(b, t, "the truth is not in the interval");
    if (r->estimate.counted && r->estimate.states > b->states + b->states / 100 + 1)
        wrong(b, t, "more states than there are");
    if (r->estimate.counted != (5 * t->stop >= b->states) && 5 * t->stop != b->states)
        wrong(b, t, "counted, or given up, where it should not");
    if (r->estimate.counted && fabs(r->estimate.percent - truth) > worst)
        worst = fabs(r->estimate.percent - truth);
    counted += r->estimate.counted;
    given_up += !r->estimate.counted;
}

static void try_limit(const struct brute *b, uint64_t states, uint64_t seed)
{
    struct tryout t = { .brute = b, .strategy = SEARCH_ESTIMATE, .stop = states, .seed = seed };
    tryout_run(&t);
    searches++;
    if (t.wrong[0])
        wrong(b, &t, t.wrong);
    else if (states < b->states)
        judge(b, &t);
    else if (t.result.counts.states != b->states || t.result.estimate.percent > 0)
        wrong(b, &t, "all was searched, and something is estimated, or it was not");
}

static void try_program(const struct brute *b)
{
    static const int percents[] = { 3, 10, 25, 50, 75, 95 };
    for (uint64_t i = 0; i < sizeof percents / sizeof *percents; i++)
        try_limit(b, b->states * (uint64_t)percents[i] / 100 + 1, i);
    try_limit(b, b->states + 1, 7);
}

int main(int count, char **words)
{
    uint64_t programs = count > 1 ? strtoull(words[1], NULL, 10) : PROGRAMS, seed = count > 2 ? strtoull(words[2], NULL, 10) : 1;
    for (uint64_t i = 0; i < programs && failures < 5; i++, seed++) {
        struct program program;
        struct brute brute;
        struct world first;
        generate(&program, seed);
        world_begin(&program, &first);
        brute_init(&brute, &program, &first, MOST_STATES);
        if (brute.complete == UINT32_MAX && brute.states >= LEAST_STATES)
            try_program(&brute);
        brute_fini(&brute);
    }
    CHECK(counted && given_up);
    CHECK(worst < 1);
    printf("%llu searches, %llu counted, %llu given up; worst estimate of those that were counted: %.3f points\n", (unsigned long long)searches,
           (unsigned long long)counted, (unsigned long long)given_up, worst);
    return failures != 0;
}
