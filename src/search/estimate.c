/* A search within a limit that says about how much of the state space it saw (chapter 5 of the thesis on search-carrying code).
 *
 * Like the thesis, breadth first for 60 % of the limit, then depth first from states that wait to be expanded, picked at random, in random
 * order, until the limit is reached. The thesis then supposes that what is left behind each waiting transition is as large as what was found
 * behind those that were tried (equations 5.2, 5.3). On the programs of examples/certification that is wrong by more than half at most limits,
 * whatever is sampled: one depth-first search takes all that the limit leaves, and what is behind two transitions is mostly the same.
 *
 * So we count instead. Depth first it goes on, but states are not kept: of each a few bits are set in a table of fixed size (bloom.h), sixteen
 * of them where a kept state takes two hundred. When this comes to its end, the number of states is known to a per cent or so. It
 * is given up after LOOK_AHEAD times as many states as were kept. Then there are more than these, the share is below 100 / (1 + LOOK_AHEAD) per
 * cent, and samples of the rest (sieve.h) say about how far. At a tenth of the states that is right within a factor of two, at three in a hundred
 * mostly within three, and below that mostly too high: so the lower end of the interval is 0, always. Where time is over before they say
 * anything, or they say less than was counted, a third of what is sure is told as the middle of what it may be.
 *
 * States that are only counted are checked, too, and an error there is an error; but they are not claimed to be searched.
 * With a limit of time, a fifth of it is for what is kept, two fifths for counting, and the rest for samples.
 *
 * Invariant: a state is kept, or in the table, or not entered yet; the path of the search begins with that to a waiting state.
 * SPDX-License-Identifier: MIT */
#include "search/internal.h"

#include "base/memory.h"
#include "search/sieve.h"
#include "search/visited.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum { LOOK_AHEAD = 4 };

/* What of each limit a phase may use. `states` counts from the start. */
struct share { double states, memory, time; };
static const struct share wide = { 0.6, 0.48, 0.12 }, deep = { 1, 0.8, 0.2 }, counting = { 0, 0, 0.6 }, sampling = { 0, 0, 0 };

struct estimate {
    struct search         *search;
    struct search_settings settings;             /* with the limits of the phase that goes on */
    const struct search_settings *all;           /* with those of the user */
    struct bfs            *bfs;
    uint32_t              *order, waiting, tried;        /* waiting states in random order */
    struct counts          kept;                 /* when the limit was reached */
    enum stopped_by        reached;              /* which one; NOTHING: not yet, states are kept */
    struct bloom           table;
    double                 missed;               /* states that the table has hidden, as is to be expected */
    uint64_t               seen;                 /* when the count ended */
    bool                   counted, samples;     /* all were; a pass goes on */
    struct sieve           sieve;
    uint32_t               base;                 /* depth of the waiting state that is searched from */
};

/* ---- limits ---- */

static uint64_t part(uint64_t limit, double share)
{
    uint64_t part = (uint64_t)((double)limit * share);
    return limit && share > 0 && !part ? 1 : part;
}

/* The search goes on, within its part of the limits. */
static void go_on(struct estimate *e, struct share share)
{
    struct search *s = e->search;
    e->settings.stop_at_state = part(e->all->stop_at_state, share.states);
    e->settings.memory_limit = part(e->all->memory_limit, share.memory);
    e->settings.time_limit = part(e->all->time_limit, share.time);
    s->stopped = STOPPED_NOTHING;
    search_set_budget(s, 0);
    search_look_up(s);               /* is it reached already? */
}

static bool by_limit(enum stopped_by by)
{
    return by == STOPPED_STOP_AT_STATE || by == STOPPED_MEMORY_LIMIT || by == STOPPED_TIME_LIMIT;
}

/* The limit is reached: from here on states are counted. Not when the time is over, or somebody wants it to end. */
static void count_from_here(struct estimate *e)
{
    struct search *s = e->search;
    if (!by_limit(s->stopped) || search_stopped_by(e->all->interrupt))
        return;
    e->reached = s->stopped;
    e->kept = s->counts;
    bloom_init(&e->table, LOOK_AHEAD * e->kept.states);
    go_on(e, counting);
    if (e->reached != STOPPED_TIME_LIMIT)
        search_set_budget(s, (1 + LOOK_AHEAD) * e->kept.states);
}

/* Is there to be gone on? */
static bool goes_on(struct estimate *e)
{
    if (search_over(e->search) && e->reached == STOPPED_NOTHING)
        count_from_here(e);
    return !search_over(e->search);
}

/* ---- at random ---- */

static void shuffle(struct estimate *e)
{
    e->waiting = bfs_waiting(e->bfs);
    e->order = memory_get((e->waiting + 1) * sizeof *e->order);
    for (uint32_t i = 0; i < e->waiting; i++) {
        uint32_t other = (uint32_t)(search_random(e->search) % (i + 1));
        e->order[i] = e->order[other];
        e->order[other] = i;
    }
}

static void open_frame(struct search *s)
{
    s->frames[s->depth] = (struct frame){ .todo = s->system->enabled, .process = NO_PROCESS };
}

/* As search_next_transition, in random order. */
static bool next(struct search *s, struct frame *f)
{
    uint64_t todo = f->todo;
    if (f->process != NO_PROCESS && f->choice + 1 < f->choices) {
        f->choice++;
        return true;
    }
    if (!todo)
        return false;
    for (uint64_t skip = search_random(s) % (uint64_t)__builtin_popcountll(todo); skip; skip--)
        todo &= todo - 1;
    f->process = (uint32_t)__builtin_ctzll(todo);
    f->todo &= ~(todo & -todo);
    f->choice = 0;
    f->choices = system_choices(s->system, (int)f->process);
    return true;
}

static bool is_corridor(const struct system *system)
{
    uint64_t enabled = system->enabled;
    return !(enabled & (enabled - 1)) && (!enabled || system_choices(system, __builtin_ctzll(enabled)) == 1);
}

static bool is_new(struct estimate *e, const uint64_t fingerprint[2])
{
    if (e->reached == STOPPED_NOTHING)
        return visited_add(bfs_visited(e->bfs), fingerprint, NULL);
    if (visited_has(bfs_visited(e->bfs), fingerprint))
        return false;
    if (e->samples)
        return sieve_meets(&e->sieve, fingerprint, is_corridor(e->search->system));
    double hides = bloom_hides(&e->table);
    if (!bloom_add(&e->table, fingerprint))
        return false;
    e->missed += hides / (1 - hides);
    return true;
}

static void enter(struct estimate *e, uint32_t moved)
{
    struct search *s = e->search;
    open_frame(s);
    search_enter(s, s->system, moved);
    search_note_depth(s);
    s->counts.executions += !s->system->enabled;
}

static void take(struct estimate *e, const struct frame *f)
{
    struct search *s = e->search;
    uint32_t p = f->process, choice = f->choice;
    uint64_t fingerprint[2];
    search_room(s);
    enum took took = search_step(s, s->system, p, choice);
    if (took == STEP_AGAIN)
        search_differs(s);
    if (took != STEP_TAKEN)
        return;
    system_fingerprint(s->system, fingerprint);
    if (is_new(e, fingerprint))
        enter(e, p);
    else
        search_back(s, s->system);
}

/* All that is reached from the current state and is new. */
static void search_from(struct estimate *e)
{
    struct search *s = e->search;
    e->base = s->depth;
    open_frame(s);
    while (goes_on(e)) {
        struct frame *f = &s->frames[s->depth];
        if (next(s, f))
            take(e, f);
        else if (s->depth > e->base)
            search_back(s, s->system);
        else
            break;
    }
    while (s->depth > e->base)
        search_back(s, s->system);
}

/* From each of the first `most` waiting states. */
static void search_from_waiting(struct estimate *e, double most)
{
    for (e->tried = 0; goes_on(e) && e->tried < most; e->tried += !search_over(e->search)) {
        bfs_go_to_waiting(e->bfs, e->order[e->tried]);
        search_from(e);
    }
}

/* ---- samples ---- */

/* Passes that are given up when they are too large, as long as nothing else ends the search. */
static void sample(struct estimate *e)
{
    struct search *s = e->search;
    go_on(e, sampling);
    sieve_init(&e->sieve, &e->table, e->kept.states, search_random(s));
    e->samples = true;
    while (s->stopped == STOPPED_NOTHING && !s->failure && sieve_begin(&e->sieve)) {
        search_set_budget(s, s->counts.states + (uint64_t)e->sieve.budget + 1);
        search_from_waiting(e, e->sieve.share * e->waiting);
        if (search_over(s))
            break;
        sieve_end(&e->sieve);
    }
}

/* The count ends here, one way or another. Where it was given up, samples follow. */
static void end_count(struct estimate *e)
{
    struct search *s = e->search;
    e->counted = e->tried == e->waiting && !search_over(s);
    e->seen = s->counts.states;
    bool given_up = s->spent || s->stopped == STOPPED_TIME_LIMIT;
    if (e->reached != STOPPED_NOTHING && given_up && !s->failure && !search_stopped_by(e->all->interrupt))
        sample(e);
}

/* ---- what it means ---- */

static void judge(struct estimate *e, struct search_result *result)
{
    struct search *s = e->search;
    double kept = (double)e->kept.states, seen = (double)e->seen, all, least;
    if (e->counted && e->seen == e->kept.states)
        e->reached = STOPPED_NOTHING;            /* there was nothing more: nothing was ever in the table, so it hid nothing */
    result->coverage = search_over(s) || e->reached ? COVERAGE_PART : COVERAGE_ALL;
    if (e->reached == STOPPED_NOTHING)
        return;
    result->estimate.counted = e->counted;
    result->estimate.high = 100 * kept / seen;
    if (e->counted) {
        all = seen + e->missed;
        result->estimate.low = 100 * kept / (seen + 3 * (e->missed + 1));
    } else if (sieve_tells(&e->sieve, &all, &least) && all > seen) {     /* else it has come nowhere */
        result->estimate.sampled = true;
        result->estimate.high = fmin(result->estimate.high, fmax(100 * kept / least, 200 * kept / all));
    } else {
        all = 3 * seen;
    }
    result->estimate.percent = 100 * kept / all;
    result->estimate.states = (uint64_t)(all + 0.5);
    s->counts = e->kept;
    if (s->stopped == STOPPED_NOTHING || by_limit(s->stopped))
        s->stopped = e->reached;
}

void estimate_run(struct search *s, struct search_result *result)
{
    struct estimate e = { .search = s, .settings = *s->settings, .all = s->settings, .bfs = bfs_new(s) };
    s->settings = &e.settings;
    s->livelock_from = UINT32_MAX;
    result->states_once = true;
    go_on(&e, wide);
    bfs_run(e.bfs, 0);
    if (by_limit(s->stopped) && !search_stopped_by(e.all->interrupt))
        go_on(&e, deep);
    shuffle(&e);
    search_from_waiting(&e, e.waiting);
    end_count(&e);
    bfs_go_home(e.bfs);
    judge(&e, result);
    assert(result->coverage == COVERAGE_ALL || s->stopped || s->failure || s->spent);
    s->settings = e.all;
    bfs_free(e.bfs);
    free(e.order);
    bloom_fini(&e.table);
}
