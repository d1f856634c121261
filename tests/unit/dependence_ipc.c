/* Pipes, arrays of semaphores and queues of messages against the definition of independence, as dependence.c has it for the other
 * types: states are made by executing operations, every pair is tried in both orders, and in short sequences neighbours that are
 * said to have no order are exchanged.
 * SPDX-License-Identifier: MIT */
#include "objects/builtin.h"
#include "objects/types.h"
#include "wire.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 2112, MOST_STATES = 600, MOST_OPS = 32, SEQUENCE = 3 };

struct state { uint32_t word[MOST_WORDS]; };

struct bench {
    const struct object_type *type;
    const char   *what;
    uint32_t      words, state_count, op_count;
    struct state  states[MOST_STATES];
    struct op     ops[MOST_OPS];
    uint64_t      pairs, independent, too_careful, exchanges, kept;
    int           bad;
};

static void print_op(const struct op *op)
{
    printf("%s(%d, %d, %x)", types_get(op->type)->operations[op->code].name, op->arg[0], op->arg[1], (unsigned)op->arg[2]);
}

static void differ(struct bench *b, const char *what, const struct state *s, const struct op *first, const struct op *second)
{
    if (b->bad++ > 5)
        return;
    char now[300];
    b->type->print(s->word, NULL, NULL, now, sizeof now);
    printf("FAILED: %s: %s; ", b->what, what);
    print_op(first);
    printf("; ");
    print_op(second);
    printf("; state %s\n", now);
}

/* ---- states ---- */

/* Only the words that the type has: the room is for the largest. */
static void copy(const struct bench *b, struct state *to, const struct state *from)
{
    memcpy(to->word, from->word, b->words * sizeof *to->word);
}

static uint32_t execute(const struct bench *b, struct state *s, const struct op *op)
{
    struct change changes[OBJECT_CHANGES + 1];
    struct log log = { changes };
    uint32_t result = b->type->execute(&log, s->word, op, 0);
    assert(log.top - changes <= OBJECT_CHANGES);
    return result;
}

static bool enabled(const struct bench *b, const struct state *s, const struct op *op)
{
    return b->type->choices(s->word, op) != 0;
}

static bool same(const struct bench *b, const struct state *x, const struct state *y)
{
    if (!b->type->canonical)
        return !memcmp(x->word, y->word, b->words * sizeof *x->word);
    uint32_t one[MOST_WORDS], other[MOST_WORDS], count = b->type->canonical(x->word, b->words, one);
    assert(count <= b->words);
    return count == b->type->canonical(y->word, b->words, other) && !memcmp(one, other, count * sizeof *one);
}

static void add_state(struct bench *b, const struct state *s)
{
    for (uint32_t i = 0; i < b->state_count; i++)
        if (!memcmp(&b->states[i], s, sizeof *s))
            return;
    if (b->state_count < MOST_STATES)
        b->states[b->state_count++] = *s;
}

static void make_states(struct bench *b)
{
    for (uint32_t from = 0; from < b->state_count && b->state_count < MOST_STATES; from++)
        for (uint32_t i = 0; i < b->op_count; i++) {
            struct state next = b->states[from];
            if (enabled(b, &next, &b->ops[i])) {
                execute(b, &next, &b->ops[i]);
                add_state(b, &next);
            }
        }
}

/* ---- two operations ---- */

static bool undo_restores(const struct bench *b, const struct state *s, const struct op *op)
{
    struct change changes[OBJECT_CHANGES + 1];
    struct log log = { changes };
    struct state now;
    copy(b, &now, s);
    b->type->execute(&log, now.word, op, 0);
    while (log.top-- > changes)
        *log.top->word = log.top->old;
    return !memcmp(now.word, s->word, b->words * sizeof *s->word);
}

/* After `first` the second can go as before, with the same result. */
static bool untouched(const struct bench *b, const struct state *s, const struct op *first, const struct op *second)
{
    struct state before, after;
    if (!enabled(b, s, first))
        return true;
    copy(b, &after, s);
    execute(b, &after, first);
    if (enabled(b, s, second) != enabled(b, &after, second))
        return false;
    copy(b, &before, s);
    return !enabled(b, s, second) || execute(b, &before, second) == execute(b, &after, second);
}

static bool independent(const struct bench *b, const struct state *s, const struct op *p, const struct op *q)
{
    struct state one, other;
    if (!untouched(b, s, p, q) || !untouched(b, s, q, p))
        return false;
    if (!enabled(b, s, p) || !enabled(b, s, q))
        return true;
    copy(b, &one, s), copy(b, &other, s);
    execute(b, &one, p), execute(b, &one, q);
    execute(b, &other, q), execute(b, &other, p);
    return same(b, &one, &other);
}

static void check_pair(struct bench *b, const struct state *s, const struct op *p, const struct op *q)
{
    bool really = independent(b, s, p, q), claimed = !b->type->dependent(s->word, p, q);
    b->pairs++;
    b->independent += really;
    b->too_careful += really && !claimed;
    if (claimed && !really)
        differ(b, "said to be independent, but it matters which goes first", s, p, q);
    if (b->type->dependent(s->word, q, p) == claimed)
        differ(b, "dependence is not symmetric", s, p, q);
}

/* ---- the order of executed operations ---- */

struct sequence {
    const struct op *op[SEQUENCE];
    uint32_t         result[SEQUENCE], stamp[SEQUENCE];
    struct state     end;
};

static bool run(const struct bench *b, const struct state *s, struct sequence *q)
{
    if (!enabled(b, s, q->op[0]))
        return false;
    copy(b, &q->end, s);
    for (int i = 0; i < SEQUENCE; i++) {
        if (!enabled(b, &q->end, q->op[i]))
            return false;
        q->stamp[i] = b->type->stamp(q->end.word, q->op[i]);
        q->result[i] = execute(b, &q->end, q->op[i]);
    }
    return true;
}

static bool conflict(const struct bench *b, const struct sequence *q, int i, int j)
{
    return b->type->conflict(q->op[i], q->stamp[i], q->op[j], q->stamp[j]);
}

static int place_after(int i, int at) { return i == at ? at + 1 : i == at + 1 ? at : i; }

/* Also for the two themselves: exchanged, they must be as free as before. */
static bool same_order(const struct bench *b, const struct sequence *q, const struct sequence *changed, int at)
{
    for (int i = 0; i < SEQUENCE; i++)
        for (int j = i + 1; j < SEQUENCE; j++) {
            int k = place_after(i, at), l = place_after(j, at);
            if (conflict(b, q, i, j) != (k < l ? conflict(b, changed, k, l) : conflict(b, changed, l, k)))
                return false;
        }
    return true;
}

static void check_exchange(struct bench *b, const struct state *s, const struct sequence *q, int at)
{
    struct sequence changed;
    memcpy(changed.op, q->op, sizeof changed.op);
    b->exchanges++;
    if (conflict(b, q, at, at + 1)) {
        b->kept++;
        return;
    }
    changed.op[at] = q->op[at + 1];
    changed.op[at + 1] = q->op[at];
    if (!run(b, s, &changed) || changed.result[at] != q->result[at + 1] || changed.result[at + 1] != q->result[at]
        || !same(b, &q->end, &changed.end))
        differ(b, "said to have no order, but cannot be exchanged", s, q->op[at], q->op[at + 1]);
    else if (!same_order(b, q, &changed, at))
        differ(b, "an exchange changes which steps have an order", s, q->op[at], q->op[at + 1]);
}

static void check_sequences(struct bench *b, const struct state *s)
{
    uint64_t all = 1;
    for (int i = 0; i < SEQUENCE; i++)
        all *= b->op_count;
    for (uint64_t n = 0; n < all; n++) {
        struct sequence q;
        uint64_t rest = n;
        for (int i = 0; i < SEQUENCE; i++, rest /= b->op_count)
            q.op[i] = &b->ops[rest % b->op_count];
        if (run(b, s, &q))
            for (int at = 0; at + 1 < SEQUENCE; at++)
                check_exchange(b, s, &q, at);
    }
}

static void check_state(struct bench *b, const struct state *s)
{
    for (uint32_t i = 0; i < b->op_count; i++) {
        if (enabled(b, s, &b->ops[i]) && !undo_restores(b, s, &b->ops[i]))
            differ(b, "the log does not restore the state", s, &b->ops[i], &b->ops[i]);
        for (uint32_t j = 0; j < b->op_count; j++)
            check_pair(b, s, &b->ops[i], &b->ops[j]);
    }
    check_sequences(b, s);
}

/* ---- the types ---- */

static struct bench *bench_new(const char *what, int type, const int32_t arg[3])
{
    struct bench *b = calloc(1, sizeof *b);
    struct state first = { .word = { 0 } };
    assert(b);
    b->type = types_get((unsigned)type);
    b->what = what;
    b->words = (uint32_t)b->type->size(arg, NULL, 0);
    assert(b->words <= MOST_WORDS);
    b->type->init(arg, first.word);
    add_state(b, &first);
    return b;
}

static void add_op(struct bench *b, int code, int32_t first, int32_t second, int32_t third)
{
    assert(b->op_count < MOST_OPS);
    uint8_t type = 0;
    while (types_get(type) != b->type)
        type++;
    b->ops[b->op_count++] = (struct op){ .type = type, .code = (uint8_t)code, .arg = { first, second, third } };
}

static void set_up(struct bench *b, int code, int32_t first, int32_t second, int32_t third)
{
    add_op(b, code, first, second, third);
    execute(b, &b->states[0], &b->ops[--b->op_count]);
}

static int finish(struct bench *b)
{
    make_states(b);
    for (uint32_t i = 0; i < b->state_count; i++)
        check_state(b, &b->states[i]);
    printf("%-30s %4u states %7" PRIu64 " pairs, %6" PRIu64 " commute, %6" PRIu64 " of these kept in order; "
           "%8" PRIu64 " neighbours, %8" PRIu64 " kept in order\n",
           b->what, b->state_count, b->pairs, b->independent, b->too_careful, b->exchanges, b->kept);
    int bad = b->bad != 0;
    free(b);
    return bad;
}

/* Of a poll by UNIX process 1 that looks at one or two channels for their end alone. */
static int32_t ends(int count, int first, int second)
{
    return (int32_t)(1 << 8 | (uint32_t)count << STREAMS_ENDS_COUNT_SHIFT | (uint32_t)first << STREAMS_ENDS_SHIFT
                     | (uint32_t)second << (STREAMS_ENDS_SHIFT + STREAMS_END_BITS));
}

static int check_pipe(const char *what, int extra)
{
    enum { ROOM = 4 };
    int32_t arg = STREAMS_ARG(0, ROOM, -1), by_1 = STREAMS_ARG(1, ROOM, -1), by_2 = STREAMS_ARG(2, ROOM, -1);
    struct bench *b = bench_new(what, TYPE_STREAMS, (int32_t[3]){ 0 });
    set_up(b, STREAMS_OPEN, 0, 3, arg);
    set_up(b, STREAMS_OPEN, 1, 3, by_1);
    struct change changes[OBJECT_CHANGES_OF_MANY];
    struct log log = { changes };
    streams_type.forked(&log, b->states[0].word, 0, 1);
    streams_type.forked(&log, b->states[0].word, 0, 2);
    add_op(b, STREAMS_READ, 0, 1, arg);
    add_op(b, STREAMS_READ, 0, 2, by_1);
    add_op(b, STREAMS_READ, 0, 2, by_1 | extra);
    add_op(b, STREAMS_READ, 0, 3, by_1 | STREAMS_PEEK);
    add_op(b, STREAMS_WRITE, 0, 1, arg | STREAMS_WHOLE);
    add_op(b, STREAMS_WRITE, 0, 2, by_1 | STREAMS_WHOLE | extra);
    add_op(b, STREAMS_WRITE, 0, 3, by_1);
    add_op(b, STREAMS_WRITE, 1, 1, by_1);
    add_op(b, STREAMS_POLL, 3, 0, by_1 | extra);
    add_op(b, STREAMS_POLL, 1, 1, by_1);
    add_op(b, STREAMS_POLL, 0, 0, ends(1, 0, 0) | extra);
    add_op(b, STREAMS_POLL, 2, 0, ends(2, 0, STREAMS_END_WRITTEN));
    add_op(b, STREAMS_CLOSE, 0, 0, arg);
    add_op(b, STREAMS_CLOSE, 0, 0, by_1);
    add_op(b, STREAMS_CLOSE, 0, 0, by_2);
    add_op(b, STREAMS_CLOSE, 0, 0, arg | STREAMS_WRITING);
    add_op(b, STREAMS_CLOSE, 0, 0, by_1 | STREAMS_WRITING);
    add_op(b, STREAMS_CLOSE, 0, 0, by_2 | STREAMS_WRITING);
    add_op(b, STREAMS_SHUT, 0, 0, by_2 | STREAMS_WRITING);
    return finish(b);
}

/* All channels are in use but for those that are closed on the way. */
static int check_open(void)
{
    int32_t arg = STREAMS_ARG(0, 1, -1);
    struct bench *b = bench_new("opening the last channels", TYPE_STREAMS, (int32_t[3]){ 0 });
    for (int n = 0; n < STREAMS_CHANNELS - 2; n++)
        set_up(b, STREAMS_OPEN, 0, 1, arg);
    add_op(b, STREAMS_OPEN, 0, 1, arg);
    add_op(b, STREAMS_OPEN, 31, 3, STREAMS_ARG(1, 1, -1));
    add_op(b, STREAMS_OPEN, 30, 3, STREAMS_ARG(2, 1, -1));
    add_op(b, STREAMS_CLOSE, 3, 0, arg);
    add_op(b, STREAMS_CLOSE, 5, 0, arg);
    add_op(b, STREAMS_CLOSE, 5, 0, arg | STREAMS_WRITING);
    add_op(b, STREAMS_SHUT, 5, 0, arg);
    return finish(b);
}

/* Channel 0 listens; channel 1 is one way of a connection through it. */
static int check_listener(void)
{
    int32_t server = STREAMS_ARG(0, 2, -1), client = STREAMS_ARG(1, 2, 0), other = STREAMS_ARG(2, 2, -1);
    struct bench *b = bench_new("connection", TYPE_STREAMS, (int32_t[3]){ 0 });
    set_up(b, STREAMS_OPEN, 0, 1, server);
    set_up(b, STREAMS_OPEN, 1, 2, client);
    struct change changes[OBJECT_CHANGES_OF_MANY];
    struct log log = { changes };
    streams_type.forked(&log, b->states[0].word, 0, 2);
    add_op(b, STREAMS_WRITE, 0, 1, STREAMS_ARG(1, 2, -1));
    add_op(b, STREAMS_READ, 0, 1, server);
    add_op(b, STREAMS_WRITE, 1, 1, client);
    add_op(b, STREAMS_WRITE, 1, 1, client | ARG_NOWAIT);
    add_op(b, STREAMS_TAKE, 1, 0, STREAMS_ARG(0, 2, 0));
    add_op(b, STREAMS_READ, 1, 1, server);
    add_op(b, STREAMS_POLL, 0, 2, client);
    add_op(b, STREAMS_CLOSE, 0, 0, server | STREAMS_LISTENING);
    add_op(b, STREAMS_CLOSE, 0, 0, other | STREAMS_LISTENING);
    add_op(b, STREAMS_CLOSE, 1, 0, server);
    add_op(b, STREAMS_CLOSE, 1, 0, client | STREAMS_WRITING);
    return finish(b);
}

static void add_semop(struct bench *b, int host, int more, int count, const uint32_t part[5])
{
    add_op(b, SEMSET_DO, (int32_t)((part[0] & 0xffff) | part[1] << 16), (int32_t)((part[2] & 0xffff) | part[3] << 16),
           (int32_t)(part[4] << SEMSET_FIFTH | (uint32_t)host << 8 | (uint32_t)count << 3 | (uint32_t)more));
}

static int check_semaphores(void)
{
    struct bench *b = bench_new("array of semaphores", TYPE_SEMSET, (int32_t[3]){ 2 });
    add_semop(b, 0, 0, 1, (uint32_t[5]){ SEMSET_OP(0, -1, 0, 0) });
    add_semop(b, 0, 0, 1, (uint32_t[5]){ SEMSET_OP(0, 1, 0, 0) });
    add_semop(b, 1, 0, 1, (uint32_t[5]){ SEMSET_OP(1, -1, 1, 1) });
    add_semop(b, 1, 0, 1, (uint32_t[5]){ SEMSET_OP(1, 2, 0, 1) });
    add_semop(b, 1, 0, 2, (uint32_t[5]){ SEMSET_OP(1, -1, 0, 0), SEMSET_OP(0, -1, 0, 0) });
    add_semop(b, 2, 0, 3, (uint32_t[5]){ SEMSET_OP(1, 0, 0, 0), SEMSET_OP(0, 0, 0, 0), SEMSET_OP(0, 1, 0, 0) });
    add_semop(b, 0, ARG_TIMED, 1, (uint32_t[5]){ SEMSET_OP(0, 0, 0, 0) });
    add_op(b, SEMSET_SET, 0, 1, 0);
    add_op(b, SEMSET_GET, 0, 0, 0);
    add_op(b, SEMSET_GET, 1, 0, 0);
    add_op(b, SEMSET_WAIT, 0, 1, 0);
    add_op(b, SEMSET_WAIT, 1, 2, 0);
    add_op(b, SEMSET_WAIT, 1, 0, 0);
    add_op(b, SEMSET_SIGNAL, 0, 1, 0);
    add_op(b, SEMSET_SIGNAL, 1, 2, 0);
    add_op(b, SEMSET_UNDO, 1, 0, 1 << 8);
    add_op(b, SEMSET_REMOVE, 0, 0, 0);
    return finish(b);
}

static int check_five(void)
{
    struct bench *b = bench_new("five operations at once", TYPE_SEMSET, (int32_t[3]){ 5 });
    const uint32_t give[5] = { SEMSET_OP(0, 1, 0, 0), SEMSET_OP(1, 2, 0, 0), SEMSET_OP(2, 3, 0, 0), SEMSET_OP(3, 255, 0, 0),
                               SEMSET_OP(4, 5, 0, 0) };
    const uint32_t take[5] = { SEMSET_OP(0, -1, 0, 0), SEMSET_OP(1, -2, 0, 0), SEMSET_OP(2, -3, 0, 0), SEMSET_OP(3, -255, 0, 0),
                               SEMSET_OP(4, -5, 0, 0) };
    struct state start = b->states[0];
    add_semop(b, 0, 0, 5, give);
    add_semop(b, 0, 0, 5, take);
    struct state s = start;
    if (enabled(b, &s, &b->ops[1]) || execute(b, &s, &b->ops[0]) || !enabled(b, &s, &b->ops[1]) || execute(b, &s, &b->ops[1])
        || memcmp(&s, &start, sizeof s))
        differ(b, "taking back what was given does not restore the state", &s, &b->ops[0], &b->ops[1]);
    struct op wide = { .type = TYPE_SEMSET, .code = SEMSET_DO,
                       .arg = { (int32_t)SEMSET_OP(31, 32767, 0, 0), (int32_t)SEMSET_OP(31, -32767, 0, 0), 2 << 3 | SEMSET_WIDE } };
    if (execute(b, &s, &wide) || memcmp(&s, &start, sizeof s))
        differ(b, "large values are not what they should be", &s, &wide, &wide);
    return finish(b);
}

/* A process that is killed gives back what it took with SEM_UNDO. */
static int check_gone(void)
{
    struct bench *b = bench_new("undo", TYPE_SEMSET, (int32_t[3]){ 2 });
    set_up(b, SEMSET_SET, 0, 3, 0);
    struct state s = b->states[0];
    add_semop(b, 7, 0, 1, (uint32_t[5]){ SEMSET_OP(0, -2, 0, 1) });
    struct change changes[OBJECT_CHANGES_OF_MANY];
    struct log log = { changes };
    execute(b, &s, &b->ops[0]);
    semset_type.killed(&log, s.word, 6);
    bool too_early = same(b, &s, &b->states[0]);
    semset_type.killed(&log, s.word, 7);
    if (too_early || !same(b, &s, &b->states[0]))
        differ(b, "not as before", &s, &b->ops[0], &b->ops[0]);
    return finish(b);
}

static int check_messages(const char *what, int bytes, int count, bool priorities)
{
    struct bench *b = bench_new(what, TYPE_MESSAGES, (int32_t[3]){ bytes, count });
    add_op(b, MESSAGES_SEND, 1, 1, 0);
    add_op(b, MESSAGES_SEND, 2, 2, 0);
    add_op(b, MESSAGES_SEND, 1, 1, ARG_NOWAIT);
    if (priorities) {
        add_op(b, MESSAGES_RECEIVE, MESSAGES_HIGHEST, 2, 0);
        add_op(b, MESSAGES_RECEIVE, MESSAGES_HIGHEST, 2, ARG_TIMED);
        return finish(b);
    }
    add_op(b, MESSAGES_RECEIVE, 0, 2, 0);
    add_op(b, MESSAGES_RECEIVE, 0, 1, ARG_NOWAIT);
    add_op(b, MESSAGES_RECEIVE, 1, 2, 0);
    add_op(b, MESSAGES_RECEIVE, 2, 1, MESSAGES_CUT);
    add_op(b, MESSAGES_RECEIVE, 2, 1, ARG_NOWAIT);
    add_op(b, MESSAGES_RECEIVE, 1, 2, MESSAGES_EXCEPT);
    add_op(b, MESSAGES_RECEIVE, -2, 2, 0);
    add_op(b, MESSAGES_COUNT, 0, 0, 0);
    add_op(b, MESSAGES_REMOVE, 0, 0, 0);
    return finish(b);
}

int main(int argc, char **argv)
{
    (void)argc;
    int bad = check_pipe("pipe", ARG_NOWAIT) | check_pipe("pipe that nobody ends", STREAMS_ENDLESS) | check_open()
            | check_listener() | check_semaphores() | check_five() | check_gone() | check_messages("messages", 100, 100, false)
            | check_messages("few messages", 4, 3, false) | check_messages("priorities", 100, 2, true);
    if (bad)
        printf("again: %s\n", argv[0]);
    return bad;
}
