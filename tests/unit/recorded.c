/* Recorded searches of made-up programs are searched as the programs are: with as many states and transitions as brute force counts.
 * SPDX-License-Identifier: MIT */
#include "brute.h"
#include "certifier/record.h"
#include "certifier/recorded.h"
#include "check.h"
#include "generate.h"
#include "scratch.h"
#include "search/search.h"
#include "stage.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PROGRAMS = 60, MOST_STATES = 2000 };

static uint64_t replaced, cached_scripts;
static char file[SCRATCH_ROOM];

static enum verdict found(void *self, enum error_kind kind, int process, const struct step *path, uint32_t depth)
{
    (void)self, (void)kind, (void)process, (void)path, (void)depth;
    return GO_ON;
}

static int try(struct system *system, struct search_settings settings, struct record *record, struct search_result *result)
{
    struct watcher watcher = { .self = record, .found = found, .transition = record ? record_transition : NULL };
    struct err err = { .text = "" };
    return search_run(system, &settings, &watcher, result, &err);
}

static struct search_result search(struct system *system, struct search_settings settings)
{
    struct search_result result;
    CHECK(!try(system, settings, NULL, &result));
    return result;
}

/* With a cache of so many states, 0 for all. False: that is too small for the path. */
static bool make(const struct program *program, uint64_t cache)
{
    struct fields none = { 0 };
    struct err err;
    uint64_t bytes;
    struct stage stage;
    struct search_result result;
    struct record *record = record_new(SCRIPT_SEARCH, cache ? RECORD_AGAIN : RECORD_ONCE, file);
    stage_open(&stage, program, RULES_NONE, MERGE);
    record_begin(record, stage.system);
    bool done = !try(stage.system, (struct search_settings){ .strategy = SEARCH_STATEFUL, .cache = cache }, record, &result);
    CHECK(!done || !record_finish(record, &none, &bytes, &err));
    replaced += cache && done ? result.cache.replaced : 0;
    record_free(record);
    stage_close(&stage);
    return done;
}

static void compare(const struct brute *b)
{
    struct err err = { .text = "" };
    struct recorded *r = recorded_open(file, &err);
    CHECK(r != NULL);
    if (!r)
        return;
    CHECK(recorded_states(r) == b->states && recorded_transitions(r) == b->edge_count);
    for (int strategy = SEARCH_STATEFUL; strategy <= SEARCH_BFS; strategy++) {
        struct search_result result = search(recorded_system(r), (struct search_settings){ .strategy = (enum strategy)strategy });
        CHECK(result.counts.states == b->states && result.counts.transitions == b->edge_count && result.coverage == COVERAGE_ALL);
    }
    struct search_result cached = search(recorded_system(r), (struct search_settings){ .strategy = SEARCH_STATEFUL, .cache = b->states });
    CHECK(cached.counts.states == b->states && cached.counts.transitions == b->edge_count);
    recorded_close(r);
}

int main(void)
{
    int tried = 0;
    struct err err;
    CHECK(scratch_file(file, "recorded"));
    for (uint64_t seed = 1; tried < PROGRAMS; seed++) {
        struct program program;
        struct brute brute;
        struct world first;
        generate(&program, seed);
        world_begin(&program, &first);
        brute_init(&brute, &program, &first, MOST_STATES);
        if (brute.complete == UINT32_MAX) {
            CHECK(make(&program, 0));
            compare(&brute);
            for (uint64_t cache = brute.states / 2; cache && cache < brute.states; cache += brute.states / 5 + 1)
                if (make(&program, cache)) {     /* states that are entered twice are told once */
                    compare(&brute);
                    cached_scripts++;
                }
            tried++;
        }
        brute_fini(&brute);
    }
    CHECK(truncate(file, 40) == 0 && !recorded_open(file, &err));
    CHECK(cached_scripts > 20 && replaced > 1000);
    unlink(file);
    return failures != 0;
}
