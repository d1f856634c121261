/* SPDX-License-Identifier: MIT */
#include "properties/buchi.h"

#include "base/memory.h"
#include "properties/automaton.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { ORDERED = 4, ORDERED_EDGES = 500 };           /* every order is tried of so many marks, in an automaton of so many edges */

/* ---- counting marks ---- */

struct counter {
    const struct automaton *in;
    struct automaton *out;
    struct components components;
    uint64_t  marks[64];             /* in the order in which they are waited for */
    uint32_t  count;
    uint32_t *copy;                  /* copy[state * (count + 1) + waiting for]: its number in `out`, UINT32_MAX: not yet */
    uint32_t *whose, whose_room, whose_count;        /* of each state of `out`: which of copy */
};

static uint32_t copy_of(struct counter *c, uint32_t state, uint32_t waiting)
{
    uint32_t *copy = &c->copy[state * (c->count + 1) + waiting];
    if (*copy == UINT32_MAX) {
        ARRAY_GROW(c->whose, c->whose_count, c->whose_room);
        c->whose[c->whose_count++] = state * (c->count + 1) + waiting;
        *copy = automaton_state(c->out, waiting == c->count ? c->out->all : 0);
    }
    return *copy;
}

/* Which mark is waited for behind an edge; `count`: all have been met. */
static uint32_t waiting_after(const struct counter *c, const struct arc *e, uint32_t waiting)
{
    uint32_t component = c->components.of[e->from];
    if (component != c->components.of[e->to] || c->components.marks[component] != c->in->all)
        return 0;
    if (waiting == c->count)
        waiting = 0;
    while (waiting < c->count && (e->marks & c->marks[waiting]))
        waiting++;
    return waiting;
}

static void count_marks(struct counter *c)
{
    copy_of(c, 0, 0);
    for (uint32_t s = 0; s < c->whose_count; s++) {
        uint32_t state = c->whose[s] / (c->count + 1), waiting = c->whose[s] % (c->count + 1);
        for (uint32_t i = c->in->first[state]; i < c->in->first[state + 1]; i++) {
            const struct arc *e = &c->in->edges[i];
            automaton_edge(c->out, (struct arc){ s, copy_of(c, e->to, waiting_after(c, e, waiting)), e->guard, 0 });
        }
    }
}

/* With one mark, on states; the marks of `in` are waited for in the order of `marks`. */
static void degeneralise(const struct automaton *in, const uint64_t *marks, uint32_t count, struct automaton *out)
{
    struct counter c = { .in = in, .out = out, .count = count };
    size_t room = (size_t)in->states * (count + 1) * sizeof *c.copy;
    *out = (struct automaton){ .all = 1, .on_states = true };
    memcpy(c.marks, marks, count * sizeof *marks);
    c.copy = memory_get(room);
    memset(c.copy, 0xff, room);
    components_find(&c.components, in);
    count_marks(&c);
    components_fini(&c.components);
    free(c.copy);
    free(c.whose);
    automaton_reduce(out);
}

static bool smaller(const struct automaton *a, const struct automaton *b)
{
    return a->states != b->states ? a->states < b->states : a->count < b->count;
}

struct orders { const struct automaton *in; struct automaton *best; uint64_t marks[64]; uint32_t count; };

static void try_order(struct orders *o)
{
    struct automaton one;
    degeneralise(o->in, o->marks, o->count, &one);
    if (!o->best->states || smaller(&one, o->best)) {
        automaton_fini(o->best);
        *o->best = one;
    } else {
        automaton_fini(&one);
    }
}

static void swap(uint64_t *a, uint64_t *b)
{
    uint64_t was = *a;
    *a = *b;
    *b = was;
}

static void try_orders(struct orders *o, uint32_t fixed)
{
    if (fixed + 1 >= o->count || o->count > ORDERED || o->in->count > ORDERED_EDGES) {
        try_order(o);
        return;
    }
    for (uint32_t i = fixed; i < o->count; i++) {
        swap(&o->marks[fixed], &o->marks[i]);
        try_orders(o, fixed + 1);
        swap(&o->marks[fixed], &o->marks[i]);
    }
}

static void best_order(const struct automaton *in, struct automaton *best)
{
    struct orders o = { .in = in, .best = best };
    for (uint64_t left = in->all; left; left &= left - 1)
        o.marks[o.count++] = left & -left;
    try_orders(&o, 0);
}

/* ---- what is given ---- */

static bool accepts_all(const struct automaton *a, uint32_t state)
{
    struct cube *guard = memory_get(a->count * sizeof *guard);
    uint32_t count = 0;
    for (uint32_t i = a->first[state]; i < a->first[state + 1]; i++)
        if (a->edges[i].to == state)
            guard[count++] = a->edges[i].guard;
    bool all = a->marks[state] && cube_covered((struct cube){ 0, 0 }, guard, count);
    free(guard);
    return all;
}

/* A state that accepts whatever follows comes last: it is the end of a never claim, and of what one tells of the automaton. */
static void put_final_last(struct automaton *a)
{
    uint32_t *now = memory_get(a->states * sizeof *now), next = 0;
    for (uint32_t s = 0; s < a->states; s++)
        if (!s || !accepts_all(a, s))
            now[s] = next++;
    for (uint32_t s = 1; s < a->states; s++)
        if (accepts_all(a, s))
            now[s] = next++;
    automaton_renumber(a, now, a->states);
    free(now);
}

static void number_states(struct buchi *b, const struct automaton *a)
{
    b->state_count = a->states;
    b->accepting = memory_get(a->states * sizeof *b->accepting);
    for (uint32_t s = 0; s < a->states; s++)
        b->accepting[s] = a->marks[s] != 0;
}

/* All cubes from one state to another become the guard of one edge. */
static void join_edges(struct buchi *b, const struct automaton *a)
{
    b->edges = memory_get(a->count * sizeof *b->edges);
    b->cubes = memory_get(a->count * sizeof *b->cubes);
    for (uint32_t i = 0, next; i < a->count; i = next) {
        struct cube *guard = &b->cubes[b->cube_count];
        const struct arc *e = &a->edges[i];
        for (next = i; next < a->count && a->edges[next].from == e->from && a->edges[next].to == e->to; next++)
            guard[next - i] = a->edges[next].guard;
        uint32_t count = cube_shorten(guard, next - i);
        b->edges[b->edge_count++] = (struct buchi_edge){ e->from, e->to, b->cube_count, count };
        b->cube_count += count;
    }
}

static void name_symbols(struct buchi *b, const struct ltl *table, const uint32_t *symbols, uint32_t count)
{
    b->symbols = memory_get(count * sizeof *b->symbols);
    for (uint32_t i = 0; i < count; i++) {
        const char *name = ltl_name(table, symbols[i]);
        b->symbols[i] = memory_get(strlen(name) + 1);
        strcpy(b->symbols[i], name);
    }
    b->symbol_count = count;
}

static int translate(struct ltl *table, uint32_t normal, const uint32_t *symbols, uint32_t count, struct automaton *made, struct err *err)
{
    struct automaton general = { 0 };
    if (count > CUBE_SYMBOLS)
        return fail(err, "%u different symbols in one formula, and %d is the most; write it as several, each a property of its own", count,
                    CUBE_SYMBOLS);
    int bad = tableau_make(&general, table, normal, symbols, count, err);
    if (bad)
        return bad;
    automaton_reduce(&general);
    best_order(&general, made);
    put_final_last(made);
    automaton_fini(&general);
    return 0;
}

struct buchi *buchi_new(struct ltl *table, uint32_t formula, struct err *err)
{
    struct automaton made = { 0 };
    struct buchi *b = NULL;
    uint32_t count, normal = ltl_normal(table, formula), *symbols = ltl_symbols(table, normal, &count);
    if (!translate(table, normal, symbols, count, &made, err)) {
        b = memory_get(sizeof *b);
        name_symbols(b, table, symbols, count);
        number_states(b, &made);
        join_edges(b, &made);
        buchi_check(b);
    }
    automaton_fini(&made);
    free(symbols);
    return b;
}

void buchi_free(struct buchi *b)
{
    if (!b)
        return;
    for (uint32_t i = 0; i < b->symbol_count; i++)
        free(b->symbols[i]);
    free(b->symbols);
    free(b->accepting);
    free(b->edges);
    free(b->cubes);
    free(b);
}

void buchi_check(const struct buchi *b)
{
    uint32_t cubes = 0;
    assert(b->state_count);
    for (uint32_t i = 0; i < b->edge_count; i++) {
        const struct buchi_edge *e = &b->edges[i], *before = i ? e - 1 : NULL;
        assert(e->from < b->state_count && e->to < b->state_count && e->count && e->first == cubes);
        assert(!before || before->from < e->from || (before->from == e->from && before->to < e->to));
        cubes += e->count;
    }
    assert(cubes == b->cube_count);
}

bool buchi_allows(const struct buchi *b, const struct buchi_edge *e, uint64_t symbols)
{
    for (uint32_t i = 0; i < e->count; i++)
        if (cube_allows(b->cubes[e->first + i], symbols))
            return true;
    return false;
}

static bool asks_nothing(const struct buchi *b, const struct buchi_edge *e)
{
    return e->count == 1 && !b->cubes[e->first].yes && !b->cubes[e->first].no;
}

bool buchi_is_final(const struct buchi *b, uint32_t state)
{
    for (uint32_t i = 0; i < b->edge_count; i++)
        if (b->edges[i].from == state && b->edges[i].to == state && b->accepting[state] && asks_nothing(b, &b->edges[i]))
            return true;
    return false;
}
