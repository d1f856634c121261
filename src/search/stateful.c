/* Depth first, entering each global state once: ends on programs that go round in circles, and counts states exactly.
 *
 * Looking for a state among those that were entered means waiting for memory. So when a state is entered, all steps from it
 * that are cheap to take and to undo (plain ones) are taken at once: the fingerprints of the states they lead to are kept, and
 * memory begins to fetch where those would be. A step that leads to a known state is then not taken again.
 * SPDX-License-Identifier: MIT */
#include "search/internal.h"

#include "base/memory.h"
#include "search/visited.h"

#include <stdlib.h>

struct peeked { uint64_t fingerprint[2]; };

struct stateful {
    struct search  *search;
    struct visited *visited;
    struct peeked  *peeked;          /* of the states on the path, one for each process in `peeked` of the frame */
    uint32_t        count, room;
};

static void peek(struct stateful *st, struct frame *f)
{
    struct system *system = st->search->system;
    uint64_t plain = 0;
    for (uint64_t todo = st->search->watched ? 0 : f->todo; todo; todo &= todo - 1) {
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
static void enter(struct stateful *st, uint32_t moved, uint64_t number)
{
    struct search *s = st->search;
    struct frame *f = &s->frames[s->depth];
    *f = (struct frame){ .todo = s->system->enabled, .process = NO_PROCESS, .number = number };
    search_enter(s, s->system, moved);
    search_end_path(s);
    s->counts.executions += !f->todo;
    if (s->watcher->state)
        s->watcher->state(s->watcher->self, number, s->depth);
    peek(st, f);
}

/* Enters the current state when it is new; else the last step is undone. `from` is the state it comes from. */
static void arrive(struct stateful *st, uint32_t moved, uint64_t from)
{
    struct search *s = st->search;
    uint64_t fingerprint[2], number = s->counts.states;
    system_fingerprint(s->system, fingerprint);
    bool new = visited_add(st->visited, fingerprint, &number);
    if (s->watcher->transition && moved != NO_PROCESS)
        s->watcher->transition(s->watcher->self, from, number, &s->steps[s->depth - 1]);
    if (new)
        enter(st, moved, number);
    else
        search_back(s, s->system);
}

static bool next_transition(struct search *s, struct frame *f)
{
    if (f->choice + 1 < f->choices) {
        f->choice++;
        return true;
    }
    if (!f->todo)
        return false;
    f->process = (uint32_t)__builtin_ctzll(f->todo);
    f->todo &= f->todo - 1;
    f->choice = 0;
    f->choices = system_choices(s->system, (int)f->process);
    return true;
}

/* False when the machine failed. */
static bool take(struct stateful *st, struct frame *f)
{
    struct search *s = st->search;
    uint64_t from = f->number, number = s->counts.states;
    uint32_t p = f->process, choice = f->choice;
    bool peeked = f->peeked & BIT(p);
    if (peeked && !visited_add(st->visited, st->peeked[--st->count].fingerprint, &number)) {
        s->counts.transitions++;
        return true;
    }
    search_room(s);
    enum took took = search_step(s, s->system, p, choice);
    if (took == STEP_AGAIN)
        search_differs(s);
    if (took != STEP_TAKEN)
        return false;
    if (peeked)
        enter(st, p, number);
    else
        arrive(st, p, from);
    return true;
}

void stateful_run(struct search *s)
{
    s->livelock_from = UINT32_MAX;   /* a path that was cut because its states are known says nothing of how long one waits */
    struct stateful st = { .search = s, .visited = visited_new(s->watcher->transition ? WITH_NUMBERS : WITHOUT_NUMBERS) };
    arrive(&st, NO_PROCESS, 0);
    while (!search_over(s)) {
        struct frame *f = &s->frames[s->depth];
        if (next_transition(s, f)) {
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
