/* From a formula to a generalised automaton: see buchi.h for the idea.
 * SPDX-License-Identifier: MIT */
#include "properties/automaton.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { MOST_STATES = 20000, MOST_EDGES = 200000, MOST_MARKS = 64 };
enum { MOST_WORK = 400000000 };                      /* words compared: some seconds */

/* One way to keep a promise from now on: what must be so now, what is promised for the next state on, and which untils were put off. */
struct ways {
    struct way { struct cube guard; uint64_t put_off; } *items;
    uint64_t *promised;              /* a set of parts for each, `words` long */
    uint32_t count, room;
};

struct tableau {
    const struct ltl *table;
    const uint32_t *symbols;
    uint32_t  symbol_count;
    uint32_t *parts, count, room;    /* all parts of the formula, operands first */
    uint32_t *index;                 /* of each formula of the table up to the whole: which part it is */
    uint32_t  words;                 /* of a set of parts */
    uint64_t *until;                 /* of each part: its bit if it is an until, else 0 */
    struct ways *ways;               /* of each part */
    uint64_t *sets;                  /* of each state of the automaton: what it has promised */
    uint32_t  states, set_room;
    uint32_t *slots, mask;           /* open addressing: state + 1 */
    uint64_t  work;
    struct automaton *made;
    struct err *err;
};

/* ---- lists of ways ---- */

static uint64_t *promised(const struct tableau *b, const struct ways *w, uint32_t i)
{
    return &w->promised[(size_t)i * b->words];
}

static bool subset(const struct tableau *b, const uint64_t *small, const uint64_t *large)
{
    for (uint32_t i = 0; i < b->words; i++)
        if (small[i] & ~large[i])
            return false;
    return true;
}

/* Is the first no better than the second? It asks as much now, promises as much, and puts off as much. */
static bool no_better(const struct tableau *b, const struct way *a, const uint64_t *a_set, const struct way *c, const uint64_t *c_set)
{
    return cube_within(a->guard, c->guard) && !(c->put_off & ~a->put_off) && subset(b, c_set, a_set);
}

static void copy_way(const struct tableau *b, struct ways *w, uint32_t to, struct way way, const uint64_t *set)
{
    w->items[to] = way;
    memmove(promised(b, w, to), set, b->words * sizeof *set);
}

static void make_room(const struct tableau *b, struct ways *w)
{
    if (w->count < w->room)
        return;
    w->room = w->room ? 2 * w->room : 8;
    w->items = memory_resize(w->items, w->room * sizeof *w->items);
    w->promised = memory_resize(w->promised, (size_t)w->room * b->words * sizeof *w->promised);
}

/* Adds a way, unless one is there that is as good; those that are no better than it go. */
static void add_way(struct tableau *b, struct ways *w, struct way way, const uint64_t *set)
{
    uint32_t kept = 0;
    b->work += (uint64_t)w->count * (b->words + 2) + 1;
    for (uint32_t i = 0; i < w->count; i++)
        if (no_better(b, &way, set, &w->items[i], promised(b, w, i)))
            return;
    for (uint32_t i = 0; i < w->count; i++)
        if (!no_better(b, &w->items[i], promised(b, w, i), &way, set))
            copy_way(b, w, kept++, w->items[i], promised(b, w, i));
    w->count = kept;
    make_room(b, w);
    copy_way(b, w, w->count++, way, set);
}

static void ways_fini(struct ways *w)
{
    free(w->items);
    free(w->promised);
    *w = (struct ways){ 0 };
}

static bool too_much(const struct tableau *b)
{
    return b->work > MOST_WORK;
}

/* Both: adds to `w` what does something of `x` and something of `y`. */
static void add_products(struct tableau *b, struct ways *w, const struct ways *x, const struct ways *y)
{
    uint64_t *set = memory_get(b->words * sizeof *set);
    for (uint32_t i = 0; i < x->count; i++)
        for (uint32_t j = 0; j < y->count && !too_much(b); j++) {
            struct way way = { cube_both(x->items[i].guard, y->items[j].guard), x->items[i].put_off | y->items[j].put_off };
            b->work++;
            if (!cube_possible(way.guard))
                continue;
            for (uint32_t k = 0; k < b->words; k++)
                set[k] = promised(b, x, i)[k] | promised(b, y, j)[k];
            add_way(b, w, way, set);
        }
    free(set);
}

static void add_all(struct tableau *b, struct ways *w, const struct ways *x)
{
    for (uint32_t i = 0; i < x->count; i++)
        add_way(b, w, x->items[i], promised(b, x, i));
}

/* ---- the ways of one part ---- */

static void promise(const struct tableau *b, uint64_t *set, uint32_t formula)
{
    switch (ltl_operator(b->table, formula)) {
    case LTL_TRUE:
        break;
    case LTL_AND:
        promise(b, set, ltl_left(b->table, formula));
        promise(b, set, ltl_right(b->table, formula));
        break;
    default:
        set[b->index[formula] / 64] |= UINT64_C(1) << b->index[formula] % 64;
    }
}

/* A single way: nothing now, the formula from the next state on. */
static void add_later(struct tableau *b, struct ways *w, uint32_t formula, uint64_t put_off)
{
    uint64_t *set = memory_get(b->words * sizeof *set);
    promise(b, set, formula);
    add_way(b, w, (struct way){ .put_off = put_off }, set);
    free(set);
}

static void add_now(struct tableau *b, struct ways *w, struct cube guard)
{
    uint64_t *nothing = memory_get(b->words * sizeof *nothing);
    add_way(b, w, (struct way){ .guard = guard }, nothing);
    free(nothing);
}

static uint64_t symbol_bit(const struct tableau *b, uint32_t formula)
{
    uint32_t i = 0;
    while (i < b->symbol_count && b->symbols[i] != formula)
        i++;
    assert(i < b->symbol_count);
    return UINT64_C(1) << i;
}

/* q U p: p now, or q now and the same again later, put off. p V q: q now, and p now or the same again later. */
static void add_until_or_release(struct tableau *b, struct ways *w, uint32_t part, const struct ways *left, const struct ways *right)
{
    uint32_t f = b->parts[part];
    struct ways middle = { 0 };
    if (b->until[part]) {
        add_later(b, &middle, f, b->until[part]);
        add_all(b, w, right);
        add_products(b, w, left, &middle);
    } else {
        add_later(b, &middle, f, 0);
        add_all(b, &middle, left);
        add_products(b, w, right, &middle);
    }
    ways_fini(&middle);
}

static void find_ways(struct tableau *b, uint32_t part)
{
    uint32_t f = b->parts[part];
    enum ltl_operator op = ltl_operator(b->table, f);
    struct ways *w = &b->ways[part];
    const struct ways *left = ltl_about[op].operands > 0 ? &b->ways[b->index[ltl_left(b->table, f)]] : NULL;
    const struct ways *right = ltl_about[op].operands > 1 ? &b->ways[b->index[ltl_right(b->table, f)]] : NULL;
    switch (op) {
    case LTL_TRUE:   add_now(b, w, (struct cube){ 0, 0 }); break;
    case LTL_FALSE:  break;
    case LTL_SYMBOL: add_now(b, w, (struct cube){ .yes = symbol_bit(b, f) }); break;
    case LTL_NOT:    add_now(b, w, (struct cube){ .no = symbol_bit(b, ltl_left(b->table, f)) }); break;
    case LTL_NEXT:   add_later(b, w, ltl_left(b->table, f), 0); break;
    case LTL_AND:    add_products(b, w, left, right); break;
    case LTL_OR:     add_all(b, w, left), add_all(b, w, right); break;
    default:
        assert(op == LTL_UNTIL || op == LTL_RELEASE);
        add_until_or_release(b, w, part, left, right);
    }
}

/* ---- states ---- */

static uint32_t *slot_of(const struct tableau *b, const uint64_t *set)
{
    uint32_t at = (uint32_t)XXH3_64bits(set, b->words * sizeof *set) & b->mask;
    while (b->slots[at] && memcmp(&b->sets[(size_t)(b->slots[at] - 1) * b->words], set, b->words * sizeof *set))
        at = (at + 1) & b->mask;
    return &b->slots[at];
}

static uint32_t state_of(struct tableau *b, const uint64_t *set)
{
    uint32_t *slot = slot_of(b, set);
    if (*slot)
        return *slot - 1;
    if (b->states == b->set_room) {
        b->set_room = b->set_room ? 2 * b->set_room : 16;
        b->sets = memory_resize(b->sets, (size_t)b->set_room * b->words * sizeof *b->sets);
    }
    memcpy(&b->sets[(size_t)b->states * b->words], set, b->words * sizeof *set);
    *slot = ++b->states;
    return automaton_state(b->made, 0);
}

/* All promises of a state at once. */
static void ways_of_state(struct tableau *b, uint32_t state, struct ways *w)
{
    add_now(b, w, (struct cube){ 0, 0 });
    for (uint32_t part = 0; part < b->count; part++) {
        if (!(b->sets[(size_t)state * b->words + part / 64] >> part % 64 & 1))
            continue;
        struct ways both = { 0 };
        add_products(b, &both, w, &b->ways[part]);
        ways_fini(w);
        *w = both;
    }
}

static int too_large(const struct tableau *b)
{
    return fail(b->err, "the automaton of this formula is too large: after %u states and %u edges it is not complete; write the formula as "
                "several, each a property of its own", b->states, b->made->count);
}

static int extend(struct tableau *b, uint32_t state)
{
    struct ways w = { 0 };
    ways_of_state(b, state, &w);
    for (uint32_t i = 0; i < w.count && b->states < MOST_STATES; i++)
        automaton_edge(b->made, (struct arc){ state, state_of(b, promised(b, &w, i)), w.items[i].guard,
                                               b->made->all & ~w.items[i].put_off });
    ways_fini(&w);
    return too_much(b) || b->states >= MOST_STATES || b->made->count > MOST_EDGES ? too_large(b) : 0;
}

/* ---- the whole ---- */

static void collect_parts(struct tableau *b, uint32_t formula)
{
    bool *is_part = memory_get((size_t)formula + 1);
    is_part[formula] = true;
    for (uint32_t f = formula + 1; f-- > 0;) {
        int operands = is_part[f] ? ltl_about[ltl_operator(b->table, f)].operands : 0;
        if (operands > 0)
            is_part[ltl_left(b->table, f)] = true;
        if (operands > 1)
            is_part[ltl_right(b->table, f)] = true;
    }
    b->index = memory_get(((size_t)formula + 1) * sizeof *b->index);
    for (uint32_t f = 0; f <= formula; f++)
        if (is_part[f]) {
            ARRAY_GROW(b->parts, b->count, b->room);
            b->index[f] = b->count;
            b->parts[b->count++] = f;
        }
    free(is_part);
}

static int number_untils(struct tableau *b)
{
    uint32_t marks = 0;
    b->until = memory_get(b->count * sizeof *b->until);
    for (uint32_t part = 0; part < b->count; part++) {
        if (ltl_operator(b->table, b->parts[part]) != LTL_UNTIL)
            continue;
        if (marks == MOST_MARKS)
            return fail(b->err, "more than %d different U and <> in one formula; write it as several, each a property of its own", MOST_MARKS);
        b->until[part] = UINT64_C(1) << marks++;
        b->made->all |= b->until[part];
    }
    return 0;
}

static int build(struct tableau *b, uint32_t formula)
{
    int bad = number_untils(b);
    if (bad)
        return bad;
    for (uint32_t part = 0; part < b->count; part++) {
        find_ways(b, part);
        if (too_much(b))
            return too_large(b);
    }
    uint64_t *start = memory_get(b->words * sizeof *start);
    promise(b, start, formula);
    state_of(b, start);
    free(start);
    for (uint32_t s = 0; s < b->states && !bad; s++)
        bad = extend(b, s);
    return bad;
}

static void tableau_fini(struct tableau *b)
{
    for (uint32_t part = 0; part < b->count; part++)
        ways_fini(&b->ways[part]);
    free(b->ways);
    free(b->parts);
    free(b->index);
    free(b->until);
    free(b->sets);
    free(b->slots);
}

int tableau_make(struct automaton *made, const struct ltl *table, uint32_t formula, const uint32_t *symbols, uint32_t count, struct err *err)
{
    struct tableau b = { .table = table, .symbols = symbols, .symbol_count = count, .made = made, .err = err };
    collect_parts(&b, formula);
    b.words = (b.count + 63) / 64;
    b.ways = memory_get(b.count * sizeof *b.ways);
    b.mask = 2 * 32768 - 1;
    static_assert(MOST_STATES < 32768, "half the slots are free");
    b.slots = memory_get(((size_t)b.mask + 1) * sizeof *b.slots);
    int bad = build(&b, formula);
    tableau_fini(&b);
    if (bad)
        automaton_fini(made);
    return bad;
}
