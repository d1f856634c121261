/* The dining philosophers of the papers, made up: the figures that are known must come out, whatever the search.
 * SPDX-License-Identifier: MIT */
#include "generate.h"
#include "search/search.h"
#include "stage.h"

#include <inttypes.h>
#include <string.h>

enum { NOT_SAID = 0 };

struct expected {
    int            philosophers;
    enum strategy  strategy;
    enum reduction reduction;
    uint64_t       states, transitions, executions;      /* NOT_SAID: any number */
    uint64_t       most_sleep_cut;
};

static const struct expected table[] = {
    { 2, SEARCH_DFS,       REDUCTION_NONE,       19,     18,     NOT_SAID, 0 },
    { 3, SEARCH_DFS,       REDUCTION_NONE,       1681,   1680,   NOT_SAID, 0 },
    { 4, SEARCH_DFS,       REDUCTION_NONE,       386817, 386816, 104704,   0 },
    { 2, SEARCH_ITERATIVE, REDUCTION_NONE,       19,     18,     NOT_SAID, 0 },
    { 3, SEARCH_ITERATIVE, REDUCTION_NONE,       1681,   1680,   NOT_SAID, 0 },
    { 4, SEARCH_ITERATIVE, REDUCTION_NONE,       386817, 386816, 104704,   0 },
    { 4, SEARCH_STATEFUL,  REDUCTION_NONE,       321,    708,    NOT_SAID, 0 },
    { 4, SEARCH_BFS,       REDUCTION_NONE,       321,    708,    NOT_SAID, 0 },
    { 8, SEARCH_STATEFUL,  REDUCTION_NONE,       103681, NOT_SAID, NOT_SAID, 0 },
    { 8, SEARCH_BFS,       REDUCTION_NONE,       103681, NOT_SAID, NOT_SAID, 0 },
    { 2, SEARCH_DFS,       REDUCTION_SOURCE,     NOT_SAID, NOT_SAID, 3,    UINT64_MAX },
    { 3, SEARCH_DFS,       REDUCTION_SOURCE,     NOT_SAID, NOT_SAID, 7,    UINT64_MAX },
    { 4, SEARCH_DFS,       REDUCTION_SOURCE,     NOT_SAID, NOT_SAID, 15,   4 },
    { 5, SEARCH_DFS,       REDUCTION_SOURCE,     NOT_SAID, NOT_SAID, 31,   16 },
    { 4, SEARCH_DFS,       REDUCTION_SLEEP,      NOT_SAID, NOT_SAID, NOT_SAID, UINT64_MAX },
    { 4, SEARCH_DFS,       REDUCTION_PERSISTENT, NOT_SAID, NOT_SAID, NOT_SAID, UINT64_MAX },
    { 4, SEARCH_ITERATIVE, REDUCTION_SOURCE,     NOT_SAID, NOT_SAID, 15,   4 },
    { 2, SEARCH_DFS,       REDUCTION_OPTIMAL,    NOT_SAID, NOT_SAID, 3,    0 },
    { 3, SEARCH_DFS,       REDUCTION_OPTIMAL,    NOT_SAID, NOT_SAID, 7,    0 },
    { 4, SEARCH_DFS,       REDUCTION_OPTIMAL,    NOT_SAID, NOT_SAID, 15,   0 },
    { 5, SEARCH_DFS,       REDUCTION_OPTIMAL,    NOT_SAID, NOT_SAID, 31,   0 },
    { 9, SEARCH_DFS,       REDUCTION_OPTIMAL,    NOT_SAID, NOT_SAID, 511,  0 },
    { 4, SEARCH_ITERATIVE, REDUCTION_OPTIMAL,    NOT_SAID, NOT_SAID, 15,   0 },
};

/* The deadlocks that were found. */
struct seen {
    struct stage stage;
    struct world deadlock;           /* the first one */
    uint64_t     found;
    bool         others, false_alarm;
};

static enum verdict found(void *self, enum error_kind kind, int process, const struct step *path, uint32_t depth)
{
    struct seen *s = self;
    struct world w;
    (void)process;
    world_begin(s->stage.program, &w);
    if (kind != ERROR_DEADLOCK || !stage_follow(&s->stage, &w, path, depth) || !world_deadlocked(s->stage.program, &w))
        s->false_alarm = true;
    if (s->found++ == 0)
        s->deadlock = w;
    else if (memcmp(&s->deadlock, &w, sizeof w))
        s->others = true;
    return GO_ON;
}

static int differ(const struct expected *e, const char *what, uint64_t got, uint64_t expected)
{
    printf("FAILED: %d philosophers, %s %s: %s: %" PRIu64 ", should be %" PRIu64 "\n", e->philosophers,
           search_strategy_names[e->strategy], search_reduction_names[e->reduction], what, got, expected);
    return 1;
}

static int check_counts(const struct expected *e, const struct counts *c)
{
    int bad = 0;
    if (e->states != NOT_SAID && c->states != e->states)
        bad |= differ(e, "states", c->states, e->states);
    if (e->transitions != NOT_SAID && c->transitions != e->transitions)
        bad |= differ(e, "transitions", c->transitions, e->transitions);
    if (e->executions != NOT_SAID && c->executions != e->executions)
        bad |= differ(e, "executions", c->executions, e->executions);
    if (c->sleep_cut > e->most_sleep_cut)
        bad |= differ(e, "sleep_cut", c->sleep_cut, e->most_sleep_cut);
    return bad;
}

static int check_deadlock(const struct expected *e, const struct seen *s)
{
    if (s->false_alarm)
        return differ(e, "errors that are none", 1, 0);
    return s->found == 0 || s->others ? differ(e, "deadlocked states", s->found ? 2 : 0, 1) : 0;
}

static int check(const struct expected *e)
{
    struct program program;
    struct seen seen = { .found = 0 };
    struct search_result result;
    struct watcher watcher = { .self = &seen, .found = found };
    struct search_settings settings = { .strategy = e->strategy, .reduction = e->reduction, .depth_incr = 5 };
    generate_philosophers(&program, e->philosophers);
    stage_open(&seen.stage, &program, RULES_ALL, MERGE);
    int bad = search_run(seen.stage.system, &settings, &watcher, &result, NULL) ? differ(e, "the search failed", 1, 0) : 0;
    bad |= check_counts(e, &result.counts) | check_deadlock(e, &seen);
    if (result.coverage != COVERAGE_ALL)
        bad |= differ(e, "coverage", result.coverage, COVERAGE_ALL);
    if (seen.stage.runs > 4 * (uint64_t)e->philosophers)
        bad |= differ(e, "native transitions", seen.stage.runs, 4 * (uint64_t)e->philosophers);
    if (e->reduction != REDUCTION_NONE)
        printf("%d philosophers, %s %s: %" PRIu64 " transitions, %" PRIu64 " executions, %" PRIu64 " cut by sleep sets\n",
               e->philosophers, search_strategy_names[e->strategy], search_reduction_names[e->reduction],
               result.counts.transitions, result.counts.executions, result.counts.sleep_cut);
    if (e->reduction != REDUCTION_NONE && e->philosophers == 4 && result.counts.transitions >= 386816)
        bad |= differ(e, "transitions, fewer", result.counts.transitions, 386816);
    stage_close(&seen.stage);
    return bad;
}

/* ---- other programs with semaphores as locks, for the optimal reduction: nothing is searched twice or in vain ---- */

static void lock(struct program *p, int process, int object)
{
    static const uint8_t kinds[] = { DO_WAIT, DO_SIGNAL };
    for (int k = 0; k < 2; k++)
        p->code[process][p->length[process]++] = (struct instruction){ .kind = kinds[k], .object = (uint8_t)object, .n = 1,
                                                                       .local = NO_LOCAL };
}

static void begin(struct program *p, int processes, int locks)
{
    memset(p, 0, sizeof *p);
    p->processes = processes;
    p->semaphores = locks;
    memset(p->initial, 1, (size_t)locks);
}

/* The last philosopher takes the forks in the other order: no deadlock. */
static void ordered(struct program *p, int count)
{
    generate_philosophers(p, count);
    struct instruction *last = p->code[count - 1], first = last[0];
    last[0].object = last[1].object;
    last[1].object = first.object;
}

/* One takes all locks, one after the other, and each of the others takes one. */
static void one_and_many(struct program *p, int count)
{
    begin(p, count + 1, count);
    for (int i = 0; i < count; i++) {
        lock(p, 0, i);
        lock(p, i + 1, i);
    }
}

static void all_one_lock(struct program *p, int count)
{
    begin(p, count, 1);
    for (int i = 0; i < count; i++)
        lock(p, i, 0);
}

static const struct { const char *name; void (*make)(struct program *, int); int count; uint64_t executions; } known[] = {
    { "ordered", ordered, 2, 2 }, { "ordered", ordered, 3, 6 }, { "ordered", ordered, 6, 62 }, { "ordered", ordered, 9, 510 },
    { "one and many", one_and_many, 1, 2 }, { "one and many", one_and_many, 4, 16 }, { "one and many", one_and_many, 9, 512 },
    { "all one lock", all_one_lock, 2, 2 }, { "all one lock", all_one_lock, 4, 24 }, { "all one lock", all_one_lock, 7, 5040 },
};

static int check_known(size_t i)
{
    struct program program;
    struct seen seen = { .found = 0 };
    struct search_result result;
    struct watcher watcher = { .self = &seen, .found = found };
    struct search_settings settings = { .strategy = SEARCH_DFS, .reduction = REDUCTION_OPTIMAL };
    known[i].make(&program, known[i].count);
    stage_open(&seen.stage, &program, RULES_NONE, MERGE);
    int rc = search_run(seen.stage.system, &settings, &watcher, &result, NULL);
    stage_close(&seen.stage);
    if (!rc && result.counts.executions == known[i].executions && !result.counts.sleep_cut && !result.counts.surprises
        && !seen.found && result.coverage == COVERAGE_ALL)
        return 0;
    printf("FAILED: %s, %d: %" PRIu64 " executions, should be %" PRIu64 ", and %" PRIu64 " cut by sleep sets\n", known[i].name,
           known[i].count, result.counts.executions, known[i].executions, result.counts.sleep_cut);
    return 1;
}

int main(int argc, char **argv)
{
    int bad = 0;
    (void)argc;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        bad |= check(&table[i]);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        bad |= check_known(i);
    if (bad)
        printf("again: %s\n", argv[0]);
    return bad;
}
