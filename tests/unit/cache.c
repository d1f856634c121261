/* Random programs, searched with caches of every size: each policy must find what brute force finds, with and without sleep sets, or say
 * that the path does not fit.
 *
 *     cache [programs [first seed]]
 * SPDX-License-Identifier: MIT */
#include "brute.h"
#include "check.h"
#include "generate.h"
#include "tryout.h"

#include <stdlib.h>
#include <string.h>

enum { PROGRAMS = 250, MOST_STATES = 1000, ALL_SIZES = 24 };

static uint64_t searches, replaced, too_small, entered, all_states, more_than_states;

static bool try_size(const struct brute *b, uint32_t size, enum cache_policy policy, enum reduction reduction)
{
    struct tryout t = { .brute = b, .strategy = SEARCH_STATEFUL, .reduction = reduction, .cache = size, .policy = policy };
    tryout_run(&t);
    searches++;
    replaced += t.result.cache.replaced;
    too_small += t.too_small;
    if (t.wrong[0]) {
        char name[256];
        tryout_name(&t, name, sizeof name);
        printf("seed %llu: %s: %s\n", (unsigned long long)b->program->seed, name, t.wrong);
    }
    if (reduction == REDUCTION_NONE && policy == CACHE_COST && size == b->states / 2 && !t.too_small) {
        entered += t.result.counts.states;
        all_states += b->states;
    }
    return !t.wrong[0];
}

/* A smaller one could take for ever. */
static bool large_enough(const struct brute *b, uint32_t size)
{
    return b->states <= ALL_SIZES ? size >= b->states / 5 : size >= b->states - b->states / 4;
}

/* A cache in which nothing is replaced is the set of all states: with sleep sets, too, the same is tried, and again what was asleep. */
static bool same_as_without(const struct brute *b)
{
    struct tryout all = { .brute = b, .strategy = SEARCH_STATEFUL, .reduction = REDUCTION_SLEEP }, cached = all;
    cached.cache = b->states + 1;
    tryout_run(&all);
    tryout_run(&cached);
    const struct counts *one = &all.result.counts, *other = &cached.result.counts;
    more_than_states += one->transitions - one->states;
    return !all.wrong[0] && !cached.wrong[0] && one->states == other->states && one->transitions == other->transitions
        && one->executions == other->executions && one->sleep_cut == other->sleep_cut;
}

/* Every size where there are few states; else some, and always those around the number of states. */
static bool try_program(const struct brute *b)
{
    uint32_t step = b->states <= ALL_SIZES ? 1 : b->states / 8;
    for (int policy = 0; policy < CACHE_POLICY_COUNT; policy++)
        for (int sleep = 0; sleep < 2; sleep++) {
            enum reduction reduction = sleep ? REDUCTION_SLEEP : REDUCTION_NONE;
            for (uint32_t size = step; size <= b->states; size += step)
                if (large_enough(b, size) && !try_size(b, size, policy, reduction))
                    return false;
            if (!try_size(b, b->states, policy, reduction) || !try_size(b, b->states + 1, policy, reduction))
                return false;
        }
    return try_size(b, b->states / 2 ? b->states / 2 : 1, CACHE_COST, REDUCTION_NONE) && same_as_without(b);
}

int main(int count, char **words)
{
    uint64_t programs = count > 1 ? strtoull(words[1], NULL, 10) : PROGRAMS, seed = count > 2 ? strtoull(words[2], NULL, 10) : 1;
    uint64_t bad = 0;
    for (uint64_t i = 0; i < programs && bad < 3; i++, seed++) {
        struct program program;
        struct brute brute;
        struct world first;
        generate(&program, seed);
        world_begin(&program, &first);
        brute_init(&brute, &program, &first, MOST_STATES);
        bad += brute.complete == UINT32_MAX && !try_program(&brute);
        brute_fini(&brute);
    }
    CHECK(!bad);
    CHECK(replaced > searches && too_small && too_small < searches / 2 && more_than_states);       /* else nothing was tried */
    printf("%llu searches, %llu states replaced, %llu caches too small; half a cache: %.2f times the states\n",
           (unsigned long long)searches, (unsigned long long)replaced, (unsigned long long)too_small,
           all_states ? (double)entered / (double)all_states : 0);
    return failures != 0;
}
