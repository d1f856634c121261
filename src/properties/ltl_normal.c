/* Normal forms: negations go down to the symbols, and what is found to be the same written in a longer way becomes the shorter.
 *
 * The equations are those of Somenzi and Bloem (2000, section 3) and of Etessami and Holzmann (2000, section 3): an operand that another
 * implies, or contradicts, goes; operands that can share an operator do; <> before what is 'eventual' anyway goes, and so on. Each
 * is an equivalence, so their order matters only for how small the result is. They are written for &&, U and X alone: || and V
 * are done as their duals, by negating operands and result, and the dual of a normal form is one, operator by operator.
 *
 * Whether one formula implies another is decided by looking at how they are written: `implies` says yes only when it is so, and
 * may say no when it is so. The answers are kept in the table, for without that shared parts would be looked at again and again.
 * SPDX-License-Identifier: MIT */
#include "properties/ltl_internal.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <xxhash.h>

struct ltl_fact { uint32_t if_so, then; bool known, yes; };

static const struct ltl_node *node(const struct ltl *t, uint32_t f) { return &t->nodes[f]; }
static enum ltl_operator op_of(const struct ltl *t, uint32_t f)     { return t->nodes[f].op; }
static uint32_t constant(struct ltl *t, bool yes)                   { return ltl_make(t, yes ? LTL_TRUE : LTL_FALSE, 0, 0); }

/* ---- the negation of a normal form ---- */

static enum ltl_operator dual_operator(enum ltl_operator op)
{
    switch (op) {
    case LTL_TRUE:    return LTL_FALSE;
    case LTL_FALSE:   return LTL_TRUE;
    case LTL_AND:     return LTL_OR;
    case LTL_OR:      return LTL_AND;
    case LTL_UNTIL:   return LTL_RELEASE;
    case LTL_RELEASE: return LTL_UNTIL;
    default:          assert(op == LTL_NEXT); return op;
    }
}

static uint32_t dual(struct ltl *t, uint32_t f)
{
    struct ltl_node n = *node(t, f);                 /* a copy: the table may move */
    if (n.dual != LTL_UNKNOWN)
        return n.dual;
    uint32_t d;
    if (n.op == LTL_SYMBOL)
        d = ltl_make(t, LTL_NOT, f, 0);
    else if (n.op == LTL_NOT)
        d = n.left;
    else
        d = ltl_make(t, dual_operator(n.op), ltl_about[n.op].operands > 0 ? dual(t, n.left) : 0,
                     ltl_about[n.op].operands > 1 ? dual(t, n.right) : 0);
    t->nodes[f].dual = d;
    t->nodes[d].dual = f;
    return d;
}

/* ---- does one imply the other? ---- */

static bool implies(struct ltl *, uint32_t f, uint32_t g);

static struct ltl_fact *fact_of(struct ltl *t, uint32_t f, uint32_t g)
{
    const uint32_t key[] = { f, g };
    uint32_t at = (uint32_t)XXH3_64bits(key, sizeof key) & t->fact_mask;
    while (t->facts[at].known && (t->facts[at].if_so != f || t->facts[at].then != g))
        at = (at + 1) & t->fact_mask;
    return &t->facts[at];
}

static void grow_facts(struct ltl *t)
{
    struct ltl_fact *old = t->facts;
    uint32_t room = old ? t->fact_mask + 1 : 0;
    t->fact_mask = old ? 2 * t->fact_mask + 1 : 255;
    t->facts = memory_get(((size_t)t->fact_mask + 1) * sizeof *t->facts);
    for (uint32_t i = 0; i < room; i++)
        if (old[i].known)
            *fact_of(t, old[i].if_so, old[i].then) = old[i];
    free(old);
}

static void note_fact(struct ltl *t, uint32_t f, uint32_t g, bool yes)
{
    if (!t->facts || t->fact_count >= t->fact_mask / 2)
        grow_facts(t);
    *fact_of(t, f, g) = (struct ltl_fact){ f, g, true, yes };
    t->fact_count++;
}

static bool by_left(struct ltl *t, uint32_t f, uint32_t g)
{
    struct ltl_node n = *node(t, f);
    switch (n.op) {
    case LTL_AND:     return implies(t, n.left, g) || implies(t, n.right, g);
    case LTL_UNTIL:   return implies(t, n.right, g) && ((node(t, g)->pure & PURE_EVENTUAL) || implies(t, n.left, g));
    case LTL_RELEASE: return implies(t, n.right, g);
    case LTL_NEXT:    return (node(t, g)->pure & PURE_EVENTUAL) && implies(t, n.left, g);
    default:          return false;
    }
}

static bool by_right(struct ltl *t, uint32_t f, uint32_t g)
{
    struct ltl_node n = *node(t, g);
    switch (n.op) {
    case LTL_OR:      return implies(t, f, n.left) || implies(t, f, n.right);
    case LTL_RELEASE: return implies(t, f, n.right) && ((node(t, f)->pure & PURE_UNIVERSAL) || implies(t, f, n.left));
    case LTL_UNTIL:   return implies(t, f, n.right);
    case LTL_NEXT:    return (node(t, f)->pure & PURE_UNIVERSAL) && implies(t, f, n.left);
    default:          return false;
    }
}

static bool by_both(struct ltl *t, uint32_t f, uint32_t g)
{
    struct ltl_node n = *node(t, f), m = *node(t, g);
    if (n.op != m.op)
        return false;
    switch (n.op) {
    case LTL_NEXT:    return implies(t, n.left, m.left);
    case LTL_UNTIL:   return implies(t, n.left, m.left) && implies(t, n.right, g);
    case LTL_RELEASE: return implies(t, n.left, m.left) && implies(t, f, m.right);
    default:          return false;
    }
}

static bool decide(struct ltl *t, uint32_t f, uint32_t g)
{
    struct ltl_node n = *node(t, f), m = *node(t, g);
    if (n.op == LTL_OR)
        return implies(t, n.left, g) && implies(t, n.right, g);
    if (m.op == LTL_AND)
        return implies(t, f, m.left) && implies(t, f, m.right);
    return by_left(t, f, g) || by_right(t, f, g) || by_both(t, f, g);
}

static bool implies(struct ltl *t, uint32_t f, uint32_t g)
{
    if (f == g || op_of(t, f) == LTL_FALSE || op_of(t, g) == LTL_TRUE)
        return true;
    const struct ltl_fact *fact = t->facts ? fact_of(t, f, g) : NULL;
    if (fact && fact->known)
        return fact->yes;
    bool yes = decide(t, f, g);
    note_fact(t, f, g, yes);
    return yes;
}

/* ---- lists of operands of && ---- */

struct list { uint32_t *items, count, room; };

static void list_add(struct list *l, uint32_t f)
{
    ARRAY_GROW(l->items, l->count, l->room);
    l->items[l->count++] = f;
}

static void list_remove(struct list *l, uint32_t i)
{
    l->items[i] = l->items[--l->count];
}

static void flatten(const struct ltl *t, uint32_t f, enum ltl_operator op, struct list *l)
{
    if (op_of(t, f) == op) {
        flatten(t, node(t, f)->left, op, l);
        flatten(t, node(t, f)->right, op, l);
    } else if (op_of(t, f) != (op == LTL_AND ? LTL_TRUE : LTL_FALSE)) {
        list_add(l, f);
    }
}

/* The same for a formula and its negation, so that the dual of a sorted list is sorted. */
static uint32_t rank(struct ltl *t, uint32_t f)
{
    uint32_t d = dual(t, f);
    return f < d ? f : d;
}

static uint32_t build(struct ltl *t, struct list *l)
{
    for (uint32_t i = 1; i < l->count; i++)
        for (uint32_t j = i; j && rank(t, l->items[j]) < rank(t, l->items[j - 1]); j--) {
            uint32_t swap = l->items[j];
            l->items[j] = l->items[j - 1];
            l->items[j - 1] = swap;
        }
    uint32_t f = l->count ? l->items[l->count - 1] : constant(t, true);
    for (uint32_t i = l->count; i-- > 1;)
        f = ltl_make(t, LTL_AND, l->items[i - 1], f);
    return f;
}

/* ---- the equations ---- */

static uint32_t and(struct ltl *, uint32_t a, uint32_t b);
static uint32_t next(struct ltl *, uint32_t a);
static uint32_t until(struct ltl *, uint32_t a, uint32_t b);

static uint32_t or(struct ltl *t, uint32_t a, uint32_t b)      { return dual(t, and(t, dual(t, a), dual(t, b))); }
static uint32_t release(struct ltl *t, uint32_t a, uint32_t b) { return dual(t, until(t, dual(t, a), dual(t, b))); }

/* Without the operands of || that `gone` finds; the list that remains may be empty. */
static uint32_t without(struct ltl *t, uint32_t f, bool (*gone)(struct ltl *, uint32_t item, uint32_t arg), uint32_t arg)
{
    struct list l = { 0 };
    flatten(t, f, LTL_OR, &l);
    uint32_t rest = constant(t, false);
    for (uint32_t i = 0; i < l.count; i++)
        if (!gone(t, l.items[i], arg))
            rest = or(t, rest, l.items[i]);
    free(l.items);
    return rest;
}

static bool contradicts(struct ltl *t, uint32_t item, uint32_t arg) { return implies(t, arg, dual(t, item)); }
static bool any_of(struct ltl *t, uint32_t f, bool (*is)(struct ltl *, uint32_t item, uint32_t arg), uint32_t arg)
{
    struct list l = { 0 };
    bool found = false;
    flatten(t, f, LTL_OR, &l);
    for (uint32_t i = 0; i < l.count && !found; i++)
        found = is(t, l.items[i], arg);
    free(l.items);
    return found;
}

static bool is_eventually_always(const struct ltl *t, uint32_t f)
{
    const struct ltl_node *n = node(t, f), *r = node(t, n->right);
    return n->op == LTL_UNTIL && op_of(t, n->left) == LTL_TRUE && r->op == LTL_RELEASE && op_of(t, r->left) == LTL_FALSE;
}

/* One formula for both of a && b; LTL_UNKNOWN: none is known that is shorter. */
static uint32_t merged(struct ltl *t, uint32_t a, uint32_t b)
{
    struct ltl_node n = *node(t, a), m = *node(t, b);
    if (n.op != m.op)
        return LTL_UNKNOWN;
    if (n.op == LTL_NEXT)
        return next(t, and(t, n.left, m.left));
    if (n.op == LTL_RELEASE && n.left == m.left)
        return release(t, n.left, and(t, n.right, m.right));
    if (n.op == LTL_UNTIL && n.right == m.right)
        return until(t, and(t, n.left, m.left), n.right);
    if (is_eventually_always(t, a) && is_eventually_always(t, b))
        return until(t, n.left, and(t, n.right, m.right));
    return LTL_UNKNOWN;
}

/* What is left to say of b when a is said too: a shorter formula, or b. */
static uint32_t beside(struct ltl *t, uint32_t a, uint32_t b)
{
    struct ltl_node m = *node(t, b);
    if (m.op == LTL_RELEASE && implies(t, a, m.left))
        return m.right;
    if (m.op == LTL_OR && any_of(t, b, contradicts, a))
        return without(t, b, contradicts, a);
    return b;
}

static void replace(struct ltl *t, struct list *l, uint32_t i, uint32_t by)
{
    list_remove(l, i);
    flatten(t, by, LTL_AND, l);
}

/* Uses one equation on a pair of operands; false: there is none to do. */
static bool improve_pair(struct ltl *t, struct list *l, uint32_t i, uint32_t j)
{
    uint32_t a = l->items[i], b = l->items[j], shorter;
    if (implies(t, a, b)) {
        list_remove(l, j);
    } else if (implies(t, a, dual(t, b))) {
        l->count = 0;
        list_add(l, constant(t, false));
    } else if ((shorter = merged(t, a, b)) != LTL_UNKNOWN) {
        list_remove(l, i > j ? i : j);
        replace(t, l, i < j ? i : j, shorter);
    } else if ((shorter = beside(t, a, b)) != b) {
        replace(t, l, j, shorter);
    } else {
        return false;
    }
    return true;
}

static bool improve(struct ltl *t, struct list *l)
{
    for (uint32_t i = 0; i < l->count; i++)
        for (uint32_t j = 0; j < l->count; j++)
            if (i != j && improve_pair(t, l, i, j))
                return true;
    return false;
}

static uint32_t and(struct ltl *t, uint32_t a, uint32_t b)
{
    struct list l = { 0 };
    flatten(t, a, LTL_AND, &l);
    flatten(t, b, LTL_AND, &l);
    while (improve(t, &l))
        ;
    uint32_t f = build(t, &l);
    free(l.items);
    return f;
}

/* Of a && b && ...: those operands that are so sooner or later exactly when they are so now, and the others. */
static void part(struct ltl *t, uint32_t f, uint32_t *timeless, uint32_t *rest)
{
    struct list l = { 0 }, apart[2] = { { 0 }, { 0 } };
    flatten(t, f, LTL_AND, &l);
    for (uint32_t i = 0; i < l.count; i++)
        list_add(&apart[node(t, l.items[i])->pure == PURE_BOTH], l.items[i]);
    *rest = build(t, &apart[0]);
    *timeless = build(t, &apart[1]);
    free(apart[0].items);
    free(apart[1].items);
    free(l.items);
}

static uint32_t next(struct ltl *t, uint32_t a)
{
    uint32_t timeless, rest;
    if (node(t, a)->pure == PURE_BOTH)
        return a;
    if (op_of(t, a) == LTL_OR)
        return dual(t, next(t, dual(t, a)));
    part(t, a, &timeless, &rest);
    return and(t, ltl_make(t, LTL_NEXT, rest, 0), timeless);
}

static bool is_until(struct ltl *t, uint32_t item, uint32_t arg)
{
    (void)arg;
    return op_of(t, item) == LTL_UNTIL;
}

static uint32_t reached_by(struct ltl *t, uint32_t f)
{
    if (op_of(t, f) == LTL_OR)
        return or(t, reached_by(t, node(t, f)->left), reached_by(t, node(t, f)->right));
    return op_of(t, f) == LTL_UNTIL ? node(t, f)->right : f;
}

static uint32_t eventually(struct ltl *t, uint32_t b)
{
    uint32_t yes = constant(t, true);
    if (op_of(t, b) == LTL_NEXT)
        return next(t, eventually(t, node(t, b)->left));
    if (any_of(t, b, is_until, 0))
        return until(t, yes, reached_by(t, b));
    return ltl_make(t, LTL_UNTIL, yes, b);
}

/* a U b where neither is enough to know it. */
static uint32_t proper_until(struct ltl *t, uint32_t a, uint32_t b)
{
    struct ltl_node n = *node(t, a), m = *node(t, b);
    if (n.op == LTL_TRUE || implies(t, dual(t, b), a))
        return eventually(t, b);
    if (n.op == LTL_NEXT && m.op == LTL_NEXT)
        return next(t, until(t, n.left, m.left));
    if (n.op == LTL_UNTIL && n.right == b)
        return a;
    if (m.op == LTL_UNTIL && implies(t, a, m.left))
        return b;
    if (n.op == LTL_OR && any_of(t, a, implies, b))
        return until(t, without(t, a, implies, b), b);
    return ltl_make(t, LTL_UNTIL, a, b);
}

static uint32_t until(struct ltl *t, uint32_t a, uint32_t b)
{
    uint32_t timeless, rest;
    if ((node(t, b)->pure & PURE_EVENTUAL) || implies(t, a, b))
        return b;
    part(t, b, &timeless, &rest);
    return and(t, proper_until(t, a, rest), timeless);
}

/* ---- from what was written ---- */

static uint32_t normal(struct ltl *, uint32_t f);

static uint32_t equivalent(struct ltl *t, uint32_t a, uint32_t b)
{
    return or(t, and(t, a, b), and(t, dual(t, a), dual(t, b)));
}

static uint32_t join(struct ltl *t, enum ltl_operator op, uint32_t a, uint32_t b)
{
    switch (op) {
    case LTL_NOT:        return dual(t, a);
    case LTL_NEXT:       return next(t, a);
    case LTL_ALWAYS:     return release(t, constant(t, false), a);
    case LTL_EVENTUALLY: return until(t, constant(t, true), a);
    case LTL_UNTIL:      return until(t, a, b);
    case LTL_WEAK:       return release(t, b, or(t, a, b));
    case LTL_RELEASE:    return release(t, a, b);
    case LTL_AND:        return and(t, a, b);
    case LTL_OR:         return or(t, a, b);
    case LTL_IMPLIES:    return or(t, dual(t, a), b);
    default:             assert(op == LTL_EQUIVALENT); return equivalent(t, a, b);
    }
}

static uint32_t normal(struct ltl *t, uint32_t f)
{
    struct ltl_node n = *node(t, f);
    int operands = ltl_about[n.op].operands;
    if (n.normal != LTL_UNKNOWN)
        return n.normal;
    uint32_t a = operands > 0 ? normal(t, n.left) : 0, b = operands > 1 ? normal(t, n.right) : 0;
    uint32_t result = operands ? join(t, n.op, a, b) : f;
    t->nodes[f].normal = result;
    return result;
}

uint32_t ltl_normal(struct ltl *t, uint32_t f)
{
    assert(f < t->count);
    return normal(t, f);
}
