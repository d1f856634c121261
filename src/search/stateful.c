/* Depth first, entering each global state once: ends on programs that go round in circles, and counts states exactly.
 *
 * Looking for a state among those that were entered means waiting for memory. So when a state is entered, all steps from it
 * that are cheap to take and to undo (plain ones) are taken at once: the fingerprints of the states they lead to are kept, and
 * memory begins to fetch where those would be. A step that leads to a known state is then not taken again.
 *
 * With sleep sets (sleep.h; Godefroid, Partial-Order Methods for the Verification of Concurrent Systems, 1996, chapter 5) every state is
 * still entered, by fewer transitions. With a state is stored who slept in it whenever it was entered: what these would do was never tried
 * there. When it is come to again, and some of them are awake, then these, and only these, are tried now, and are stored no more:
 *
 *       first with {1, 2} asleep      stored {1, 2}; 3 is tried
 *       then with {2, 4} asleep       1 is tried, with 2 asleep; stored {2}
 *       then with {2} asleep          nothing
 *
 * So each transition of a state is tried at most once. Nothing is lost: who was asleep both times is asleep for good reason both times, and
 * who is tried now goes with the sleepers of both, whose transitions were tried before in an order that this one is equivalent to.
 * SPDX-License-Identifier: MIT */
#include "search/internal.h"

#include "base/memory.h"
#include "search/sleep.h"
#include "search/visited.h"
#include "system/glimpse.h"

#include <stdlib.h>

struct peeked { uint64_t fingerprint[2]; };

struct stateful {
    struct search  *search;
    struct visited *visited;
    struct peeked  *peeked;          /* of the states on the path, one for each process in `peeked` of the frame */
    uint32_t        count, room;
    bool            sleeps;          /* with sleep sets */
};

static void peek(struct stateful *st, struct frame *f)
{
    struct system *system = st->search->system;
    uint64_t plain = 0;
    for (uint64_t todo = st->search->transitions || st->sleeps ? 0 : f->todo; todo; todo &= todo - 1) {
        int p = __builtin_ctzll(todo);
        plain |= step_plain(system, p) ? BIT(p) : 0;
    }
    f->peeked = plain;
    while (plain) {                  /* the last first, so that the first is on top */
        int p = 63 - __builtin_clzll(plain);
        plain ^= BIT(p);
        struct step step;
        ARRAY_GROW(st->peeked, st->count, st->room);
        struct peeked *a = &st->peeked[st->count++];
        step_execute(system, p, 0, &step, NULL);
        system_fingerprint(system, a->fingerprint);
        step_undo(system, &step);
        visited_prefetch(st->visited, a->fingerprint);
    }
}

/* Enters the current state, which is new. `number` is its own. */
static void enter(struct stateful *st, uint32_t moved, uint64_t number, uint64_t sleep)
{
    struct search *s = st->search;
    struct frame *f = &s->frames[s->depth];
    *f = (struct frame){ .todo = s->system->enabled & ~sleep, .sleep = sleep, .process = NO_PROCESS, .number = number };
    search_enter(s, s->system, moved);
    search_end_path(s);
    s->counts.executions += !s->system->enabled;
    s->counts.sleep_cut += !f->todo && s->system->enabled;
    if (s->watcher->state)
        s->watcher->state(s->watcher->self, number, s->depth);
    glimpse_want(s->system, f->todo);
    peek(st, f);
}

/* The current state is known. Those that slept there whenever it was entered, and are awake now, are tried; false: there are none. */
static bool enter_again(struct stateful *st, uint64_t *stored, uint64_t number, uint64_t sleep)
{
    struct search *s = st->search;
    uint64_t awake = *stored & ~sleep;
    if (!awake)
        return false;
    *stored &= sleep;
    s->frames[s->depth] = (struct frame){ .todo = awake & s->system->enabled, .sleep = *stored, .process = NO_PROCESS, .number = number };
    glimpse_want(s->system, awake & s->system->enabled);
    return true;
}

/* Enters the current state when it is new; else the last step is undone. `from` is the state it comes from. */
static void arrive(struct stateful *st, uint32_t moved, uint64_t from, uint64_t sleep)
{
    struct search *s = st->search;
    uint64_t fingerprint[2], number = s->counts.states, *stored;
    system_fingerprint(s->system, fingerprint);
    bool new = visited_add(st->visited, fingerprint, &number);
    if (s->watcher->transition && moved != NO_PROCESS)
        s->watcher->transition(s->watcher->self, from, number, &s->steps[s->depth - 1]);
    stored = st->sleeps ? visited_sleep(st->visited, fingerprint) : NULL;
    if (new && stored)
        *stored = sleep;
    if (new)
        enter(st, moved, number, sleep);
    else if (!stored || !enter_again(st, stored, number, sleep))
        search_back(s, s->system);
}

/* A plain step to a known state, which is not taken again. */
static void show_peeked(const struct search *s, uint32_t p, uint64_t from, uint64_t to)
{
    struct step step;
    if (!s->watcher->transition)
        return;
    step_begin(s->system, (int)p, 0, &step);
    step.next = system_pending(s->system, (int)p)->one.next;
    s->watcher->transition(s->watcher->self, from, to, &step);
}

/* False when the machine failed. */
static bool take(struct stateful *st, struct frame *f)
{
    struct search *s = st->search;
    uint64_t from = f->number, number = s->counts.states;
    uint32_t p = f->process;
    bool peeked = f->peeked & BIT(p);
    if (peeked && !visited_add(st->visited, st->peeked[--st->count].fingerprint, &number)) {
        s->counts.transitions++;
        show_peeked(s, p, from, number);
        return true;
    }
    uint64_t sleep;
    if (!sleep_take(s, f, st->sleeps, &sleep))
        return false;
    if (peeked && s->watcher->transition)
        s->watcher->transition(s->watcher->self, from, number, &s->steps[s->depth - 1]);
    if (peeked)
        enter(st, p, number, 0);
    else
        arrive(st, p, from, sleep);
    return true;
}

static void go_through(struct search *s, bool sleeps)
{
    enum numbering kept = (s->watcher->transition ? WITH_NUMBERS : 0) | (sleeps ? WITH_SLEEP : 0);
    struct stateful st = { .search = s, .visited = visited_new(kept), .sleeps = sleeps };
    arrive(&st, NO_PROCESS, 0, 0);
    while (!search_over(s)) {
        struct frame *f = &s->frames[s->depth];
        if (search_next_transition(s, f)) {
            if (!take(&st, f))
                break;
        } else if (s->depth) {
            search_back(s, s->system);
        } else {
            break;
        }
    }
    visited_free(st.visited);
    free(st.peeked);
}

void stateful_run(struct search *s)
{
    bool sleeps = s->settings->reduction == REDUCTION_SLEEP;
    uint64_t premises;
    s->livelock_from = UINT32_MAX;   /* a path that was cut because its states are known says nothing of how long one waits */
    do {                             /* again, when it turns out that what depends on what rests on something that is not so */
        search_restart(s);
        premises = dependence_premises(s->system);
        go_through(s, sleeps);
    } while (sleeps && premises != dependence_premises(s->system) && !search_over(s));
}
