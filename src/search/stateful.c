/* Depth first, entering each global state once: ends on programs that go round in circles, and counts states exactly.
 * SPDX-License-Identifier: MIT */
#include "search/internal.h"
#include "search/visited.h"

struct stateful {
    struct search  *search;
    struct visited *visited;
};

/* Enters the current state when it is new; else the last step is undone. `from` is the state it comes from. */
static void enter(struct stateful *st, uint32_t moved, uint64_t from)
{
    struct search *s = st->search;
    uint64_t fingerprint[2], number = s->counts.states;
    system_fingerprint(s->system, fingerprint);
    bool new = visited_add(st->visited, fingerprint, &number);
    if (s->watcher->transition && moved != NO_PROCESS)
        s->watcher->transition(s->watcher->self, from, number, &s->steps[s->depth - 1]);
    if (!new) {
        search_back(s);
        return;
    }
    struct frame *f = &s->frames[s->depth];
    *f = (struct frame){ .todo = s->system->enabled, .process = NO_PROCESS, .number = number };
    search_enter(s, moved);
    search_end_path(s);
    s->counts.executions += !f->todo;
    if (s->watcher->state)
        s->watcher->state(s->watcher->self, number, s->depth);
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

void stateful_run(struct search *s)
{
    s->livelock_from = UINT32_MAX;   /* a path that was cut because its states are known says nothing of how long one waits */
    struct stateful st = { s, visited_new(s->watcher->transition ? WITH_NUMBERS : WITHOUT_NUMBERS) };
    enter(&st, NO_PROCESS, 0);
    while (!search_over(s)) {
        struct frame *f = &s->frames[s->depth];
        if (next_transition(s, f)) {
            uint64_t from = f->number;
            uint32_t p = f->process;
            if (!search_step(s, p, f->choice))
                break;
            enter(&st, p, from);
        } else if (s->depth) {
            search_back(s);
        } else {
            break;
        }
    }
    visited_free(st.visited);
}
