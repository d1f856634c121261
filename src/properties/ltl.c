/* The table, and formulas as text.
 * SPDX-License-Identifier: MIT */
#include "properties/ltl_internal.h"

#include "base/memory.h"
#include "base/prose.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define X(name, operands, strength, written, meaning) { #name, operands, strength, written, meaning },
const struct ltl_about ltl_about[LTL_COUNT] = { LTL_OPERATORS(X) };
#undef X

/* ---- the table ---- */

static uint32_t *slot_of(struct ltl *t, enum ltl_operator op, uint32_t left, uint32_t right)
{
    const uint32_t key[] = { (uint32_t)op, left, right };
    uint32_t at = (uint32_t)XXH3_64bits(key, sizeof key) & t->mask;
    while (t->slots[at]) {
        const struct ltl_node *n = &t->nodes[t->slots[at] - 1];
        if (n->op == op && n->left == left && n->right == right)
            break;
        at = (at + 1) & t->mask;
    }
    return &t->slots[at];
}

static void rehash(struct ltl *t)
{
    t->mask = t->mask ? 2 * t->mask + 1 : 63;
    free(t->slots);
    t->slots = memory_get(((size_t)t->mask + 1) * sizeof *t->slots);
    for (uint32_t i = 0; i < t->count; i++)
        *slot_of(t, t->nodes[i].op, t->nodes[i].left, t->nodes[i].right) = i + 1;
}

static unsigned pure_of(const struct ltl *t, enum ltl_operator op, uint32_t left, uint32_t right)
{
    const struct ltl_node *l = &t->nodes[left], *r = &t->nodes[right];
    switch (op) {
    case LTL_TRUE:
    case LTL_FALSE:   return PURE_BOTH;
    case LTL_NEXT:    return l->pure;
    case LTL_AND:
    case LTL_OR:      return l->pure & r->pure;
    case LTL_UNTIL:   return r->pure | (l->op == LTL_TRUE ? PURE_EVENTUAL : 0);
    case LTL_RELEASE: return r->pure | (l->op == LTL_FALSE ? PURE_UNIVERSAL : 0);
    default:          return 0;
    }
}

static uint32_t find_or_add(struct ltl *t, enum ltl_operator op, uint32_t left, uint32_t right)
{
    uint32_t *slot = slot_of(t, op, left, right);
    if (*slot)
        return *slot - 1;
    if (t->count >= t->mask / 2) {
        rehash(t);
        slot = slot_of(t, op, left, right);
    }
    ARRAY_GROW(t->nodes, t->count, t->room);
    t->nodes[t->count] = (struct ltl_node){ op, left, right, LTL_UNKNOWN, LTL_UNKNOWN, pure_of(t, op, left, right) };
    *slot = ++t->count;
    return t->count - 1;
}

struct ltl *ltl_new(void)
{
    struct ltl *t = memory_get(sizeof *t);
    t->names = texts_new();
    rehash(t);
    return t;
}

void ltl_free(struct ltl *t)
{
    if (!t)
        return;
    texts_free(t->names);
    free(t->nodes);
    free(t->slots);
    free(t->facts);
    free(t);
}

uint32_t ltl_make(struct ltl *t, enum ltl_operator op, uint32_t left, uint32_t right)
{
    int operands = ltl_about[op].operands;
    assert(op != LTL_SYMBOL && (operands < 1 || left < t->count) && (operands < 2 || right < t->count));
    return find_or_add(t, op, operands > 0 ? left : 0, operands > 1 ? right : 0);
}

uint32_t ltl_symbol(struct ltl *t, const char *name)
{
    return find_or_add(t, LTL_SYMBOL, texts_number(t->names, name), 0);
}

uint32_t ltl_not(struct ltl *t, uint32_t f)
{
    return ltl_operator(t, f) == LTL_NOT ? ltl_left(t, f) : ltl_make(t, LTL_NOT, f, 0);
}

enum ltl_operator ltl_operator(const struct ltl *t, uint32_t f)
{
    assert(f < t->count);
    return t->nodes[f].op;
}

uint32_t ltl_left(const struct ltl *t, uint32_t f)
{
    assert(f < t->count && ltl_about[t->nodes[f].op].operands > 0);
    return t->nodes[f].left;
}

uint32_t ltl_right(const struct ltl *t, uint32_t f)
{
    assert(f < t->count && ltl_about[t->nodes[f].op].operands > 1);
    return t->nodes[f].right;
}

const char *ltl_name(const struct ltl *t, uint32_t f)
{
    assert(ltl_operator(t, f) == LTL_SYMBOL);
    return texts_string(t->names, t->nodes[f].left);
}

/* ---- what occurs in a formula ---- */

/* Of each formula up to f: is it a part of f? Operands stand before, so one way down is enough. Gives. */
static bool *parts_of(const struct ltl *t, uint32_t f)
{
    bool *part = memory_get((size_t)f + 1);
    part[f] = true;
    for (uint32_t i = f + 1; i-- > 0;) {
        int operands = part[i] ? ltl_about[t->nodes[i].op].operands : 0;
        if (operands > 0)
            part[t->nodes[i].left] = true;
        if (operands > 1)
            part[t->nodes[i].right] = true;
    }
    return part;
}

bool ltl_has(const struct ltl *t, uint32_t f, enum ltl_operator op)
{
    bool *part = parts_of(t, f), has = false;
    for (uint32_t i = 0; i <= f; i++)
        has |= part[i] && t->nodes[i].op == op;
    free(part);
    return has;
}

uint32_t *ltl_symbols(const struct ltl *t, uint32_t f, uint32_t *count)
{
    bool *part = parts_of(t, f);
    uint32_t *symbols = NULL, room = 0;
    *count = 0;
    for (uint32_t i = 0; i <= f; i++)
        if (part[i] && t->nodes[i].op == LTL_SYMBOL) {
            ARRAY_GROW(symbols, *count, room);
            symbols[(*count)++] = i;
        }
    free(part);
    return symbols;
}

static uint32_t replacement(struct ltl *t, uint32_t f, int count, const char *const *names, const uint32_t *by)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(ltl_name(t, f), names[i]))
            return by[i];
    return f;
}

uint32_t ltl_substitute(struct ltl *t, uint32_t f, int count, const char *const *names, const uint32_t *by)
{
    bool *part = parts_of(t, f);
    uint32_t *now = memory_get(((size_t)f + 1) * sizeof *now);
    for (uint32_t i = 0; i <= f; i++) {
        struct ltl_node n = t->nodes[i];             /* a copy: the table may move */
        if (part[i] && n.op == LTL_SYMBOL)
            now[i] = replacement(t, i, count, names, by);
        else if (part[i])
            now[i] = n.op == LTL_NOT ? ltl_not(t, now[n.left]) : ltl_make(t, n.op, now[n.left], now[n.right]);
    }
    uint32_t result = now[f];
    free(now);
    free(part);
    return result;
}

/* ---- as text ---- */

/* What is written in short: true U p is <>p, false V p is []p. Gives the operator, and its one operand. */
static enum ltl_operator shorter(const struct ltl *t, uint32_t f, uint32_t *operand)
{
    const struct ltl_node *n = &t->nodes[f];
    *operand = n->op == LTL_UNTIL || n->op == LTL_RELEASE ? n->right : n->left;
    if (n->op == LTL_UNTIL && t->nodes[n->left].op == LTL_TRUE)
        return LTL_EVENTUALLY;
    if (n->op == LTL_RELEASE && t->nodes[n->left].op == LTL_FALSE)
        return LTL_ALWAYS;
    return n->op;
}

/* More parentheses than the reader needs: a person does not know by heart that U binds tighter than &&. */
static bool needs_parentheses(enum ltl_operator inner, enum ltl_operator outer)
{
    const struct ltl_about *in = &ltl_about[inner], *out = &ltl_about[outer];
    if (in->operands < 2)
        return false;
    if (out->operands < 2)
        return out->operands == 1;
    if (inner == outer)
        return inner != LTL_AND && inner != LTL_OR;
    return out->strength != ltl_about[LTL_IMPLIES].strength || in->strength >= ltl_about[LTL_UNTIL].strength
        || in->strength == out->strength;
}

static void put(const struct ltl *, struct prose *, uint32_t f, enum ltl_operator outer);

static void put_sign(struct prose *out, enum ltl_operator op)
{
    const char *written = ltl_about[op].written;
    int length = (int)strcspn(written, " ");
    bool word = isalpha((unsigned char)written[0]);
    if (ltl_about[op].operands == 2)
        prose_add(out, " %.*s ", length, written);
    else
        prose_add(out, "%.*s%s", length, written, word && ltl_about[op].operands ? " " : "");
}

static void put_bare(const struct ltl *t, struct prose *out, uint32_t f)
{
    uint32_t operand;
    enum ltl_operator op = shorter(t, f, &operand);
    if (op == LTL_SYMBOL) {
        prose_add(out, "%s", ltl_name(t, f));
        return;
    }
    if (ltl_about[op].operands == 2)
        put(t, out, t->nodes[f].left, op);
    put_sign(out, op);
    if (ltl_about[op].operands == 2)
        put(t, out, t->nodes[f].right, op);
    else if (ltl_about[op].operands == 1)
        put(t, out, operand, op);
}

static void put(const struct ltl *t, struct prose *out, uint32_t f, enum ltl_operator outer)
{
    uint32_t operand;
    bool parentheses = needs_parentheses(shorter(t, f, &operand), outer);
    if (parentheses)
        prose_bytes(out, "(", 1);
    put_bare(t, out, f);
    if (parentheses)
        prose_bytes(out, ")", 1);
}

char *ltl_text(const struct ltl *t, uint32_t f)
{
    assert(f < t->count);
    struct prose text = { 0 };
    put_bare(t, &text, f);
    return prose_take(&text);
}
