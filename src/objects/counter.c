/* POSIX semaphores: a value that wait takes 1 from and post adds 1 to.
 * Invariant: its word is from EMPTY to LARGEST.
 * SPDX-License-Identifier: MIT */
#include "objects/builtin.h"
#include "wire.h"

#include <assert.h>
#include <errno.h>
#include <semaphore.h>
#include <stdio.h>

/* So that the largest value, to which nothing can be added, is not below GUARD_PLAIN. */
#define WORD(value) ((uint32_t)(value) + 1)
#define LARGEST     WORD(INT32_MAX)
#define EMPTY       WORD(0)

static const struct operation operations[] = {
    [COUNTER_INIT]      = { .name = "sem_init", .format = "sem_init(%o, %0)", .traits = OP_MAKES },
    [COUNTER_WAIT]      = { .name = "sem_wait", .format = "%c(%o)", .role = ROLE_TAKE, .traits = OP_RESTARTED,
                            .awaits = AWAITS_UNITS },
    [COUNTER_TRYWAIT]   = { "sem_trywait",   "sem_trywait(%o)",   RESULT_ERRNO, true, ROLE_TAKE, .traits = OP_YIELDS },
    [COUNTER_TIMEDWAIT] = { "sem_timedwait", "sem_timedwait(%o)", RESULT_ERRNO, true, ROLE_TAKE, .traits = OP_YIELDS | OP_INTERRUPTED, .limit = { .plain = COUNTER_WAIT + 1 } },
    [COUNTER_POST]      = { .name = "sem_post", .format = "sem_post(%o)", .role = ROLE_GIVE },
    [COUNTER_GET]       = { .name = "sem_getvalue", .format = "sem_getvalue(%o)", .result = RESULT_NUMBER, .many = true },
    [COUNTER_DESTROY]   = { .name = "sem_destroy", .format = "sem_destroy(%o)" },
    [COUNTER_OPEN]      = { .name = "sem_open", .format = "sem_open(%o, %0)", .traits = OP_MAKES | OP_NAMES },
};

static void init(const int32_t arg[3], uint32_t *state)
{
    *state = WORD(arg[1]);           /* what it was in the parent, when a process was forked */
}

static bool waits(uint8_t code)
{
    return code == COUNTER_WAIT || code == COUNTER_TRYWAIT || code == COUNTER_TIMEDWAIT;
}

static uint32_t choices(const uint32_t *state, const struct op *op)
{
    return op->code != COUNTER_WAIT || *state > EMPTY;
}

static bool guard(const struct op *op, struct guard *g)
{
    uint32_t least = op->code == COUNTER_WAIT ? EMPTY + 1 : 0;
    *g = (struct guard){ .word = 0, .lo = least, .span = UINT32_MAX - least,
                         .adds = op->code == COUNTER_WAIT ? UINT32_MAX : op->code == COUNTER_POST };
    return true;
}

static uint32_t wait(struct log *log, uint32_t *state, const struct op *op)
{
    if (*state == EMPTY)
        return op->code == COUNTER_TRYWAIT ? EAGAIN : ETIMEDOUT;
    object_set(log, state, *state - 1);
    return 0;
}

static uint32_t execute(struct log *log, uint32_t *state, const struct op *op, uint32_t choice)
{
    (void)choice;
    if (waits(op->code))
        return wait(log, state, op);
    switch (op->code) {
    case COUNTER_GET:  return *state - EMPTY;
    case COUNTER_OPEN:
    case COUNTER_INIT: object_set(log, state, WORD(op->arg[0])); return 0;
    case COUNTER_POST:
        if (*state == LARGEST)
            return EOVERFLOW;
        object_set(log, state, *state + 1);
        return 0;
    default:           return 0;
    }
}

static void check(const uint32_t *state)
{
    assert(*state >= EMPTY);
    assert(*state <= LARGEST);
}

/* ---- what commutes ---- */

static bool plain(uint8_t code) { return waits(code) || code == COUNTER_POST || code == COUNTER_GET; }

static bool changes(const uint32_t *state, uint8_t code)
{
    return waits(code) ? *state > EMPTY : code == COUNTER_POST && *state < LARGEST;
}

/* Two posts commute while there is room for both, two waits while there is enough for both, or nothing for either. A wait and
 * a post commute unless one of them needs the other. */
static bool dependent(const uint32_t *state, const struct op *a, const struct op *b)
{
    if (!plain(a->code) || !plain(b->code))
        return true;
    if (a->code == COUNTER_GET || b->code == COUNTER_GET)
        return changes(state, a->code) || changes(state, b->code);
    if (waits(a->code) && waits(b->code))
        return *state == EMPTY + 1;
    if (a->code == b->code)
        return *state == LARGEST - 1;
    return *state == EMPTY || *state == LARGEST;
}

/* A post far from the largest value never fails; where "far" ends makes no difference. */
enum { CHANGES = 1, LARGE = 2 };

static uint32_t stamp(const uint32_t *state, const struct op *op)
{
    return (changes(state, op->code) ? CHANGES : 0) | (*state > LARGEST / 2 ? LARGE : 0);
}

/* Whether a wait needs a certain post differs between equivalent executions, so here they never commute. */
static bool conflict(const struct op *first, uint32_t first_stamp, const struct op *second, uint32_t second_stamp)
{
    if (!plain(first->code) || !plain(second->code))
        return true;
    uint32_t both = first_stamp | second_stamp;
    if (first->code == COUNTER_POST && second->code == COUNTER_POST)
        return both & LARGE;
    return both & CHANGES;
}

static bool may_conflict(const struct op *pending, uint8_t code)
{
    return pending->code != COUNTER_GET || code != COUNTER_GET;
}

static void print(const uint32_t *state, const char *(*text)(void *, uint32_t), void *texts, char *out, size_t room)
{
    (void)text, (void)texts;
    snprintf(out, room, "value %u", *state - EMPTY);
}

static int64_t taken(const struct op *op, uint32_t result)
{
    return op->code == COUNTER_POST ? -1 : waits(op->code) && result == 0;
}

static uint32_t left(const uint32_t *state, const struct op *about)
{
    (void)about;
    return *state - EMPTY;
}

static bool sets(const struct op *op, const struct op *about, uint32_t *value)
{
    (void)about;
    bool makes = op->code == COUNTER_INIT || op->code == COUNTER_OPEN;
    *value = (uint32_t)op->arg[makes ? 0 : 1];
    return makes || op->fresh;
}

static const struct units units = { .left = left, .sets = sets, .gave = "posted" };

static uint32_t memory(const int32_t arg[3])
{
    (void)arg;
    return sizeof(sem_t);
}

const struct object_type counter_type = {
    .version = OBJECT_VERSION, .name = "POSIX semaphore", .lives = LIVES_IN_GROUPS,
    .operations = operations, .operation_count = sizeof operations / sizeof *operations,
    .size = builtin_one_word, .init = init, .choices = choices, .guard = guard, .execute = execute, .dependent = dependent,
    .stamp = stamp, .conflict = conflict, .may_conflict = may_conflict, .print = print,
    .taken = taken, .units = &units, .memory = memory, .copied = true, .check = check,
};
