/* Depth first, with a cache of states (cache.h) instead of the set of all: who comes to a state that was replaced enters it again. It ends
 * all the same, for states on the path are never replaced, and a cycle comes back to one of them: algorithm 4.1 and theorem 4.2.2 of the
 * thesis on search-carrying code. And nothing is lost: whoever is not entered is in the cache, so all of it was or will be searched.
 *
 * With sleep sets (stateful.c says how they go with stored states) there are few ways left by which a state is come to twice, so that little
 * is searched again (Godefroid, Holzmann, Pirottin, State-Space Caching Revisited, 1995). A state that was replaced is entered with the
 * sleep set of the way by which it is come to then, as if it had never been there.
 *
 * States are counted as they are entered, so one can count twice; how many different ones there were is estimated (distinct.h).
 * SPDX-License-Identifier: MIT */
#include "search/internal.h"

#include "base/memory.h"
#include "search/cache.h"
#include "search/distinct.h"
#include "search/sleep.h"
#include "system/glimpse.h"

#include <stdlib.h>

struct open { uint32_t place; uint64_t began; };         /* of a state on the path: where it is in the cache; transitions before it */

struct cached {
    struct search   *search;
    struct cache    *cache;
    struct open     *open;                       /* of frames[d] */
    uint32_t         open_room;
    struct distinct *distinct;
    bool             sleeps, numbers;
};

static uint32_t degree(const struct system *system)
{
    uint32_t enabled = (uint32_t)__builtin_popcountll(system->enabled);
    return enabled == 1 ? system_choices(system, __builtin_ctzll(system->enabled)) : enabled;
}

static void open_frame(struct cached *c, uint32_t place, uint64_t todo, uint64_t sleep, uint64_t number)
{
    struct search *s = c->search;
    while (c->open_room <= s->depth) {
        c->open_room = memory_more(c->open_room);
        c->open = memory_resize(c->open, c->open_room * sizeof *c->open);
    }
    c->open[s->depth] = (struct open){ place, s->counts.transitions };
    s->frames[s->depth] = (struct frame){ .todo = todo, .sleep = sleep, .process = NO_PROCESS, .number = number };
    glimpse_want(s->system, todo);
}

/* The path is all that there is room for. */
static void too_small(struct search *s)
{
    s->failure = fail(s->err, "the cache has no room for more than the path of %u states from the first one to here, and those are never "
                      "replaced; give --cache more", s->depth);
    s->over = true;
}

/* Enters the current state, which is not in the cache. */
static void enter(struct cached *c, const uint64_t fingerprint[2], uint32_t moved, uint64_t sleep)
{
    struct search *s = c->search;
    uint32_t place = cache_enter(c->cache, fingerprint, degree(s->system));
    uint64_t number = s->counts.states;
    if (place == NO_PLACE) {
        too_small(s);
        return;
    }
    if (c->sleeps)
        *cache_sleep(c->cache, place) = sleep;
    if (c->numbers)
        *cache_number(c->cache, place) = number;
    distinct_add(c->distinct, fingerprint);
    open_frame(c, place, s->system->enabled & ~sleep, sleep, number);
    search_enter(s, s->system, moved);
    search_end_path(s);
    s->counts.executions += !s->system->enabled;
    s->counts.sleep_cut += !(s->system->enabled & ~sleep) && s->system->enabled;
    if (s->watcher->state)
        s->watcher->state(s->watcher->self, number, s->depth);
}

/* The current state is in the cache. As in stateful.c: who slept there whenever it was entered, and is awake now, is tried. */
static bool enter_again(struct cached *c, uint32_t place, uint64_t sleep)
{
    uint64_t *stored = c->sleeps ? cache_sleep(c->cache, place) : NULL, awake = stored ? *stored & ~sleep : 0;
    if (!awake)
        return false;
    *stored &= sleep;
    cache_enter_again(c->cache, place);
    open_frame(c, place, awake & c->search->system->enabled, *stored, c->numbers ? *cache_number(c->cache, place) : 0);
    return true;
}

static void show(struct cached *c, uint64_t from, uint32_t place)
{
    const struct search *s = c->search;
    uint64_t to = place == NO_PLACE ? s->counts.states : *cache_number(c->cache, place);
    s->watcher->transition(s->watcher->self, from, to, &s->steps[s->depth - 1]);
}

static void arrive(struct cached *c, uint32_t moved, uint64_t sleep)
{
    struct search *s = c->search;
    uint64_t fingerprint[2];
    system_fingerprint(s->system, fingerprint);
    uint32_t place = cache_find(c->cache, fingerprint);
    if (c->numbers && moved != NO_PROCESS)
        show(c, s->frames[s->depth - 1].number, place);
    if (place == NO_PLACE)
        enter(c, fingerprint, moved, sleep);
    else
        cache_add_known(c->cache, c->open[s->depth - 1].place, place);
    if (place != NO_PLACE && !enter_again(c, place, sleep))
        search_back(s, s->system);
    STEP_ASSERT((cache_check(c->cache), true));
}

/* False when the machine failed. */
static bool take(struct cached *c, struct frame *f)
{
    uint32_t p = f->process;
    uint64_t sleep;
    if (!sleep_take(c->search, f, c->sleeps, &sleep))
        return false;
    arrive(c, p, sleep);
    return true;
}

/* The current state is done with. False: it was the first one. */
static bool leave(struct cached *c)
{
    struct search *s = c->search;
    const struct open *o = &c->open[s->depth];
    cache_leave(c->cache, o->place, s->depth ? o[-1].place : NO_PLACE, s->depth, s->counts.transitions - o->began + 1);
    if (!s->depth)
        return false;
    search_back(s, s->system);
    return true;
}

static uint64_t room(const struct search *s, struct cache_extras extras)
{
    const struct search_settings *set = s->settings;
    return set->cache_in_bytes ? cache_room_of(set->cache, extras) : set->cache;
}

static void go_through(struct search *s, struct search_result *result)
{
    struct cache_extras extras = { .sleep = s->settings->reduction == REDUCTION_SLEEP, .numbers = s->watcher->transition };
    struct cached c = { .search = s, .sleeps = extras.sleep, .numbers = extras.numbers };
    c.cache = cache_new(room(s, extras), s->settings->cache_policy, extras, s->settings->seed);
    c.distinct = memory_get(sizeof *c.distinct);
    arrive(&c, NO_PROCESS, 0);
    while (!search_over(s)) {
        struct frame *f = &s->frames[s->depth];
        if (search_next_transition(s, f) ? !take(&c, f) : !leave(&c))
            break;
    }
    result->cache.states = room(s, extras);
    result->cache.replaced = cache_replaced(c.cache);
    uint64_t distinct = distinct_count(c.distinct);
    result->cache.distinct = result->cache.replaced && distinct < s->counts.states ? distinct : s->counts.states;
    cache_free(c.cache);
    free(c.distinct);
    free(c.open);
}

void cached_run(struct search *s, struct search_result *result)
{
    uint64_t premises;
    s->livelock_from = UINT32_MAX;
    do {                             /* as in stateful.c */
        search_restart(s);
        premises = dependence_premises(s->system);
        go_through(s, result);
    } while (s->settings->reduction == REDUCTION_SLEEP && premises != dependence_premises(s->system) && !search_over(s));
}
