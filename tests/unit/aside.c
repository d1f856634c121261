/* An optimal search that copies of this process search ahead of (search/aside.h) is, count for count and error for error, that of one: on random programs
 * with threads, also where it is cut, and where guesses are made wrong on purpose, so that a copy goes where the program does not.
 * Copies are made at once only in build/tests/checked/aside; here a search is over before there are any, but for the largest.
 *
 *     aside [programs [first seed]]
 * SPDX-License-Identifier: MIT */
#include "mischief.h"
#include "random.h"
#include "troupe.h"

#include "search/search.h"

#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <xxhash.h>

enum { PROGRAMS = 20, MOST_BAD = 3, MOST_STATES = 2000 };

/* ---- what copies are lent ---- */

/* Copies that came to their end, and that an assertion ended, of which only time would be lost: memory that all of them share. */
static struct { uint64_t ended, broken; } *copies;
static uint64_t numbers[HELPER_NUMBERS];

static void take_place(void *self, uint32_t place) { (void)self, (void)place; }

static void break_off(int signal)
{
    (void)signal;
    __atomic_add_fetch(&copies->broken, 1, __ATOMIC_RELAXED);
}

static int begin(void *self, struct err *err)
{
    (void)self, (void)err;
    signal(SIGABRT, break_off);
    return 0;
}

static bool end(void *self)
{
    (void)self;
    __atomic_add_fetch(&copies->ended, 1, __ATOMIC_RELAXED);
    return true;
}

static uint64_t *work(void *self)
{
    (void)self;
    return numbers;
}

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

static void run(const struct sharing *p, const struct search_settings *set, int percent, struct outcome_seen *to)
{
    struct troupe troupe;
    struct watcher watcher = { .self = to, .found = note };
    struct err err = { .text = "" };
    *to = (struct outcome_seen){ 0 };
    mischief_begin(p->seed, percent);
    troupe_open(&troupe, p, false);
    search_run(troupe.system, set, &watcher, &to->result, &err);
    for (int i = 0; i < troupe.system->processes; i++)
        to->local[i] = system_local_states(troupe.system, i);
    troupe_close(&troupe);
}

/* Of a search that is cut, local states that copies came to count, too. */
static bool same(const struct outcome_seen *a, const struct outcome_seen *b)
{
    bool whole = a->result.stopped_by == STOPPED_NOTHING;
    const struct counts *c = &a->result.counts, *d = &b->result.counts;
    return c->states == d->states && c->transitions == d->transitions && c->executions == d->executions && c->sleep_cut == d->sleep_cut
        && c->depth_cut == d->depth_cut && c->max_depth == d->max_depth && c->untried == d->untried && a->result.stopped_by == b->result.stopped_by
        && a->result.coverage == b->result.coverage && a->found == b->found && a->errors == b->errors && (!whole || !memcmp(a->local, b->local, sizeof a->local));
}

static void print(const char *who, const struct outcome_seen *o)
{
    const struct counts *c = &o->result.counts;
    printf("  %s: states %llu, transitions %llu, executions %llu, depth_cut %llu, max_depth %u, stopped by %s, coverage %d, errors %llu (%llx), local",
           who, (unsigned long long)c->states, (unsigned long long)c->transitions, (unsigned long long)c->executions, (unsigned long long)c->depth_cut,
           c->max_depth, search_stop_names[o->result.stopped_by], o->result.coverage, (unsigned long long)o->errors, (unsigned long long)o->found);
    for (int p = 0; p < 5; p++)
        printf(" %llu", (unsigned long long)o->local[p]);
    printf("\n");
}

/* False: they differ. */
static bool compare(const struct sharing *p, struct search_settings set, int percent)
{
    struct outcome_seen alone, helped;
    run(p, &set, percent, &alone);
    set.helpers = (struct helpers){ .jobs = 2 + (int)(p->seed % 2), .take_place = take_place, .begin = begin, .end = end, .work = work };
    run(p, &set, percent, &helped);
    if (same(&alone, &helped))
        return true;
    printf("FAILED: seed %llu, %d percent wrong, max_depth %u, stop_at_state %llu\n", (unsigned long long)p->seed, percent, set.max_depth,
           (unsigned long long)set.stop_at_state);
    print("alone", &alone);
    print("helped", &helped);
    return false;
}

static bool try_program(uint64_t seed)
{
    static const int wrong[] = { 0, 3, 30 };
    struct sharing p;
    struct random random = { seed };
    struct search_settings set = { .strategy = SEARCH_DFS, .reduction = REDUCTION_OPTIMAL, .depth_given = true, .stop_at_state = MOST_STATES,
                                   .max_depth = random_percent(&random, 30) ? (uint32_t)random_between(&random, 10, 60) : 0 };
    bool well = true;
    (seed % 4 ? sharing_make_up_large : sharing_make_up)(&p, seed);
    for (int i = 0; i < 3 && well; i++)
        well = compare(&p, set, wrong[i]);
    return well;
}

int main(int argc, char **argv)
{
    uint64_t programs = argc > 1 ? strtoull(argv[1], NULL, 10) : PROGRAMS, first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    int bad = 0;
    copies = mmap(NULL, sizeof *copies, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert(copies != MAP_FAILED);
    for (uint64_t seed = first; seed < first + programs && bad < MOST_BAD; seed++)
        bad += !try_program(seed);
    printf("aside: %llu programs; %llu copies, and %llu that failed\n", (unsigned long long)programs, (unsigned long long)copies->ended,
           (unsigned long long)copies->broken);
    return bad || copies->broken;
}
