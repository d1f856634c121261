/* SPDX-License-Identifier: MIT */
#include "certifier/twin.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* A transition that is remembered. States count from `base` of the twin. */
struct known {
    uint32_t from, to, label;
    uint32_t next;                   /* the next one from there; NONE: the last */
    uint32_t before;                 /* the one before it that leads to the same state; NONE: the first */
};

struct ends { uint32_t first, last, into; };                     /* of a state: its transitions; the last that leads to it */

struct rung {                       /* a state on the path */
    uint64_t state, region;
    uint32_t arrived, previous;      /* labels: by which it was entered, which was told last; BACK: none */
    uint32_t twin, moved;            /* twin NONE: it has none */
};

struct context { uint64_t key; int64_t value; };                 /* key 0: free */
struct contexts { struct context slots[2 * TWIN_CONTEXTS]; uint32_t count; };

struct twin {
    const struct labels *labels;
    uint64_t      base, highest;     /* what is below base is forgotten */
    struct known *known;
    struct ends  *ends;
    struct rung *path;
    struct contexts *labels_then, *states_then;                  /* what came last after two labels; how far back it led */
    uint64_t     *near;              /* by label: see twin_near */
    uint32_t      near_room;
    uint32_t      known_count, known_room, ends_count, ends_room, depth, path_room;
};

/* ---- what came last ---- */

static struct context *context_of(const struct contexts *c, uint64_t key)
{
    uint32_t at = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 47);
    while (c->slots[at].key && c->slots[at].key != key)
        at = (at + 1) % (2 * TWIN_CONTEXTS);
    return (struct context *)&c->slots[at];
}

static void context_set(struct contexts *c, uint64_t key, int64_t value)
{
    struct context *slot = context_of(c, key);
    if (!slot->key && c->count == TWIN_CONTEXTS)
        return;
    c->count += !slot->key;
    *slot = (struct context){ key, value };
}

static uint64_t key_of(uint32_t label, uint32_t arrived)         /* never 0 */
{
    return ((uint64_t)label << 32 | arrived) + 1;
}

/* ---- what is remembered ---- */

static uint32_t number_of(const struct twin *t, uint64_t state)
{
    return state >= t->base && state - t->base < t->ends_count ? (uint32_t)(state - t->base) : NONE;
}

static uint32_t follow(const struct twin *t, uint32_t state, uint32_t label)
{
    for (uint32_t k = t->ends[state].first; k != NONE; k = t->known[k].next)
        if (t->known[k].label == label)
            return t->known[k].to;
    return NONE;
}

static uint32_t follow_back(const struct twin *t, uint32_t state, uint32_t label)
{
    for (uint32_t k = t->ends[state].into; k != NONE; k = t->known[k].before)
        if (t->known[k].label == label)
            return t->known[k].from;
    return NONE;
}

static void forget(struct twin *t)
{
    t->base = t->highest + 1;
    t->known_count = t->ends_count = 0;
    for (uint32_t i = 0; i < t->depth; i++)
        t->path[i].twin = NONE;
}

static void add_state(struct twin *t)
{
    ARRAY_GROW(t->ends, t->ends_count, t->ends_room);
    t->ends[t->ends_count++] = (struct ends){ NONE, NONE, NONE };
}

static void remember(struct twin *t, uint32_t from, uint32_t label, uint32_t to)
{
    uint32_t k = t->known_count;
    ARRAY_GROW(t->known, t->known_count, t->known_room);
    t->known[t->known_count++] = (struct known){ from, to, label, NONE, t->ends[to].into };
    t->ends[to].into = k;
    if (t->ends[from].last == NONE)
        t->ends[from].first = k;
    else
        t->known[t->ends[from].last].next = k;
    t->ends[from].last = k;
}

/* ---- finding a twin ---- */

static int process_of(const struct twin *t, uint32_t label) { return labels_get(t->labels, label)->process; }

/* The twin of the new state to which `label` leads from the last one of the path. */
static void find_twin(const struct twin *t, uint32_t label, struct rung *new)
{
    const struct rung *from = &t->path[t->depth - 1];
    uint32_t state = number_of(t, from->state);
    for (uint32_t k = state == NONE ? NONE : t->ends[state].first; k != NONE; k = t->known[k].next) {
        const struct known *sibling = &t->known[k];
        if (process_of(t, sibling->label) == process_of(t, label) || sibling->to == state)
            continue;
        new->twin = follow(t, sibling->to, label);
        new->moved = sibling->label;
        if (new->twin != NONE)
            return;
    }
    if (from->twin != NONE && process_of(t, from->moved) != process_of(t, label)) {
        new->twin = follow(t, from->twin, label);
        new->moved = from->moved;
    }
}

/* ---- guesses ---- */

/* Where in the twin's list with `moved` put in is what follows `previous`? Else the first of a later process. */
struct following { uint32_t previous, next, later; bool passed; int process; };

static void look_at(const struct twin *t, struct following *f, uint32_t label)
{
    if (f->passed && f->next == BACK)
        f->next = label;
    if (f->later == BACK && process_of(t, label) > f->process)
        f->later = label;
    f->passed |= label == f->previous;
}

static uint32_t twins_label(const struct twin *t, const struct rung *l)
{
    int moved = process_of(t, l->moved);
    bool in = false;
    struct following f = { .previous = l->previous, .passed = l->previous == BACK,
                           .process = l->previous == BACK ? -1 : process_of(t, l->previous) };
    for (uint32_t k = t->ends[l->twin].first; k != NONE; k = t->known[k].next) {
        uint32_t label = t->known[k].label;
        if (process_of(t, label) == moved)
            continue;
        if (!in && process_of(t, label) > moved)
            look_at(t, &f, l->moved);
        in |= process_of(t, label) > moved;
        look_at(t, &f, label);
    }
    if (!in)
        look_at(t, &f, l->moved);
    return f.passed ? f.next : f.later;
}

uint32_t twin_other_label(const struct twin *t)
{
    const struct rung *l = &t->path[t->depth - 1];
    return (uint32_t)context_of(t->labels_then, key_of(l->previous, l->arrived))->value;
}

/* After its first transition, which leads to this child, and others: what is next there, but for the process that moved. */
static uint32_t childs_label(const struct twin *t, const struct rung *l, const struct known *first)
{
    struct following f = { .previous = l->previous, .process = process_of(t, l->previous) };
    for (uint32_t k = t->ends[first->to].first; k != NONE; k = t->known[k].next)
        if (process_of(t, t->known[k].label) != process_of(t, first->label))
            look_at(t, &f, t->known[k].label);
    return f.passed ? f.next : f.later;
}

uint32_t twin_label(const struct twin *t)
{
    const struct rung *l = &t->path[t->depth - 1];
    uint32_t here = number_of(t, l->state), first = here == NONE ? NONE : t->ends[here].first;
    if (l->twin != NONE)
        return twins_label(t, l);
    bool child = first != NONE && l->previous != BACK && t->known[first].to != here && t->ends[t->known[first].to].first != NONE;
    return child ? childs_label(t, l, &t->known[first]) : twin_other_label(t);
}

/* By a child: false, if none tells. NONE: it is a state from which nothing leads there yet. */
static bool childs_state(const struct twin *t, uint32_t here, uint32_t label, uint32_t *state)
{
    for (uint32_t k = here == NONE ? NONE : t->ends[here].first; k != NONE; k = t->known[k].next) {
        const struct known *child = &t->known[k];
        if (process_of(t, child->label) == process_of(t, label) || child->to == here)
            continue;
        uint32_t end = follow(t, child->to, label);
        if (end == NONE)
            continue;
        for (k = t->ends[end].into; k != NONE; k = t->known[k].before)
            if (t->known[k].label == child->label && t->known[k].from != here)
                break;
        *state = k == NONE ? NONE : t->known[k].from;
        return true;
    }
    return false;
}

uint64_t twin_state(const struct twin *t, uint32_t label)
{
    const struct rung *l = &t->path[t->depth - 1];
    uint32_t state = NONE;
    if (childs_state(t, number_of(t, l->state), label, &state))
        return state == NONE ? twin_new_state(t) : t->base + state;
    if (l->twin != NONE && label == l->moved)
        state = l->twin;
    else if (l->twin != NONE && (state = follow(t, l->twin, label)) != NONE)
        state = follow_back(t, state, l->moved);
    return state == NONE ? twin_new_state(t) : t->base + state;
}

/* Where `arrived` leads when this label went before it. */
static uint32_t by_parent(const struct twin *t, uint32_t label)
{
    uint32_t parent = t->depth < 2 ? NONE : number_of(t, t->path[t->depth - 2].state);
    uint32_t first = parent == NONE ? NONE : follow(t, parent, label);
    return first == NONE ? NONE : follow(t, first, t->path[t->depth - 1].arrived);
}

uint64_t twin_near(const struct twin *t, uint32_t label) { return label < t->near_room ? t->near[label] : 0; }

void twin_told(struct twin *t, uint32_t label, uint64_t to)
{
    while (label >= t->near_room) {
        uint32_t room = memory_more(t->near_room);
        t->near = memory_resize(t->near, room * sizeof *t->near);
        memset(t->near + t->near_room, 0, (room - t->near_room) * sizeof *t->near);
        t->near_room = room;
    }
    t->near[label] = to;
}

uint64_t twin_other_state(const struct twin *t, uint32_t label)
{
    const struct rung *l = &t->path[t->depth - 1];
    uint32_t state = by_parent(t, label);
    if (state != NONE)
        return t->base + state;
    uint64_t back = (uint64_t)context_of(t->states_then, key_of(label, l->arrived))->value;
    return l->state - back;
}

/* ---- entries ---- */

static void push(struct twin *t, const struct rung *l)
{
    ARRAY_GROW(t->path, t->depth, t->path_room);
    t->path[t->depth++] = *l;
}

struct twin *twin_new(const struct labels *labels)
{
    struct twin *t = memory_get(sizeof *t);
    t->labels = labels;
    t->labels_then = memory_get(sizeof *t->labels_then);
    t->states_then = memory_get(sizeof *t->states_then);
    add_state(t);
    push(t, &(struct rung){ .twin = NONE });
    return t;
}

void twin_free(struct twin *t)
{
    if (!t)
        return;
    free(t->known);
    free(t->ends);
    free(t->path);
    free(t->labels_then);
    free(t->states_then);
    free(t->near);
    free(t);
}

void twin_begin(struct twin *t, const uint64_t *states, const uint32_t *arrived, const uint32_t *previous, uint32_t depth, uint64_t next)
{
    t->depth = 0;
    for (uint32_t i = 0; i < depth; i++)
        push(t, &(struct rung){ .state = states[i], .arrived = arrived[i], .previous = previous[i], .twin = NONE });
    t->highest = next - 1;
    forget(t);
}

void twin_step(struct twin *t, uint32_t label, uint64_t to)
{
    struct rung *l = &t->path[t->depth - 1], new = { .state = to, .arrived = label, .twin = NONE };
    bool is_new = to == twin_new_state(t);
    assert(to <= twin_new_state(t));
    if (t->known_count == TWIN_EDGES)
        forget(t);
    context_set(t->labels_then, key_of(l->previous, l->arrived), label);
    if (is_new) {
        t->highest = to;
        add_state(t);
    } else {
        context_set(t->states_then, key_of(label, l->arrived), (int64_t)(l->state - to));
    }
    l->previous = label;
    l->region++;
    if (number_of(t, l->state) != NONE && number_of(t, to) != NONE)
        remember(t, number_of(t, l->state), label, number_of(t, to));
    if (is_new) {
        find_twin(t, label, &new);
        push(t, &new);
    }
}

void twin_back(struct twin *t)
{
    const struct rung l = t->path[--t->depth];
    context_set(t->labels_then, key_of(l.previous, l.arrived), BACK);
    if (t->depth)
        t->path[t->depth - 1].region += l.region;
}

bool     twin_over(const struct twin *t)      { return t->depth == 0; }
uint64_t twin_here(const struct twin *t)      { return t->path[t->depth - 1].state; }
uint64_t twin_new_state(const struct twin *t) { return t->highest + 1; }
uint64_t twin_region(const struct twin *t)    { return t->path[t->depth - 1].region; }
