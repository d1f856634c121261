/* Random walks from the first state, each until nothing can go on or the depth bound is reached. The same seed walks the
 * same ways.
 *
 * They tell how many executions there are (Knuth 1975): a walk that came to its end, with n1, n2, ... ways to go on from its states, each as
 * likely, counts for n1 * n2 * ..., and any other for nothing. What that is on average is their number, to the last one: an execution is walked with
 * probability 1 / (n1 * n2 * ...). A limit that ends the last walk takes the longer ones rather, which makes the estimate wrong by one walk of all
 * at most. (With sleep sets the same would tell how many differ in more than the order of independent transitions. But most walks end where all that is
 * left sleeps, and of those that do not there are too few to tell anything.)
 * SPDX-License-Identifier: MIT */
#include "search/internal.h"
#include "search/share.h"

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
    double weight = 1;               /* one by the probability of the way that was taken */
    enter(s, NO_PROCESS);
    while (s->system->enabled && !search_over(s)) {
        if (bound && s->depth == bound) {
            search_count_cut(s);
            share_drawn(s, 0);
            return;
        }
        uint32_t p = pick(s, s->system->enabled), choices = system_choices(s->system, (int)p);
        uint64_t from = s->frames[s->depth].number;
        weight *= (double)__builtin_popcountll(s->system->enabled) * choices;
        search_room(s);
        if (search_step(s, s->system, p, (uint32_t)(search_random(s) % choices)) != STEP_TAKEN)
            return;                  /* another walk will do */
        if (s->watcher->transition)
            s->watcher->transition(s->watcher->self, from, s->counts.states, &s->steps[s->depth - 1]);
        enter(s, p);
    }
    if (!s->system->enabled) {
        s->counts.executions++;
        share_drawn(s, weight);
    }
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
