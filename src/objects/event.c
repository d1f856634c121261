/* What VS_event tells of a real call beside it: that it sends to or receives from something that holds messages, waits for or signals something that counts, or is a
 * step at, or a look at, something that is only kept in order. It is counted, ordered and waits as that would; what is sent the real call carries.
 *
 * arg[0]: of a queue how many it holds (0: any number), of a semaphore its first value; arg[1]: EVENT_OF_*, which of the three it is.
 * Invariant: its word is how many there are; a queue that holds N has no more.
 * SPDX-License-Identifier: MIT */
#include "objects/builtin.h"
#include "wire.h"

#include <assert.h>
#include <stdio.h>

static const struct operation operations[] = {
    [EVENT_SEND]    = { .name = "send",    .format = "%e", .role = ROLE_SEND,    .traits = OP_REMARKS },
    [EVENT_RECEIVE] = { .name = "receive", .format = "%e", .role = ROLE_RECEIVE, .traits = OP_REMARKS },
    [EVENT_WAIT]    = { .name = "wait",    .format = "%e", .role = ROLE_TAKE,    .traits = OP_REMARKS },
    [EVENT_SIGNAL]  = { .name = "signal",  .format = "%e", .role = ROLE_GIVE,    .traits = OP_REMARKS },
    [EVENT_STEP]    = { .name = "step",    .format = "%e", .traits = OP_REMARKS },
    [EVENT_LOOK]    = { .name = "look",    .format = "%e", .traits = OP_REMARKS },
};

static bool gives(uint8_t code) { return code == EVENT_SEND || code == EVENT_SIGNAL; }
static bool takes(uint8_t code) { return code == EVENT_RECEIVE || code == EVENT_WAIT; }
static bool is_bounded(const struct op *op) { return op->arg[1] == EVENT_OF_QUEUE && op->arg[0]; }

static void init(const int32_t arg[3], uint32_t *state) { *state = arg[1] == EVENT_OF_SEMAPHORE ? (uint32_t)arg[0] : 0; }

static uint32_t choices(const uint32_t *state, const struct op *op)
{
    if (takes(op->code))
        return *state > 0;
    return op->code != EVENT_SEND || !is_bounded(op) || *state < (uint32_t)op->arg[0];
}

static uint32_t execute(struct log *log, uint32_t *state, const struct op *op, uint32_t choice)
{
    (void)choice;
    assert(!takes(op->code) || *state);
    assert(!is_bounded(op) || *state <= (uint32_t)op->arg[0]);
    if (gives(op->code) || takes(op->code))
        object_set(log, state, gives(op->code) ? *state + 1 : *state - 1);
    return 0;
}

/* ---- what commutes ---- */

/* Two sends, or two that receive, do not: the real calls beside them carry data, which come in this order. */
static bool dependent(const uint32_t *state, const struct op *a, const struct op *b)
{
    assert(a->arg[1] == b->arg[1] && a->arg[0] == b->arg[0]);
    if (a->code == b->code && a->arg[1] == EVENT_OF_QUEUE)
        return true;
    if (gives(a->code) && gives(b->code))
        return false;
    if (takes(a->code) && takes(b->code))
        return *state == 1;
    if (takes(a->code) || takes(b->code))
        return !*state || (is_bounded(a) && *state == (uint32_t)a->arg[0]);
    return a->code == EVENT_STEP || b->code == EVENT_STEP;
}

/* Whether a take needs a certain gift differs between equivalent executions. */
static bool conflict(const struct op *first, uint32_t first_stamp, const struct op *second, uint32_t second_stamp)
{
    (void)first_stamp, (void)second_stamp;
    bool both_signal = first->code == EVENT_SIGNAL && second->code == EVENT_SIGNAL;
    return !both_signal && !(first->code == EVENT_LOOK && second->code == EVENT_LOOK);
}

static bool may_conflict(const struct op *pending, uint8_t code) { return pending->code != EVENT_LOOK || code != EVENT_LOOK; }

/* ---- what a program can say ---- */

static int32_t kind_of(uint8_t code)
{
    return code == EVENT_SEND || code == EVENT_RECEIVE ? EVENT_OF_QUEUE : code == EVENT_WAIT || code == EVENT_SIGNAL ? EVENT_OF_SEMAPHORE : EVENT_OF_ORDER;
}

static bool possible(const struct op *op, bool group)
{
    return group && op->arg[0] >= 0 && op->arg[0] <= EVENT_MOST && op->arg[1] == kind_of(op->code);
}

static const char *misused(const int32_t *made, struct op *op, char *text, size_t room)
{
    if (!made || (made[0] == op->arg[0] && made[1] == op->arg[1]))
        return NULL;
    snprintf(text, room, made[1] != op->arg[1] ? ": one name is used for a queue, a semaphore or an interface, and for another of these"
                                               : ": one name is used with %d and with %d behind the colon", (int)made[0], (int)op->arg[0]);
    return text;
}

static void print(const uint32_t *state, const char *(*text)(void *, uint32_t), void *texts, char *out, size_t room)
{
    (void)text, (void)texts;
    snprintf(out, room, "holds %u", *state);
}

const struct object_type event_type = {
    .version = OBJECT_VERSION, .name = "event", .lives = LIVES_IN_GROUPS,
    .operations = operations, .operation_count = sizeof operations / sizeof *operations,
    .size = builtin_one_word, .init = init, .choices = choices, .execute = execute, .dependent = dependent, .conflict = conflict,
    .may_conflict = may_conflict, .print = print, .possible = possible, .misused = misused,
};
