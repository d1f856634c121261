/* SPDX-License-Identifier: MIT */
#include "certifier/ladder.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define BIT(p)       (UINT64_C(1) << (p))
#define ABOVE(p)     (~((UINT64_C(2) << (p)) - 1))               /* all processes above this one */

/* A place in a table of numbers that grows; what was not set is 0. */
static void make_places(uint32_t **table, uint32_t *room, uint32_t index)
{
    while (index >= *room) {
        uint32_t more = memory_more(*room);
        *table = memory_resize(*table, more * sizeof **table);
        memset(*table + *room, 0, (more - *room) * sizeof **table);
        *room = more;
    }
}

static inline uint32_t *place(uint32_t **table, uint32_t *room, uint32_t index)
{
    if (index >= *room)
        make_places(table, room, index);
    return &(*table)[index];
}

static uint32_t hashed(uint32_t process, uint32_t label)
{
    uint64_t x = ((uint64_t)process << 32 | label) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)((x ^ x >> 29) * UINT64_C(0xbf58476d1ce4e5b9) >> 32);
}

static void set_label(struct ladder *l, uint32_t process, uint32_t label)
{
    struct cell *cell = &l->cells[process];
    if (cell->label == label)
        return;
    l->all ^= hashed(process, cell->label) ^ hashed(process, label);
    cell->label = label;
    cell->kind = 0;
}

/* ---- the path ---- */

void ladder_init(struct ladder *l, struct labels *labels)
{
    *l = (struct ladder){ .labels = labels, .sums = sums_new(), .processes = 1 };
    known_add_state(&l->known);
    sums_add(l->sums, SUMS_NONE, 0);
    ARRAY_GROW(l->path, l->depth, l->path_room);
    l->path[l->depth++] = (struct rung){ .twin = KNOWN_NONE, .cursor = KNOWN_NONE };
}

void ladder_fini(struct ladder *l)
{
    known_fini(&l->known);
    sums_free(l->sums);
    free(l->path);
    free(l->sequel);
    free(l->then);
    *l = (struct ladder){ 0 };
}

void ladder_forget(struct ladder *l)
{
    l->base = l->highest + 1;
    known_forget(&l->known);
    sums_forget(l->sums);
    for (uint32_t i = 0; i < l->depth; i++)
        l->path[i].known = l->path[i].twin = l->path[i].cursor = KNOWN_NONE;
}

/* ---- twins ---- */

/* Of the parent: the sibling that makes the twin of the new state, NONE: there is none; or the parent's twin makes it. */
static uint32_t find_twin(const struct ladder *l, const struct rung *from, struct rung *new)
{
    const struct known *k = &l->known;
    uint32_t process = ladder_process(l, new->arrived);
    for (uint32_t i = from->known == KNOWN_NONE ? KNOWN_NONE : k->states[from->known].first; i != KNOWN_NONE; i = k->steps[i].next) {
        const struct known_step *sibling = &k->steps[i];
        if (ladder_process(l, sibling->label) == process || sibling->to == from->known)
            continue;
        new->twin = known_follow(k, sibling->to, new->arrived);
        new->moved = sibling->label;
        if (new->twin != KNOWN_NONE)
            return sibling->to;
    }
    if (from->twin == KNOWN_NONE || ladder_process(l, from->moved) == process)
        return KNOWN_NONE;
    new->twin = known_follow(k, from->twin, new->arrived);
    new->moved = from->moved;
    return from->twin;
}

/* Who can go on, by three corners. */
static uint64_t foretell_can(const struct ladder *l, const struct rung *from, const struct rung *new, uint32_t sibling)
{
    const struct known_state *states = l->known.states;
    uint64_t moved = BIT(ladder_process(l, new->moved)), arrived = BIT(ladder_process(l, new->arrived));
    uint64_t can = from->can ^ states[sibling].can ^ states[new->twin].can;
    return ((can | moved) & ~arrived) | (states[new->twin].can & arrived);
}

/* The process that arrived stands before what it stood before then, when it had come by the same transition. */
static void move(struct ladder *l, struct rung *new)
{
    uint32_t p = ladder_process(l, new->arrived);
    new->before = l->cells[p];
    set_label(l, p, new->kind < SUMS_KINDS ? *place(&l->then, &l->then_room, new->kind) : BACK);
    l->cells[p].before = new->arrived;
    l->cells[p].kind = 0;
}

static void enter(struct ladder *l, uint64_t state, uint32_t label, uint32_t kind)
{
    ARRAY_GROW(l->path, l->depth, l->path_room);
    struct rung *new = &l->path[l->depth], *from = new - 1;
    *new = (struct rung){ .state = state, .known = ladder_known(l, state), .arrived = label, .kind = kind, .twin = KNOWN_NONE, .cursor = KNOWN_NONE };
    uint32_t sibling = find_twin(l, from, new);
    if (new->twin == KNOWN_NONE) {
        new->can = from->can;
        new->way = label;
    } else {
        new->can = foretell_can(l, from, new, sibling);
        new->way = ladder_mix(label, new->moved);
        new->cursor = l->known.states[new->twin].first;
    }
    if (new->known != KNOWN_NONE)
        l->known.states[new->known].can = new->can;
    move(l, new);
    l->depth++;
}

static void leave(struct ladder *l)
{
    const struct rung *old = &l->path[--l->depth];
    if (!l->depth)
        return;
    struct rung *parent = ladder_top(l);
    uint32_t moved = ladder_process(l, old->arrived), next = l->cells[moved].label;
    if (parent->twin == KNOWN_NONE)
        parent->can = (parent->can & ~ABOVE(moved)) | (old->can & ABOVE(moved));
    if (old->kind < SUMS_KINDS && next)
        *place(&l->then, &l->then_room, old->kind) = next;
    set_label(l, moved, old->before.label);
    l->cells[moved] = old->before;
}

/* ---- labels ---- */

/* The transition of the twin that is the first one of this process, or has this label; NONE: there is none from the cursor on. */
static uint32_t find_in_twin(const struct ladder *l, struct rung *r, uint32_t process, uint32_t label)
{
    const struct known_step *steps = l->known.steps;
    while (r->cursor != KNOWN_NONE) {
        uint32_t other = ladder_process(l, steps[r->cursor].label);
        if (other > process || (other == process && (!label || steps[r->cursor].label == label)))
            return other == process ? r->cursor : KNOWN_NONE;
        r->cursor = steps[r->cursor].next;
    }
    return KNOWN_NONE;
}

uint32_t ladder_first_label(struct ladder *l, uint32_t process)
{
    struct rung *r = ladder_top(l);
    bool moved = r->arrived && ladder_process(l, r->arrived) == process;
    uint32_t there = moved ? find_in_twin(l, r, process, BACK) : KNOWN_NONE;
    return there == KNOWN_NONE ? l->cells[process].label : l->known.steps[there].label;
}

/* Of the process that was told last: another label of it. BACK: no more. */
static uint32_t other_label(struct ladder *l, struct rung *r)
{
    const struct known *k = &l->known;
    uint32_t at, sequel = *place(&l->sequel, &l->sequel_room, r->last);
    if (!sequel)                     /* there never was one */
        return BACK;
    if (r->twin == KNOWN_NONE)
        at = KNOWN_NONE;
    else if (ladder_process(l, r->moved) == r->process)
        at = known_step_of(k, l->path[l->depth - 2].known, r->last);
    else
        at = find_in_twin(l, r, r->process, r->last);
    if (at == KNOWN_NONE)
        return sequel & 1 ? sequel >> 1 : BACK;
    at = k->steps[at].next;
    return at != KNOWN_NONE && ladder_process(l, k->steps[at].label) == r->process ? k->steps[at].label : BACK;
}

uint32_t ladder_sequel(struct ladder *l, uint32_t label) { return *place(&l->sequel, &l->sequel_room, label) >> 1; }

uint32_t ladder_next_label(struct ladder *l)
{
    struct rung *r = ladder_top(l);
    uint32_t label = r->told ? other_label(l, r) : BACK;
    if (label != BACK || r->process >= l->processes)
        return label;
    uint64_t rest = r->can & (r->told ? ABOVE(r->process) : -BIT(r->process));
    if (!rest)
        return BACK;
    label = ladder_first_label(l, (uint32_t)__builtin_ctzll(rest));
    return label == BACK ? LADDER_NOBODY_KNOWS : label;
}

/* Those of these processes that come from where it was told on cannot go on. */
static void skip(struct ladder *l, struct rung *r, uint64_t processes)
{
    r->can &= ~(processes & (r->told ? ABOVE(r->process) : -BIT(r->process)));
    if (r->told && l->sequel[r->last] & 1)
        l->sequel[r->last]--;
}

void ladder_told_label(struct ladder *l, uint32_t label)
{
    struct rung *r = ladder_top(l);
    uint32_t p = ladder_process(l, label);
    if (r->told && r->process == p) {
        *place(&l->sequel, &l->sequel_room, r->last) = 2 * label + 1;
        r->told++;
        return;
    }
    skip(l, r, BIT(p) - 1);
    r->can |= BIT(p);
    r->process = p;
    r->told = 1;
    l->processes = p >= l->processes ? p + 1 : l->processes;
    if (r->known != KNOWN_NONE)
        l->known.states[r->known].can = r->can;
    set_label(l, p, label);
}

uint32_t ladder_kind(struct ladder *l, uint32_t label)
{
    struct cell *cell = &l->cells[ladder_process(l, label)];
    if (cell->label != label)        /* another outcome */
        return sums_kind(l->sums, label, cell->before);
    if (!cell->kind)
        cell->kind = sums_kind(l->sums, label, cell->before) + 1;
    return cell->kind - 1;
}

void ladder_told_over(struct ladder *l)
{
    struct rung *r = ladder_top(l);
    skip(l, r, UINT64_MAX);
    if (r->known != KNOWN_NONE)
        l->known.states[r->known].can = r->can;
    leave(l);
}

/* ---- states ---- */

uint32_t ladder_by_parent(const struct ladder *l, uint32_t label)
{
    uint32_t parent = l->depth < 2 ? KNOWN_NONE : l->path[l->depth - 2].known;
    return known_follow(&l->known, known_follow(&l->known, parent, label), ladder_top(l)->arrived);
}

static uint32_t twin_leads(struct ladder *l, struct rung *r, uint32_t label)
{
    if (r->cursor != KNOWN_NONE && l->known.steps[r->cursor].label == label)
        return l->known.steps[r->cursor].to;
    return known_follow(&l->known, r->twin, label);
}

uint32_t ladder_leads(struct ladder *l, uint32_t label, uint32_t *how)
{
    enum { NO_WAY, MOVED, MOVED_ELSE, TWIN, SQUARE };
    struct rung *r = ladder_top(l);
    uint32_t to = KNOWN_NONE, end;
    *how = MOVED;
    if (r->twin != KNOWN_NONE && label == r->moved)
        return r->twin;
    *how = MOVED_ELSE;
    if (r->twin != KNOWN_NONE && ladder_process(l, r->moved) == ladder_process(l, label))
        return ladder_by_parent(l, label);
    *how = TWIN;
    if (r->twin != KNOWN_NONE && (end = twin_leads(l, r, label)) != KNOWN_NONE)
        return known_back(&l->known, end, r->moved, KNOWN_NONE);
    *how = known_square(&l->known, l->labels, r->known, label, &to) ? SQUARE : NO_WAY;
    return to;
}

void ladder_told_state(struct ladder *l, uint32_t label, uint32_t kind, uint64_t to)
{
    struct rung *r = ladder_top(l);
    bool is_new = to > l->highest;
    if (is_new) {
        l->highest = to;
        known_add_state(&l->known);
        sums_add(l->sums, r->known == KNOWN_NONE ? SUMS_NONE : (int64_t)r->known, kind);
    }
    uint32_t there = ladder_known(l, to);
    if (r->known != KNOWN_NONE && there != KNOWN_NONE) {
        if (!is_new)
            sums_learn(l->sums, r->known, kind, there);
        known_add_step(&l->known, r->known, label, there);
    }
    r->last = label;
    if (is_new)
        enter(l, to, label, kind);
}
