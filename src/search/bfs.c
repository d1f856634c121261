/* Breadth first, entering each global state once: every state is met at its least depth, so the first error found is a
 * shortest one. Only the states of the edge of the search are kept whole; of the others a fingerprint, and the step that led
 * there, from which the path to a state can be made again. Of a sharing group no state can be kept whole: the path to each is made again,
 * from where it parts from the last one, and the program runs what is new of it.
 *
 * Invariant: a state comes after the one from which it was reached, and all of a layer are known before the next begins. The path to a
 * state is made of steps that were all taken before, so it can be taken again; where states are kept whole the program need not run.
 * SPDX-License-Identifier: MIT */
#include "search/internal.h"

#include "base/memory.h"
#include "search/visited.h"
#include "system/glimpse.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CHOICES = 1 << 24 };
struct origin { uint32_t parent, process : 8, choice : 24; };    /* of state number i; 0 is the first */
_Static_assert((int)MAX_TOSS < (int)MOST_CHOICES, "a choice fits");

struct layer {                       /* whole states, one behind the other */
    uint32_t *words;                 /* NULL in a group */
    uint32_t *numbers;
    uint32_t  count, room;
};

struct lead { uint32_t next, tail; };

struct bfs {
    struct search  *search;
    struct visited *visited;
    struct origin  *origins;
    uint32_t        count, room;
    struct layer    now, next;       /* states at `depth` still to be expanded; states at depth + 1 */
    uint32_t        depth, done;     /* done: how many of `now` are expanded */
    uint32_t       *first, words;    /* the state where the search began; words of a state */

    bool            walks;           /* it is a group */
    struct lead    *nexts;           /* of each state: the node to which the process came that went there, and what was done outside */
    uint32_t        nexts_room;
    uint32_t       *trail, *wanted, trail_room;          /* states on the path of the search, from the first; on the one that is to be */
};

struct bfs *bfs_new(struct search *s)
{
    struct bfs *b = memory_get(sizeof *b);
    b->search = s;
    b->walks = system_shares(s->system);
    b->words = b->walks ? 0 : system_state_words(s->system);
    b->first = memory_get((b->words + 1) * sizeof *b->first);
    b->visited = visited_new(s->watcher->transition ? WITH_NUMBERS : WITHOUT_NUMBERS);
    if (!b->walks)
        system_save(s->system, b->first);
    return b;
}

static void level_fini(struct layer *l)
{
    free(l->words);
    free(l->numbers);
}

void bfs_free(struct bfs *b)
{
    if (!b)
        return;
    visited_free(b->visited);
    free(b->origins);
    level_fini(&b->now);
    level_fini(&b->next);
    free(b->first);
    free(b->nexts);
    free(b->trail);
    free(b->wanted);
    free(b);
}

bool bfs_open(const struct bfs *b)
{
    return b->count == 0 || b->done < b->now.count || b->next.count;
}

uint32_t bfs_depth(const struct bfs *b)
{
    return b->depth;
}

uint64_t bfs_bytes(const struct bfs *b)
{
    uint64_t whole_states = (uint64_t)(b->now.room + b->next.room) * (b->words + 1) * sizeof *b->now.words;
    return visited_bytes(b->visited) + b->room * sizeof *b->origins + b->nexts_room * sizeof *b->nexts + whole_states;
}

static void add_state(struct bfs *b, struct layer *l, uint32_t number)
{
    if (l->count == l->room) {
        l->room = memory_more(l->room);
        if (!b->walks)
            l->words = memory_resize(l->words, (size_t)l->room * b->words * sizeof *l->words);
        l->numbers = memory_resize(l->numbers, l->room * sizeof *l->numbers);
    }
    if (!b->walks)
        system_save(b->search->system, l->words + (size_t)l->count * b->words);
    l->numbers[l->count++] = number;
}

/* Leaves the path to state `number` on the stack of the search, and the system in that state. */
static void walk_to(struct bfs *b, uint32_t number, uint32_t depth)
{
    struct search *s = b->search;
    system_load(s->system, b->first);
    while (s->room <= depth + 1)
        search_make_room(s);
    for (uint32_t i = depth, n = number; i-- > 0; n = b->origins[n].parent) {
        assert(b->origins[n].parent < n);
        s->steps[i].process = b->origins[n].process;
        s->steps[i].choice = b->origins[n].choice;
    }
    for (s->depth = 0; s->depth < depth; s->depth++) {
        struct step *step = &s->steps[s->depth];
        enum took took = system_execute(s->system, (int)step->process, step->choice, step, NULL);
        assert(took == STEP_TAKEN);
    }
}

/* ---- in a group: along the path ---- */

static void trail_make_room(struct bfs *b, uint32_t depth)
{
    while (b->search->room <= depth + 1)
        search_make_room(b->search);
    if (b->trail_room > depth)
        return;
    b->trail_room = b->search->room;
    b->trail = memory_resize(b->trail, b->trail_room * sizeof *b->trail);
    b->wanted = memory_resize(b->wanted, b->trail_room * sizeof *b->wanted);
}

/* The search stands at state `number` then; the program does not run. */
static void go_to(struct bfs *b, uint32_t number, uint32_t depth)
{
    struct search *s = b->search;
    uint32_t same = 0;
    trail_make_room(b, depth);
    for (uint32_t d = depth, n = number; d > 0; d--, n = b->origins[n].parent)
        b->wanted[d] = n;
    while (same < depth && same < s->depth && b->trail[same + 1] == b->wanted[same + 1])
        same++;
    while (s->depth > same)
        search_back(s, s->system);
    for (; s->depth < depth; s->depth++) {
        uint32_t n = b->trail[s->depth + 1] = b->wanted[s->depth + 1];
        system_follow(s->system, (int)b->origins[n].process, b->origins[n].choice, b->nexts[n].next, b->nexts[n].tail,
                      &s->steps[s->depth]);
    }
}

/* ---- states ---- */

/* There is something to say about the state just found. Its path is made, told, and forgotten. */
static void report(struct bfs *b, uint32_t number, uint32_t depth, uint32_t moved)
{
    if (b->walks) {
        search_check_state(b->search, moved);
        return;
    }
    uint32_t *here = memory_get(b->words * sizeof *here);
    system_save(b->search->system, here);
    walk_to(b, number, depth);
    search_check_state(b->search, moved);
    b->search->depth = 0;
    system_load(b->search->system, here);
    free(here);
}

static void enter(struct bfs *b, struct layer *level, uint32_t depth, struct origin origin, uint32_t moved)
{
    struct search *s = b->search;
    uint32_t number = b->count;
    ARRAY_GROW(b->origins, b->count, b->room);
    if (b->walks)
        ARRAY_GROW(b->nexts, b->count, b->nexts_room);
    if (b->walks)
        b->nexts[number] = moved == NO_PROCESS ? (struct lead){ 0 } : (struct lead){ s->steps[s->depth - 1].next, s->steps[s->depth - 1].tail };
    b->origins[b->count++] = origin;
    s->counts.states++;
    if (depth > s->counts.max_depth)
        s->counts.max_depth = depth;
    if (s->counts.states >= s->attention)
        search_look_up(s);
    if (s->watcher->state)
        s->watcher->state(s->watcher->self, number, depth);
    if ((!s->system->enabled && s->system->alive) || moved == NO_PROCESS || s->system->alert
        || system_pending(s->system, (int)moved)->flags & NODE_ALARM)
        report(b, number, depth, moved);
    if (s->system->enabled)
        add_state(b, level, number);
    else
        s->counts.executions++;
}

static bool execute(struct bfs *b, uint32_t process, uint32_t choice, struct step *step)
{
    struct search *s = b->search;
    enum took took = system_execute(s->system, (int)process, choice, step, s->err);
    if (took == STEP_AGAIN)
        search_differs(s);
    else
        search_took(s, took);
    if (took == STEP_TAKEN && b->walks)
        s->steps[s->depth++] = *step;
    s->counts.transitions += took == STEP_TAKEN;
    return took == STEP_TAKEN;
}

static void take(struct bfs *b, uint32_t from, uint32_t process, uint32_t choice)
{
    struct search *s = b->search;
    uint64_t fingerprint[2], number = b->count;
    struct step step;
    if (!execute(b, process, choice, &step))
        return;
    system_fingerprint(s->system, fingerprint);
    bool new = visited_add(b->visited, fingerprint, &number);
    if (s->watcher->transition)
        s->watcher->transition(s->watcher->self, from, number, &step);
    if (new)
        enter(b, &b->next, b->depth + 1, (struct origin){ from, process, choice & (MOST_CHOICES - 1) }, process);
    if (b->walks)
        search_back(s, s->system);
}

/* Only a type that a user wrote has so many. */
static bool too_many(struct search *s, uint32_t choices)
{
    if (choices <= MOST_CHOICES)
        return false;
    s->failure = fail(s->err, "an operation has %u results, and a search that keeps states has room for %d; use --search dfs", choices,
                      MOST_CHOICES);
    return s->over = true;
}

static void stand_at(struct bfs *b, const uint32_t *state, uint32_t number)
{
    if (b->walks)
        go_to(b, number, b->depth);
    else
        system_load(b->search->system, state);
}

/* Loads the state again for each transition instead of undoing: telling an error loads states too. */
static void expand(struct bfs *b, const uint32_t *state, uint32_t number)
{
    struct search *s = b->search;
    stand_at(b, state, number);
    assert(s->system->enabled);                  /* others are not kept */
    glimpse_want(s->system, s->system->enabled);
    for (uint64_t todo = s->system->enabled; todo; todo &= todo - 1) {
        uint32_t p = (uint32_t)__builtin_ctzll(todo), choices = system_choices(s->system, (int)p);
        if (too_many(s, choices))
            return;
        for (uint32_t choice = 0; choice < choices; choice++) {
            take(b, number, p, choice);
            if (!b->walks)
                system_load(s->system, state);
            if (s->failure || s->stopped != STOPPED_NOTHING)
                return;
        }
    }
}

static void next_level(struct bfs *b)
{
    struct layer spare = b->now;
    assert(b->done == b->now.count);
    b->now = b->next;
    b->next = spare;
    b->next.count = 0;
    b->done = 0;
    b->depth++;
}

static void begin(struct bfs *b)
{
    uint64_t fingerprint[2];
    system_fingerprint(b->search->system, fingerprint);
    visited_add(b->visited, fingerprint, NULL);
    enter(b, &b->now, 0, (struct origin){ 0 }, NO_PROCESS);
}

/* ---- what was not expanded ---- */

struct visited *bfs_visited(struct bfs *b) { return b->visited; }

uint32_t bfs_waiting(const struct bfs *b) { return b->now.count - b->done + b->next.count; }

void bfs_go_to_waiting(struct bfs *b, uint32_t which)
{
    uint32_t here = b->now.count - b->done;
    bool later = which >= here;
    uint32_t number = later ? b->next.numbers[which - here] : b->now.numbers[b->done + which];
    if (b->walks)
        go_to(b, number, b->depth + later);
    else
        walk_to(b, number, b->depth + later);
}

void bfs_go_home(struct bfs *b)
{
    if (b->walks)
        go_to(b, 0, 0);
    else
        system_load(b->search->system, b->first);
    b->search->depth = 0;
}

void bfs_run(struct bfs *b, uint32_t bound)
{
    struct search *s = b->search;
    if (b->count == 0)
        begin(b);
    while (!search_over(s) && bfs_open(b) && !(bound && b->depth >= bound)) {
        if (b->done == b->now.count) {
            next_level(b);
            continue;
        }
        uint32_t i = b->done++;
        expand(b, b->walks ? NULL : b->now.words + (size_t)i * b->words, b->now.numbers[i]);
        if (s->stopped != STOPPED_NOTHING)
            b->done = i;             /* in the middle of it */
    }
    bfs_go_home(b);
}
