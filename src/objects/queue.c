/* Bounded queues of messages, first in, first out. send blocks while the queue is full, receive while it is empty.
 * Every operation on a removed queue returns at once with RESULT_REMOVED.
 * Invariant: it has no more messages than its size.
 * SPDX-License-Identifier: MIT */
#include "objects/builtin.h"
#include "wire.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* The words of a queue. RECEIVED counts for ever (the stamps of `conflict` need it); it is not part of the state proper. */
enum { SIZE, COUNT, RECEIVED, SLOTS };
#define REMOVED 0u                   /* the SIZE of a removed queue */

static const struct operation operations[] = {
    [QUEUE_SEND]     = { .name = "send_to_queue",  .format = "send_to_queue(%o, %t)", .role = ROLE_SEND, .awaits = AWAITS_ROOM },
    [QUEUE_RECEIVE]  = { .name = "rcv_from_queue", .format = "rcv_from_queue(%o)", .result = RESULT_TEXT, .many = true,
                         .role = ROLE_RECEIVE, .awaits = AWAITS_MESSAGE },
    [QUEUE_IS_FULL]  = { .name = "is_queue_full",  .format = "is_queue_full(%o)",  .result = RESULT_NUMBER, .many = true },
    [QUEUE_IS_EMPTY] = { .name = "is_queue_empty", .format = "is_queue_empty(%o)", .result = RESULT_NUMBER, .many = true },
    [QUEUE_REMOVE]   = { .name = "remove_queue",   .format = "remove_queue(%o)" },
};

static int size(const int32_t arg[3], char *why, size_t room)
{
    if (arg[0] >= 1 && arg[0] <= MAX_QUEUE)
        return SLOTS + arg[0];
    snprintf(why, room, "the size of a queue is 1 to %d, not %d", MAX_QUEUE, arg[0]);
    return -1;
}

static void init(const int32_t arg[3], uint32_t *state)
{
    memset(state, 0, (size_t)(SLOTS + arg[0]) * sizeof *state);
    state[SIZE] = (uint32_t)arg[0];
}

static bool full(const uint32_t *state)  { return state[COUNT] == state[SIZE]; }
static bool empty(const uint32_t *state) { return state[COUNT] == 0; }

static uint32_t choices(const uint32_t *state, const struct op *op)
{
    if (state[SIZE] == REMOVED)
        return 1;
    switch (op->code) {
    case QUEUE_SEND:    return !full(state);
    case QUEUE_RECEIVE: return !empty(state);
    default:            return 1;
    }
}

static uint32_t send(struct log *log, uint32_t *state, uint32_t message)
{
    uint32_t at = (state[RECEIVED] + state[COUNT]) % state[SIZE];
    assert(!full(state));
    object_set(log, &state[SLOTS + at], message);
    object_set(log, &state[COUNT], state[COUNT] + 1);
    return 0;
}

static uint32_t receive(struct log *log, uint32_t *state)
{
    uint32_t at = state[RECEIVED] % state[SIZE];
    assert(!empty(state));
    object_set(log, &state[RECEIVED], state[RECEIVED] + 1);
    object_set(log, &state[COUNT], state[COUNT] - 1);
    return state[SLOTS + at];
}

static uint32_t execute(struct log *log, uint32_t *state, const struct op *op, uint32_t choice)
{
    (void)choice;
    if (state[SIZE] == REMOVED)
        return RESULT_REMOVED;
    switch (op->code) {
    case QUEUE_SEND:     return send(log, state, op->text);
    case QUEUE_RECEIVE:  return receive(log, state);
    case QUEUE_IS_FULL:  return full(state);
    case QUEUE_IS_EMPTY: return empty(state);
    default:             object_set(log, &state[SIZE], REMOVED); return 0;
    }
}

static void check(const uint32_t *state) { assert(state[SIZE] == REMOVED || state[COUNT] <= state[SIZE]); }

static bool asks(uint8_t code) { return code == QUEUE_IS_FULL || code == QUEUE_IS_EMPTY; }

/* Does `mover`, a send or receive that can go, change what is_full or is_empty would say? */
static bool changes_answer(const uint32_t *state, uint8_t mover, uint8_t question)
{
    uint32_t count = state[COUNT], after = mover == QUEUE_SEND ? count + 1 : count - 1;
    if (mover == QUEUE_SEND ? full(state) : empty(state))
        return false;
    return question == QUEUE_IS_FULL ? (count == state[SIZE]) != (after == state[SIZE]) : (count == 0) != (after == 0);
}

static bool same_kind_dependent(const uint32_t *state, const struct op *a, const struct op *b)
{
    if (a->code == QUEUE_RECEIVE)
        return !empty(state);
    if (full(state))
        return false;
    return a->text != b->text || state[COUNT] + 1 == state[SIZE];
}

static bool dependent(const uint32_t *state, const struct op *a, const struct op *b)
{
    if (state[SIZE] == REMOVED)
        return false;
    if (a->code == QUEUE_REMOVE || b->code == QUEUE_REMOVE)
        return true;
    if (asks(a->code) || asks(b->code)) {
        if (asks(a->code) && asks(b->code))
            return false;
        return asks(a->code) ? changes_answer(state, b->code, a->code) : changes_answer(state, a->code, b->code);
    }
    if (a->code == b->code)
        return same_kind_dependent(state, a, b);
    return empty(state) || full(state);        /* a send and a receive: one waits for the other */
}

/* Which message this is, counted from the first (as far as 16 bits go: a false alarm only costs time), and the size. */
static uint32_t stamp(const uint32_t *state, const struct op *op)
{
    uint32_t message = op->code == QUEUE_SEND ? state[RECEIVED] + state[COUNT] : state[RECEIVED];
    return state[SIZE] << 16 | (message & 0xffff);
}

/* A receive must follow the send of its own message, and a send the receive that made a place for it: that of the message
 * `size` before. All other pairs of a send and a receive can be exchanged. */
static bool conflict(const struct op *first, uint32_t first_stamp, const struct op *second, uint32_t second_stamp)
{
    uint32_t size = second_stamp >> 16;
    if (first->code == QUEUE_SEND && second->code == QUEUE_RECEIVE)
        return (first_stamp & 0xffff) == (second_stamp & 0xffff);
    if (first->code == QUEUE_RECEIVE && second->code == QUEUE_SEND)
        return ((first_stamp + size) & 0xffff) == (second_stamp & 0xffff);
    return !(asks(first->code) && asks(second->code));
}

static bool may_conflict(const struct op *pending, uint8_t code)
{
    return !(asks(pending->code) && asks(code));
}

static uint32_t canonical(const uint32_t *state, uint32_t words, uint32_t *out)
{
    (void)words;
    uint32_t count = state[SIZE] == REMOVED ? 0 : state[COUNT];
    out[0] = state[SIZE];
    out[1] = count;
    for (uint32_t i = 0; i < count; i++)
        out[2 + i] = state[SLOTS + (state[RECEIVED] + i) % state[SIZE]];
    return 2 + count;
}

static void print(const uint32_t *state, const char *(*text)(void *, uint32_t), void *texts, char *out, size_t room)
{
    if (state[SIZE] == REMOVED) {
        snprintf(out, room, "removed");
        return;
    }
    int used = snprintf(out, room, "%u of %u:", state[COUNT], state[SIZE]);
    for (uint32_t i = 0; i < state[COUNT] && (size_t)used < room; i++)
        used += snprintf(out + used, room - (size_t)used, " \"%s\"",
                         text(texts, state[SLOTS + (state[RECEIVED] + i) % state[SIZE]]));
}

static void passage(const uint32_t *before, const struct op *op, uint32_t result, struct passage *p)
{
    (void)result;
    p->first = op->code == QUEUE_SEND ? before[RECEIVED] + before[COUNT] : before[RECEIVED];
    p->count = 1;
}

/* A size that is given again must be its own; -1: it is not. */
static const char *misused(const int32_t *made, struct op *op, char *text, size_t room)
{
    if (op->arg[0] == -1 || op->arg[0] == made[0]) {
        op->arg[0] = made[0];
        return NULL;
    }
    snprintf(text, room, " with size %d: this queue was created with size %d", op->arg[0], made[0]);
    return text;
}

const struct object_type queue_type = {
    .version = OBJECT_VERSION, .name = "queue", .maker = "get_bounded_queue", .misused = misused,
    .operations = operations, .operation_count = sizeof operations / sizeof *operations,
    .size = size, .init = init, .choices = choices, .execute = execute, .dependent = dependent, .stamp = stamp,
    .conflict = conflict, .may_conflict = may_conflict, .canonical = canonical, .print = print, .passage = passage,
    .numbered = true, .declared = 1, .check = check, .holds_texts = true,
};
