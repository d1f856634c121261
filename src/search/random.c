/* Random walks from the first state, each until nothing can go on or the depth bound is reached. The same seed walks the
 * same ways.
 * SPDX-License-Identifier: MIT */
#include "search/internal.h"

static uint32_t pick(struct search *s, uint64_t enabled)
{
    assert(enabled);
    uint64_t skip = search_random(s) % (uint64_t)__builtin_popcountll(enabled);
    while (skip--)
        enabled &= enabled - 1;
    return (uint32_t)__builtin_ctzll(enabled);
}

static void enter(struct search *s, uint32_t moved)
{
    struct frame *f = &s->frames[s->depth];
    f->number = s->counts.states;
    search_enter(s, s->system, moved);
    if (s->watcher->state)
        s->watcher->state(s->watcher->self, f->number, s->depth);
}

static void walk(struct search *s, uint32_t bound)
{
    enter(s, NO_PROCESS);
    while (s->system->enabled && !search_over(s)) {
        if (bound && s->depth == bound) {
            search_count_cut(s);
            return;
        }
        uint32_t p = pick(s, s->system->enabled);
        uint64_t from = s->frames[s->depth].number;
        search_room(s);
        if (search_step(s, s->system, p, (uint32_t)(search_random(s) % system_choices(s->system, (int)p))) != STEP_TAKEN)
            return;                  /* another walk will do */
        if (s->watcher->transition)
            s->watcher->transition(s->watcher->self, from, s->counts.states, &s->steps[s->depth - 1]);
        enter(s, p);
    }
    if (!s->system->enabled)
        s->counts.executions++;
}

void random_run(struct search *s, uint32_t bound)
{
    while (!search_over(s)) {
        walk(s, bound);
        search_end_path(s);
        while (s->depth)
            search_back(s, s->system);
    }
}
