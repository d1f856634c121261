/* The optimal reduction on random programs whose processes do anything with the objects of threads: it must search exactly one
 * execution of each kind (as many as there are by going through all of them), come to the same last states, and cut nothing.
 *
 *     optimal [programs [first seed]]
 * SPDX-License-Identifier: MIT */
#include "melee.h"
#include "search/search.h"
#include "traces.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PROGRAMS = 2000, MOST_TRANSITIONS = 60000, MOST_BAD = 3, PATIENCE = 300 };

/* ---- comparing ---- */

static enum verdict found(void *self, enum error_kind kind, int process, const struct step *path, uint32_t depth)
{
    (void)self, (void)kind, (void)process, (void)path, (void)depth;
    return GO_ON;
}

struct last { struct system *system; uint64_t ends; };

/* Every state that is shown and where nothing can go is a last one. */
static void look(void *self, uint64_t number, uint32_t depth)
{
    struct last *l = self;
    uint64_t fingerprint[2];
    (void)number, (void)depth;
    if (l->system->enabled)
        return;
    system_fingerprint(l->system, fingerprint);
    l->ends += fingerprint[0];
}

static uint64_t executions;

static bool check(struct melee *p)
{
    struct search_result result;
    struct search_settings settings = { .strategy = SEARCH_DFS, .reduction = REDUCTION_OPTIMAL, .check = p->seed % 2 };
    melee_open(p);
    struct last last = { .system = p->system };
    struct watcher watcher = { .self = &last, .found = found, .state = look };
    uint64_t ends, traces = traces_count(p->system, MOST_TRANSITIONS, &ends);
    bool well = true;
    if (traces != UINT64_MAX) {
        search_run(p->system, &settings, &watcher, &result, NULL);
        executions += traces;
        well = result.counts.executions == traces && !result.counts.sleep_cut && !result.counts.surprises && last.ends == ends;
        if (!well)
            printf("FAILED: seed %" PRIu64 ": %" PRIu64 " executions, should be %" PRIu64 "; sleep_cut %" PRIu64
                   ", surprises %" PRIu64 "%s\n", p->seed, result.counts.executions, traces, result.counts.sleep_cut, result.counts.surprises,
                   last.ends == ends ? "" : "; other last states");
    }
    melee_close(p);
    return well;
}

/* Takes operations out while it still fails. */
static void shrink(struct melee *p)
{
    for (int process = 0; process < p->processes; process++)
        for (int at = 0; at < p->length[process]; at++) {
            struct melee less = *p;
            size_t left = (size_t)(--less.length[process] - at);
            memmove(&less.code[process][at], &less.code[process][at + 1], left * sizeof *less.code[0]);
            memmove(&less.skip[process][at], &less.skip[process][at + 1], left);
            if (check(&less))
                continue;
            *p = less;
            process = 0;
            at = -1;
        }
}

int main(int argc, char **argv)
{
    uint64_t programs = argc > 1 ? strtoull(argv[1], NULL, 10) : PROGRAMS, first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    int bad = 0;
    for (uint64_t i = 0; i < programs && bad < MOST_BAD; i++) {
        struct melee p;
        alarm(PATIENCE);
        melee_make_up(&p, first + i);
        if (check(&p))
            continue;
        shrink(&p);
        melee_print(&p);
        printf("again: %s 1 %" PRIu64 "\n", argv[0], first + i);
        bad++;
    }
    printf("optimal: %" PRIu64 " programs, %" PRIu64 " executions\n", programs, executions);
    return bad != 0;
}
