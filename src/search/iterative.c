/* Depth first in layers: all scenarios up to depth_incr, then up to twice that, and so on. So the first error found is among
 * the shortest, within one layer. Invariant: each layer is deeper than the one before, until the last.
 * SPDX-License-Identifier: MIT */
#include "search/internal.h"

void iterative_layer(struct search *s, enum reduction reduction, uint32_t bound)
{
    do
        search_restart(s);
    while (!dfs_run(s, reduction, bound) && !search_over(s));
}

uint32_t iterative_next(const struct search *s, uint32_t layer, uint32_t most)
{
    uint32_t step = s->settings->depth_incr ? s->settings->depth_incr : 1;
    uint32_t deepest = most ? most : UINT32_MAX, next = step < deepest - layer ? layer + step : deepest;
    assert(layer <= deepest && (next > layer || layer == deepest));      /* else the layers would not end */
    return next;
}

void iterative_judge(struct search *s, struct search_result *result)
{
    result->livelock_checked = s->settings->livelock_limit != 0;
    if (search_over(s))
        result->coverage = COVERAGE_PART;
    else if (s->counts.depth_cut == 0)
        result->coverage = COVERAGE_ALL;
    else
        result->coverage = search_reducers[s->settings->reduction]->enters_all ? COVERAGE_DEPTH : COVERAGE_PART;
    if (s->counts.depth_cut && !search_over(s))
        s->stopped = STOPPED_MAX_DEPTH;
}

void iterative_first_path(struct search *s, enum reduction reduction, uint32_t *length, uint32_t *alone)
{
    bool watched = s->watched;
    s->watched = false;              /* it comes again */
    s->first_only = true;
    iterative_layer(s, reduction, FIRST_PATH);
    s->watched = watched;
    s->first_only = false;
    uint32_t steps = s->counts.max_depth;
    assert(steps <= FIRST_PATH);
    *length = s->counts.depth_cut ? 0 : steps;
    *alone = 0;
    while (*alone < steps && s->steps[*alone].enabled == s->steps[0].enabled)
        ++*alone;
    search_set_budget(s, 0);
}

/* A program that runs for ever would be searched at the far end of one long path only. */
void iterative_shallow_first(struct search *s, struct search_result *result)
{
    uint32_t most = s->settings->max_depth, layer = s->alone;
    if (s->ends || s->watched) {
        iterative_layer(s, s->settings->reduction, most);
        return;
    }
    for (uint32_t more = 16; !search_over(s); more *= 2) {
        result->layer = more < most - layer ? layer + more : most;
        iterative_layer(s, s->settings->reduction, result->layer);
        if (!s->counts.depth_cut || result->layer == most)
            return;
    }
}

void iterative_run(struct search *s, struct search_result *result)
{
    uint32_t most = s->settings->max_depth;
    result->layer = 0;
    do {
        result->layer = iterative_next(s, result->layer, most);
        iterative_layer(s, s->settings->reduction, result->layer);
    } while (!search_over(s) && s->counts.depth_cut && result->layer != most);
    iterative_judge(s, result);
}
