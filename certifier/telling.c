/* SPDX-License-Identifier: MIT */
#include "certifier/telling.h"

#include "base/memory.h"
#include "certifier/known.h"
#include "certifier/sums.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_TEXT = 1 << 16, CANDIDATES = 12, SAME_SUM = 8 };

/* Kinds of bits. */
enum { HAS, MORE, AS_GUESSED, OVER, NUMBER, WORDS, FIRST, LAST = FIRST + 3 };

/* Of a process in a state of the path. */
enum { CANNOT, CAN, UNTOLD };
struct cell {
    uint32_t label;                  /* what it does next, as was told here or is foretold; BACK: nobody knows */
    uint32_t before;                 /* what it did last; BACK: nothing */
    uint32_t can;                    /* of a process that was not told yet: in the state of which it was told last */
};

struct rung {                        /* a state on the path */
    uint64_t state, region;
    uint32_t arrived;                /* the label by which it was entered; BACK: the first */
    uint32_t last;                   /* the label that was told last; BACK: none */
    uint32_t twin, moved;            /* twin NONE: it has none */
    uint32_t process, told;          /* the process that is told now, and how many labels of it were told */
};

struct telling {
    struct labels *labels;
    struct coder  *coder;
    struct known   known;            /* of states from `base` on */
    struct sums   *sums;
    uint64_t       base, highest;
    struct rung   *path;
    struct cell   *cells;            /* `processes` for each state of the path */
    uint32_t       depth, path_room, processes, told_labels;     /* told: whose words are known to the reader */
    size_t         cells_room;
    uint32_t      *sequel, sequel_room;          /* by label: the one of the same process that came after it last, in the same state */
    uint32_t      *then, then_room;              /* by kind of transition (sums.h): what its process did next, when that was told last */
    char          *text;             /* LONGEST_TEXT bytes */
};

static int process_of(const struct telling *t, uint32_t label) { return labels_get(t->labels, label)->process; }
static struct rung *top(const struct telling *t)               { return &t->path[t->depth - 1]; }
static struct cell *cells_of(const struct telling *t, uint32_t depth) { return t->cells + (size_t)depth * t->processes; }

static uint32_t number_of(const struct telling *t, uint64_t state)
{
    return state >= t->base && state - t->base < t->known.state_count ? (uint32_t)(state - t->base) : KNOWN_NONE;
}

/* A place in a table of numbers that grows; what was not set is 0. */
static uint32_t *place(uint32_t **table, uint32_t *room, uint32_t index)
{
    while (index >= *room) {
        uint32_t more = memory_more(*room);
        *table = memory_resize(*table, more * sizeof **table);
        memset(*table + *room, 0, (more - *room) * sizeof **table);
        *room = more;
    }
    return &(*table)[index];
}

static uint32_t *then_of(struct telling *t, uint32_t label, uint32_t before)
{
    uint32_t kind = sums_kind(t->sums, label, before);
    return kind < SUMS_KINDS ? place(&t->then, &t->then_room, kind) : NULL;
}

/* ---- the path ---- */

static void make_cells(struct telling *t, size_t count)
{
    while (count > t->cells_room) {
        size_t more = t->cells_room ? 2 * t->cells_room : 1024;
        t->cells = memory_resize(t->cells, more * sizeof *t->cells);
        t->cells_room = more;
    }
}

/* There is a process that there was not before: nothing is known of it anywhere. */
static void add_processes(struct telling *t, uint32_t processes)
{
    struct cell *old = t->cells;
    uint32_t before = t->processes;
    t->cells = NULL;
    t->cells_room = 0;
    t->processes = processes;
    make_cells(t, (size_t)t->depth * processes);
    for (uint32_t i = 0; i < t->depth; i++)
        for (uint32_t p = 0; p < processes; p++)
            cells_of(t, i)[p] = p < before ? old[(size_t)i * before + p] : (struct cell){ .can = UNTOLD };
    free(old);
}

static void find_twin(const struct telling *t, const struct rung *from, struct rung *new)
{
    uint32_t state = number_of(t, from->state), label = new->arrived;
    const struct known *k = &t->known;
    for (uint32_t i = state == KNOWN_NONE ? KNOWN_NONE : k->states[state].first; i != KNOWN_NONE; i = k->steps[i].next) {
        const struct known_step *sibling = &k->steps[i];
        if (process_of(t, sibling->label) == process_of(t, label) || sibling->to == state)
            continue;
        new->twin = known_follow(k, sibling->to, label);
        new->moved = sibling->label;
        if (new->twin != KNOWN_NONE)
            return;
    }
    if (from->twin != KNOWN_NONE && process_of(t, from->moved) != process_of(t, label)) {
        new->twin = known_follow(k, from->twin, label);
        new->moved = from->moved;
    }
}

static void enter(struct telling *t, uint64_t state, uint32_t label)
{
    struct rung new = { .state = state, .arrived = label, .twin = KNOWN_NONE };
    uint32_t p = (uint32_t)process_of(t, label);
    find_twin(t, top(t), &new);
    make_cells(t, ((size_t)t->depth + 1) * t->processes);
    struct cell *cells = cells_of(t, t->depth), *from = cells_of(t, t->depth - 1);
    memcpy(cells, from, t->processes * sizeof *cells);
    uint32_t *then = then_of(t, label, from[p].before);
    cells[p] = (struct cell){ .label = then ? *then : BACK, .before = label, .can = UNTOLD };
    ARRAY_GROW(t->path, t->depth, t->path_room);
    t->path[t->depth++] = new;
}

/* What was found out in the state is so in its parent, too, but for the process that moved. */
static void leave(struct telling *t)
{
    struct rung old = t->path[--t->depth];
    if (!t->depth)
        return;
    struct rung *parent = top(t);
    struct cell *cells = cells_of(t, t->depth), *to = cells_of(t, t->depth - 1);
    uint32_t moved = (uint32_t)process_of(t, old.arrived);
    for (uint32_t p = 0; p < t->processes; p++)
        if (p != moved && cells[p].label) {
            to[p].label = cells[p].label;
            to[p].can = p > moved ? cells[p].can : to[p].can;
        }
    uint32_t *then = then_of(t, old.arrived, to[moved].before);
    if (then && cells[moved].label)
        *then = cells[moved].label;
    parent->region += old.region;
}

struct telling *telling_new(struct labels *labels, struct coder *coder)
{
    struct telling *t = memory_get(sizeof *t);
    *t = (struct telling){ .labels = labels, .coder = coder, .sums = sums_new(), .text = memory_get(LONGEST_TEXT) };
    known_add_state(&t->known);
    sums_add(t->sums, SUMS_NONE, 0);
    ARRAY_GROW(t->path, t->depth, t->path_room);
    t->path[t->depth++] = (struct rung){ .twin = KNOWN_NONE };
    add_processes(t, 1);
    return t;
}

void telling_free(struct telling *t)
{
    if (!t)
        return;
    known_fini(&t->known);
    sums_free(t->sums);
    free(t->path);
    free(t->cells);
    free(t->sequel);
    free(t->then);
    free(t->text);
    free(t);
}

bool     telling_over(const struct telling *t)      { return t->depth == 0; }
uint64_t telling_here(const struct telling *t)      { return top(t)->state; }
uint64_t telling_new_state(const struct telling *t) { return t->highest + 1; }
uint64_t telling_region(const struct telling *t)    { return top(t)->region; }

/* ---- words ---- */

/* Of a reader false: it is longer than anything may be, or has what cannot be printed. */
static bool tell_text(struct telling *t, const char *text)
{
    uint32_t length = 0, past = 0;
    int byte;
    do {
        byte = text[length];
        for (int i = 7, read = 1; i >= 0; i--) {
            uint32_t contexts[] = { coder_mix(past & 0xff, (uint32_t)read), coder_mix(past & 0xffff, (uint32_t)read),
                                    coder_mix(past & 0xffffff, (uint32_t)read) };
            read = read << 1 | coder_bit(t->coder, byte >> i & 1, WORDS, contexts, 3);
            byte = i ? byte : read & 255;
        }
        t->text[length++] = (char)byte;
        past = past << 8 | (uint32_t)byte;
        if (byte && (byte < ' ' || byte == 127))
            return false;
    } while (byte && length < LONGEST_TEXT && !coder_bad(t->coder));
    return !byte;
}

/* A label that comes for the first time. UINT32_MAX: it cannot be read. */
static uint32_t tell_words(struct telling *t, uint32_t label, uint32_t process)
{
    const struct script_label *l = coder_reads(t->coder) ? NULL : labels_get(t->labels, label);
    if (!tell_text(t, l ? l->operation : t->text))
        return UINT32_MAX;
    char *operation = memory_text(t->text);
    bool well = tell_text(t, l ? l->outcome : t->text);
    if (!l)
        label = !well || labels_find(t->labels, (int)process, operation, t->text) ? 0
              : labels_add(t->labels, (int)process, operation, t->text);
    free(operation);
    t->told_labels++;
    return label ? label : UINT32_MAX;
}

static int bits_of(uint64_t most)    /* of a number that is at most this */
{
    int bits = 0;
    while (most >> bits)
        bits++;
    return bits;
}

/* By its number, 0 for one that comes for the first time. `process` MAX_PROCESSES: of any process; else of this one. */
static uint32_t tell_any_label(struct telling *t, uint32_t label, uint32_t context, uint32_t process)
{
    uint32_t number = (uint32_t)coder_number(t->coder, label > t->told_labels ? 0 : label, bits_of(t->told_labels), NUMBER, coder_mix(context, process));
    if (number > t->told_labels)
        return UINT32_MAX;
    if (number)
        return process == MAX_PROCESSES || (uint32_t)process_of(t, number) == process ? number : UINT32_MAX;
    if (process == MAX_PROCESSES) {
        bool reads = coder_reads(t->coder);
        process = (uint32_t)coder_number(t->coder, reads ? 0 : (uint32_t)process_of(t, label), bits_of(MAX_PROCESSES - 1), NUMBER,
                                         MAX_PROCESSES + 1);
    }
    return process < MAX_PROCESSES ? tell_words(t, label, process) : UINT32_MAX;
}

/* ---- labels ---- */

/* What the twin says of the process: CAN with the label that it has there, CANNOT, UNTOLD. MOVED: it is the one that moved. */
enum { MOVED = UNTOLD + 1 };

static uint32_t ask_twin(const struct telling *t, const struct rung *r, uint32_t process, uint32_t *label)
{
    const struct known *k = &t->known;
    if (r->twin == KNOWN_NONE)
        return UNTOLD;
    if ((uint32_t)process_of(t, r->moved) == process)
        return MOVED;
    for (uint32_t i = k->states[r->twin].first; i != KNOWN_NONE; i = k->steps[i].next)
        if ((uint32_t)process_of(t, k->steps[i].label) == process) {
            *label = k->steps[i].label;
            return CAN;
        }
    return CANNOT;
}

/* A number for what all processes stand before, and for which of the first ones can go on. */
static uint32_t all_of(const struct telling *t, const struct cell *cells, uint32_t process, uint32_t *can)
{
    uint32_t labels = 0, state = 0;
    for (uint32_t p = 0; p < t->processes; p++) {
        labels = coder_mix(labels, cells[p].label);
        state = p <= process ? coder_mix(state, cells[p].can) : state;
    }
    *can = coder_mix(labels, state);
    return labels;
}

/* Can the process go on in this state? And if so, by the label that is guessed? */
static bool tell_can(struct telling *t, uint32_t p, bool can, uint32_t *guess)
{
    struct rung *r = top(t);
    struct cell *cells = cells_of(t, t->depth - 1), *cell = &cells[p];
    uint32_t some, labels = all_of(t, cells, p, &some), twin;
    *guess = cell->label;
    twin = ask_twin(t, r, p, guess);
    uint32_t here = coder_mix(*guess, coder_mix(twin, cell->can));
    uint32_t contexts[] = { here, coder_mix(labels, coder_mix(p, twin)), coder_mix(here, coder_mix(r->arrived, r->last)), coder_mix(some, p) };
    can = coder_bit(t->coder, can, HAS, contexts, 4);
    cell->can = can ? CAN : CANNOT;
    return can;
}

static uint32_t tell_first_label(struct telling *t, uint32_t p, uint32_t label, uint32_t guess)
{
    struct cell *cell = &cells_of(t, t->depth - 1)[p];
    uint32_t can, all = all_of(t, cells_of(t, t->depth - 1), t->processes, &can);
    uint32_t contexts[] = { coder_mix(guess, cell->before), coder_mix(guess, top(t)->arrived), coder_mix(coder_mix(all, guess), p) };
    bool same = guess && coder_bit(t->coder, label == guess, AS_GUESSED, contexts, 3);
    label = same ? guess : tell_any_label(t, label, coder_mix(cell->before, guess), p);
    if (label != UINT32_MAX)
        cell->label = label;
    return label;
}

/* Another outcome of the same process. */
static bool tell_more(struct telling *t, bool more)
{
    struct rung *r = top(t);
    uint32_t contexts[] = { r->last, coder_mix(r->last, r->told) };
    return coder_bit(t->coder, more, MORE, contexts, 2);
}

static uint32_t tell_next_label(struct telling *t, uint32_t label)
{
    uint32_t last = top(t)->last, *sequel = place(&t->sequel, &t->sequel_room, last);
    uint32_t guess = *sequel, contexts[] = { guess, coder_mix(last, UINT32_MAX) };
    bool same = guess && coder_bit(t->coder, label == guess, AS_GUESSED, contexts, 2);
    label = same ? guess : tell_any_label(t, label, last, (uint32_t)process_of(t, last));
    if (label != UINT32_MAX)
        *sequel = label;
    return label;
}

/* All processes were told. Still there may be a label, of a process of which nothing was known, or out of order. */
static uint32_t tell_end(struct telling *t, uint32_t label)
{
    uint32_t contexts[] = { top(t)->arrived };
    return coder_bit(t->coder, label == BACK, OVER, contexts, 1) ? BACK : tell_any_label(t, label, 0, MAX_PROCESSES);
}

static uint32_t find_label(struct telling *t, uint32_t label)
{
    struct rung *r = top(t);
    uint32_t wanted = label == BACK || coder_reads(t->coder) ? MAX_PROCESSES : (uint32_t)process_of(t, label), guess;
    if (r->told) {
        if (tell_more(t, wanted == r->process))
            return tell_next_label(t, label);
        r->process++;
        r->told = 0;
    }
    for (; r->process < t->processes; r->process++)
        if (tell_can(t, r->process, wanted == r->process, &guess))
            return tell_first_label(t, r->process, label, guess);
    return tell_end(t, label);
}

uint32_t telling_label(struct telling *t, uint32_t label)
{
    label = find_label(t, label);
    if (label == UINT32_MAX || coder_bad(t->coder))
        return UINT32_MAX;
    if (label == BACK) {
        leave(t);
        return BACK;
    }
    struct rung *r = top(t);
    uint32_t p = (uint32_t)process_of(t, label);
    if (p >= t->processes)
        add_processes(t, p + 1);
    r->told = r->process == p ? r->told + 1 : 1;
    r->process = p;
    return label;
}

/* ---- states ---- */

/* Where a transition may lead: states, from the likeliest on, and how each was found. */
enum { BY_NOTHING, BY_SQUARE, BY_TWIN, BY_TWIN_TOO, BY_PARENT, BY_SUM, BY_NEW };
struct candidates { uint64_t states[CANDIDATES], sum; uint32_t how[CANDIDATES], count, same; };

static void propose(struct candidates *c, uint64_t state, uint32_t how)
{
    for (uint32_t i = 0; i < c->count; i++)
        if (c->states[i] == state)
            return;
    assert(c->count < CANDIDATES);
    c->states[c->count] = state;
    c->how[c->count++] = how;
}

/* By what commutes. NONE: a new one. */
static uint32_t by_squares(const struct telling *t, uint32_t label, uint32_t *how)
{
    const struct rung *r = top(t);
    uint32_t to = KNOWN_NONE;
    *how = BY_SQUARE;
    if (known_square(&t->known, t->labels, number_of(t, r->state), label, &to))
        return to;
    *how = BY_TWIN;
    if (r->twin != KNOWN_NONE && label == r->moved)
        return r->twin;
    uint32_t end = known_follow(&t->known, r->twin, label);
    *how = end == KNOWN_NONE ? BY_NOTHING : BY_TWIN_TOO;
    return end == KNOWN_NONE ? KNOWN_NONE : known_back(&t->known, end, r->moved, KNOWN_NONE);
}

/* Where `arrived` leads when this label went before it. */
static uint32_t by_parent(const struct telling *t, uint32_t label)
{
    uint32_t parent = t->depth < 2 ? KNOWN_NONE : number_of(t, t->path[t->depth - 2].state);
    return known_follow(&t->known, known_follow(&t->known, parent, label), top(t)->arrived);
}

static void find_candidates(const struct telling *t, uint32_t label, uint32_t kind, struct candidates *c)
{
    uint32_t here = number_of(t, top(t)->state), how, state = by_squares(t, label, &how);
    *c = (struct candidates){ .count = 0 };
    propose(c, state == KNOWN_NONE ? telling_new_state(t) : t->base + state, how);
    state = by_parent(t, label);
    if (state != KNOWN_NONE)
        propose(c, t->base + state, BY_PARENT);
    if (here != KNOWN_NONE) {
        c->sum = sums_after(t->sums, sums_of(t->sums, here), kind);
        uint32_t before = UINT32_MAX;
        for (int64_t same; c->same < SAME_SUM && (same = sums_last(t->sums, c->sum, before)) != SUMS_NONE; c->same++) {
            propose(c, t->base + (uint64_t)same, BY_SUM);
            before = (uint32_t)same;
        }
    }
    propose(c, telling_new_state(t), BY_NEW);
}

/* Which of them it is. False: none of them. */
static bool tell_candidate(struct telling *t, const struct candidates *c, uint32_t label, uint32_t before, uint64_t *to)
{
    const struct rung *r = top(t);
    uint32_t can, all = all_of(t, cells_of(t, t->depth - 1), t->processes, &can);
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t state = number_of(t, c->states[i]);
        uint32_t fits = state == KNOWN_NONE ? 2 : sums_of(t->sums, state) == c->sum;
        uint32_t how = coder_mix(c->how[i], fits), some = coder_mix(how, c->same < 4 ? c->same : 4);
        uint32_t contexts[] = { some, coder_mix(some, coder_mix(label, before)), coder_mix(how, coder_mix(label, r->arrived)),
                                coder_mix(coder_mix(r->last, i), coder_mix(label, r->arrived)),
                                coder_mix(coder_mix(all, some), label) };
        if (coder_bit(t->coder, *to == c->states[i], FIRST + (i < 3 ? i : 3), contexts, 5)) {
            *to = c->states[i];
            return true;
        }
    }
    return false;
}

static void forget(struct telling *t)
{
    t->base = t->highest + 1;
    known_forget(&t->known);
    sums_forget(t->sums);
    for (uint32_t i = 0; i < t->depth; i++)
        t->path[i].twin = KNOWN_NONE;
}

static void remember(struct telling *t, uint32_t label, uint32_t kind, uint64_t to)
{
    uint32_t from = number_of(t, top(t)->state);
    if (to == telling_new_state(t)) {
        t->highest = to;
        known_add_state(&t->known);
        sums_add(t->sums, from == KNOWN_NONE ? SUMS_NONE : (int64_t)from, kind);
    } else if (from != KNOWN_NONE && number_of(t, to) != KNOWN_NONE) {
        sums_learn(t->sums, from, kind, number_of(t, to));
    }
    if (from != KNOWN_NONE && number_of(t, to) != KNOWN_NONE)
        known_add_step(&t->known, from, label, number_of(t, to));
}

uint64_t telling_state(struct telling *t, uint32_t label, uint64_t to, enum telling_kind how)
{
    struct rung *r = top(t);
    uint32_t before = cells_of(t, t->depth - 1)[process_of(t, label)].before, kind = sums_kind(t->sums, label, before);
    struct candidates c;
    if (known_full(&t->known))
        forget(t);
    if (how == TELLING_TREE) {
        to = telling_new_state(t);
    } else {
        find_candidates(t, label, kind, &c);
        if (!tell_candidate(t, &c, label, before, &to))
            to = coder_number(t->coder, to, bits_of(t->highest), NUMBER, MAX_PROCESSES + 2);
    }
    if (to > telling_new_state(t) || coder_bad(t->coder))
        return UINT64_MAX;
    bool is_new = to == telling_new_state(t);
    remember(t, label, kind, to);
    r->last = label;
    r->region++;
    if (is_new)
        enter(t, to, label);
    return to;
}
