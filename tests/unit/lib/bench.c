/* SPDX-License-Identifier: MIT */
#include "bench.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATE_DEPTH = 5, SEQUENCE = 4 };

/* ---- words ---- */

static void print_op(const struct op *op)
{
    printf("process %d: %s(%d, %d)", op->process + 1, types_get(op->type)->operations[op->code].name, op->arg[0], op->arg[1]);
    if (op->text)
        printf(" text %u", op->text);
}

static void differ(struct bench *b, const char *what, const struct state *s, const struct op *first, const struct op *second)
{
    if (b->bad++ > 5)
        return;
    printf("FAILED: %s: %s; ", b->what, what);
    print_op(first);
    if (second) {
        printf("; ");
        print_op(second);
    }
    printf("; state");
    for (uint32_t i = 0; i < b->words; i++)
        printf(" %u", s->word[i]);
    printf("\n");
}

/* ---- states ---- */

uint32_t bench_execute(const struct bench *b, struct state *s, const struct op *op, uint32_t choice)
{
    struct change changes[OBJECT_CHANGES + 1];
    struct log log = { changes };
    uint32_t result = b->type->execute(&log, s->word, op, choice), bit = 1u << op->process;
    assert(log.top - changes <= OBJECT_CHANGES);
    if (b->begins && b->begins[op->code] && result == 0)
        s->within |= bit;
    if (b->ends && b->ends[op->code])
        s->within &= ~bit;
    return result;
}

/* Could the process stand before this operation at all? */
static bool possible(const struct bench *b, const struct state *s, const struct op *op)
{
    return !b->ends || b->ends[op->code] == (s->within >> op->process & 1);
}

static uint32_t choices(const struct bench *b, const struct state *s, const struct op *op)
{
    return possible(b, s, op) ? b->type->choices(s->word, op) : 0;
}

static uint32_t canonical(const struct bench *b, const struct state *s, uint32_t out[2 * MOST_WORDS])
{
    if (b->type->canonical)
        return b->type->canonical(s->word, b->words, out);
    memcpy(out, s->word, b->words * sizeof *out);
    return b->words;
}

static bool same(const struct bench *b, const struct state *x, const struct state *y)
{
    uint32_t one[2 * MOST_WORDS], other[2 * MOST_WORDS], count = canonical(b, x, one);
    return x->within == y->within && count == canonical(b, y, other) && !memcmp(one, other, count * sizeof *one);
}

void bench_add_state(struct bench *b, const struct state *s)
{
    for (uint32_t i = 0; i < b->state_count; i++)
        if (!memcmp(&b->states[i], s, sizeof *s))
            return;
    assert(b->state_count < MOST_STATES);
    b->states[b->state_count++] = *s;
}

void bench_make_states(struct bench *b)
{
    uint32_t from = 0;
    for (int depth = 0; depth < STATE_DEPTH; depth++) {
        uint32_t end = b->state_count;
        for (; from < end; from++)
            for (uint32_t i = 0; i < b->op_count; i++)
                for (uint32_t choice = 0; choice < choices(b, &b->states[from], &b->ops[i]); choice++) {
                    struct state next = b->states[from];
                    bench_execute(b, &next, &b->ops[i], choice);
                    bench_add_state(b, &next);
                }
    }
}

/* ---- one operation ---- */

static bool undo_restores(const struct bench *b, const struct state *s, const struct op *op, uint32_t choice)
{
    struct change changes[OBJECT_CHANGES + 1];
    struct log log = { changes };
    struct state now = *s;
    b->type->execute(&log, now.word, op, choice);
    while (log.top-- > changes)
        *log.top->word = log.top->old;
    return !memcmp(&now, s, sizeof now);
}

static bool guard_agrees(const struct bench *b, const struct state *s, const struct op *op)
{
    struct guard g;
    if (!possible(b, s, op) || !b->type->guard || !b->type->guard(op, &g))
        return true;
    bool inside = b->words == 0 ? g.span == UINT32_MAX : s->word[g.word] - g.lo <= g.span;
    return choices(b, s, op) == inside;
}

/* What executing only adds to a word does just that. */
static bool adds_agree(const struct bench *b, const struct state *s, const struct op *op)
{
    struct guard g;
    if (!choices(b, s, op) || !b->type->guard || !b->type->guard(op, &g) || !g.adds || s->word[g.word] >= GUARD_PLAIN)
        return true;
    struct state done = *s, added = *s;
    added.word[g.word] += g.adds;
    return bench_execute(b, &done, op, 0) == 0 && !memcmp(done.word, added.word, sizeof done.word);
}

static void check_operation(struct bench *b, const struct state *s, const struct op *op)
{
    if (!adds_agree(b, s, op))
        differ(b, "does not just add what its guard says", s, op, NULL);
    if (!guard_agrees(b, s, op))
        differ(b, "guard and choices disagree", s, op, NULL);
    for (uint32_t choice = 0; choice < choices(b, s, op); choice++) {
        struct state one = *s, other = *s;
        if (!undo_restores(b, s, op, choice))
            differ(b, "the log does not restore the state", s, op, NULL);
        if (bench_execute(b, &one, op, choice) != bench_execute(b, &other, op, choice) || memcmp(&one, &other, sizeof one))
            differ(b, "does not do the same twice", s, op, NULL);
    }
}

/* States that count as the same must behave the same. */
static void check_canonical(struct bench *b, const struct state *s, const struct state *twin, const struct op *op)
{
    if (choices(b, s, op) != choices(b, twin, op)) {
        differ(b, "two states that count as the same differ in what is enabled", s, op, NULL);
        return;
    }
    for (uint32_t choice = 0; choice < choices(b, s, op); choice++) {
        struct state one = *s, other = *twin;
        if (bench_execute(b, &one, op, choice) != bench_execute(b, &other, op, choice) || !same(b, &one, &other))
            differ(b, "two states that count as the same differ in what comes of it", s, op, NULL);
    }
}

/* ---- two operations ---- */

/* After `first` the second has the same choices, with the same results, as before it. */
static bool untouched(const struct bench *b, const struct state *s, const struct op *first, uint32_t choice,
                      const struct op *second)
{
    struct state after = *s;
    bench_execute(b, &after, first, choice);
    if (choices(b, s, second) != choices(b, &after, second))
        return false;
    for (uint32_t i = 0; i < choices(b, s, second); i++) {
        struct state one = *s, other = after;
        if (bench_execute(b, &one, second, i) != bench_execute(b, &other, second, i))
            return false;
    }
    return true;
}

static bool same_end(const struct bench *b, const struct state *s, const struct op *p, uint32_t i, const struct op *q,
                     uint32_t j)
{
    struct state one = *s, other = *s;
    bench_execute(b, &one, p, i);
    bench_execute(b, &one, q, j);
    bench_execute(b, &other, q, j);
    bench_execute(b, &other, p, i);
    return same(b, &one, &other);
}

/* Definition 1, in this state. */
static bool independent(const struct bench *b, const struct state *s, const struct op *p, const struct op *q)
{
    for (uint32_t i = 0; i < choices(b, s, p); i++)
        if (!untouched(b, s, p, i, q))
            return false;
    for (uint32_t j = 0; j < choices(b, s, q); j++)
        if (!untouched(b, s, q, j, p))
            return false;
    for (uint32_t i = 0; i < choices(b, s, p); i++)
        for (uint32_t j = 0; j < choices(b, s, q); j++)
            if (!same_end(b, s, p, i, q, j))
                return false;
    return true;
}

static uint32_t stamp(const struct bench *b, const struct state *s, const struct op *op)
{
    return b->type->stamp ? b->type->stamp(s->word, op) : 0;
}

static bool conflicts(const struct bench *b, const struct op *p, uint32_t p_stamp, const struct op *q, uint32_t q_stamp)
{
    return !b->type->conflict || b->type->conflict(p, p_stamp, q, q_stamp);
}

/* Both can go, and it matters which goes first: then they conflict, whichever is looked at first, also when one has gone. */
static void check_conflict(struct bench *b, const struct state *s, const struct op *p, const struct op *q)
{
    uint32_t p_stamp = stamp(b, s, p), q_stamp = stamp(b, s, q);
    if (!choices(b, s, p) || !choices(b, s, q))
        return;
    if (!conflicts(b, p, p_stamp, q, q_stamp) && !conflicts(b, q, q_stamp, p, p_stamp))
        differ(b, "said to be free of order, but it matters which goes first", s, p, q);
    for (uint32_t i = 0; i < choices(b, s, p); i++) {
        struct state after = *s;
        bench_execute(b, &after, p, i);
        if (!conflicts(b, p, p_stamp, q, stamp(b, &after, q)))
            differ(b, "said to be free of order, but the second could have gone first, and it matters", s, p, q);
    }
}

/* A step that is free of order with a pending one leaves its stamp as it is. Else a stamp would be no longer true when more
 * such steps are taken, and several that commute in pairs need not commute together. */
static void check_stamp(struct bench *b, const struct state *s, const struct op *p, const struct op *q)
{
    uint32_t p_stamp = stamp(b, s, p), q_stamp = stamp(b, s, q);
    for (uint32_t i = 0; i < choices(b, s, p); i++) {
        struct state after = *s;
        bench_execute(b, &after, p, i);
        if (!conflicts(b, p, p_stamp, q, q_stamp) && stamp(b, &after, q) != q_stamp)
            differ(b, "said to be free of order, but the first changes the stamp of the second", s, p, q);
    }
}

static void check_pair(struct bench *b, const struct state *s, const struct op *p, const struct op *q)
{
    bool really = independent(b, s, p, q);
    if (!really)
        check_conflict(b, s, p, q);
    check_stamp(b, s, p, q);
    bool claimed = b->type->dependent && !b->type->dependent(s->word, p, q);
    b->pairs++;
    b->independent += really;
    b->too_careful += really && !claimed;
    if (claimed && !really)
        differ(b, "said to be independent, but it matters which goes first", s, p, q);
    if (b->type->dependent && b->type->dependent(s->word, q, p) == claimed)
        differ(b, "dependence is not symmetric", s, p, q);
    if (b->type->may_conflict && !b->type->may_conflict(p, q->code) && !really)
        differ(b, "said never to conflict, but it matters which goes first", s, p, q);
}

/* ---- the order of executed operations ---- */

/* Operations one after the other, and what is known of each. */
struct sequence {
    struct op    op[SEQUENCE];
    uint32_t     choice[SEQUENCE], result[SEQUENCE], stamp[SEQUENCE];
    struct state end;
};

static bool run_one(const struct bench *b, struct sequence *q, int i)
{
    if (q->choice[i] >= choices(b, &q->end, &q->op[i]))
        return false;
    q->stamp[i] = stamp(b, &q->end, &q->op[i]);
    q->result[i] = bench_execute(b, &q->end, &q->op[i], q->choice[i]);
    return true;
}

static bool run(const struct bench *b, const struct state *s, struct sequence *q)
{
    q->end = *s;
    for (int i = 0; i < SEQUENCE; i++)
        if (!run_one(b, q, i))
            return false;
    return true;
}

static bool conflict(const struct bench *b, const struct sequence *q, int i, int j)
{
    return q->op[i].process == q->op[j].process || conflicts(b, &q->op[i], q->stamp[i], &q->op[j], q->stamp[j]);
}

/* Where the operation at place i stands after those at `at` and `at` + 1 changed places. */
static int place_after(int i, int at)
{
    return i == at ? at + 1 : i == at + 1 ? at : i;
}

static bool same_order(const struct bench *b, const struct sequence *q, const struct sequence *changed, int at)
{
    for (int i = 0; i < SEQUENCE; i++)
        for (int j = i + 1; j < SEQUENCE; j++)
            if ((i != at || j != at + 1)
                && conflict(b, q, i, j) != conflict(b, changed, place_after(i, at), place_after(j, at)))
                return false;
    return true;
}

/* Two neighbours that may change places must be able to, with the same results, and without changing what else may. */
static void check_exchange(struct bench *b, const struct state *s, const struct sequence *q, int at)
{
    struct sequence changed = *q;
    b->exchanges++;
    if (conflict(b, q, at, at + 1)) {
        b->kept++;
        return;
    }
    changed.op[at] = q->op[at + 1], changed.choice[at] = q->choice[at + 1];
    changed.op[at + 1] = q->op[at], changed.choice[at + 1] = q->choice[at];
    if (!run(b, s, &changed) || changed.result[at] != q->result[at + 1] || changed.result[at + 1] != q->result[at]
        || !same(b, &q->end, &changed.end))
        differ(b, "said to have no order, but cannot be exchanged", s, &q->op[at], &q->op[at + 1]);
    else if (!same_order(b, q, &changed, at))
        differ(b, "an exchange changes which other steps have an order", s, &q->op[at], &q->op[at + 1]);
    else if (conflict(b, &changed, at, at + 1))
        differ(b, "said to have no order, but to have one when exchanged", s, &q->op[at], &q->op[at + 1]);
}

/* All that can follow the first `done` of a sequence. */
static void check_sequences(struct bench *b, const struct state *s, const struct sequence *q, int done)
{
    for (int at = 0; done == SEQUENCE && at + 1 < SEQUENCE; at++)
        if (q->op[at].process != q->op[at + 1].process)
            check_exchange(b, s, q, at);
    for (uint32_t k = 0; done < SEQUENCE && k < b->op_count; k++) {
        struct sequence next = *q;
        next.op[done] = b->ops[k];
        next.op[done].process = b->named ? b->ops[k].process : (uint8_t)done;
        while (run_one(b, &next, done)) {
            check_sequences(b, s, &next, done + 1);
            next.end = q->end;
            next.choice[done]++;
        }
    }
}

/* ---- all of a type ---- */

static void check_pairs(struct bench *b, const struct state *s)
{
    for (uint32_t i = 0; i < b->op_count; i++)
        for (uint32_t j = 0; j < b->op_count; j++) {
            struct op p = b->ops[i], q = b->ops[j];
            if (!b->named)
                q.process = 1;
            if (p.process != q.process && possible(b, s, &p) && possible(b, s, &q))
                check_pair(b, s, &p, &q);
        }
}

static void check_bench(struct bench *b)
{
    bench_make_states(b);
    for (uint32_t i = 0; i < b->state_count; i++) {
        const struct state *s = &b->states[i];
        for (uint32_t k = 0; k < b->op_count; k++)
            check_operation(b, s, &b->ops[k]);
        for (uint32_t twin = 0; twin < i; twin++)
            for (uint32_t k = 0; k < b->op_count && same(b, s, &b->states[twin]); k++)
                check_canonical(b, s, &b->states[twin], &b->ops[k]);
        check_pairs(b, s);
        check_sequences(b, s, &(struct sequence){ .end = *s }, 0);
    }
    printf("%-22s %4u states %7" PRIu64 " pairs, %6" PRIu64 " commute, %5" PRIu64 " of these kept in order; "
           "%7" PRIu64 " neighbours, %7" PRIu64 " kept in order\n",
           b->what, b->state_count, b->pairs, b->independent, b->too_careful, b->exchanges, b->kept);
}

struct bench *bench_new(const char *what, int type, const int32_t arg[3])
{
    struct bench *b = calloc(1, sizeof *b);
    assert(b);
    b->type = types_get((unsigned)type);
    b->what = what;
    if (b->type->size) {
        b->words = (uint32_t)b->type->size(arg, NULL, 0);
        assert(b->words <= MOST_WORDS);
        struct state first = { .word = { 0 } };
        b->type->init(arg, first.word);
        bench_add_state(b, &first);
    } else {
        bench_add_state(b, &(struct state){ .word = { 0 } });
    }
    return b;
}

void bench_add(struct bench *b, int type, int code, int process, int argument, int second, uint32_t text)
{
    assert(b->op_count < MOST_OPS);
    b->ops[b->op_count++] = (struct op){ .type = (uint8_t)type, .code = (uint8_t)code, .process = (uint8_t)process,
                                         .arg = { argument, second }, .text = text };
}

int bench_finish(struct bench *b)
{
    check_bench(b);
    int bad = b->bad != 0;
    free(b);
    return bad;
}
