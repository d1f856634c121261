/* Semaphores: a counter each. wait(n) blocks until it is at least n and takes n off; signal(n) adds n.
 * One word: the value, or REMOVED. Every operation on a removed semaphore returns at once with RESULT_REMOVED.
 * Invariant: nobody takes off more than there is.
 * SPDX-License-Identifier: MIT */
#include "objects/builtin.h"
#include "wire.h"

#include <assert.h>
#include <stdio.h>

#define REMOVED UINT32_MAX         /* beyond GUARD_PLAIN, so execute() is asked */

static const struct operation operations[] = {
    [SEMAPHORE_WAIT]   = { .name = "semwait",   .format = "semwait(%o, %0)", .role = ROLE_TAKE, .awaits = AWAITS_UNITS },
    [SEMAPHORE_SIGNAL] = { .name = "semsignal", .format = "semsignal(%o, %0)", .role = ROLE_GIVE },
    [SEMAPHORE_REMOVE] = { .name = "semremove", .format = "semctl(%o, IPC_RMID)" },
};

static int size(const int32_t arg[3], char *why, size_t room)
{
    if (arg[0] >= 0)
        return 1;
    snprintf(why, room, "a semaphore cannot start at %d", arg[0]);
    return -1;
}

static void init(const int32_t arg[3], uint32_t *state)
{
    *state = (uint32_t)arg[0];
}

static uint32_t choices(const uint32_t *state, const struct op *op)
{
    return op->code != SEMAPHORE_WAIT || *state >= (uint32_t)op->arg[0];
}

static bool guard(const struct op *op, struct guard *g)
{
    uint32_t n = (uint32_t)op->arg[0], least = op->code == SEMAPHORE_WAIT ? n : 0;
    *g = (struct guard){ .word = 0, .lo = least, .span = UINT32_MAX - least };
    if (op->code != SEMAPHORE_REMOVE)
        g->adds = op->code == SEMAPHORE_WAIT ? -n : n;
    return true;
}

static uint32_t execute(struct log *log, uint32_t *state, const struct op *op, uint32_t choice)
{
    (void)choice;
    if (*state == REMOVED)
        return RESULT_REMOVED;
    assert(op->code != SEMAPHORE_WAIT || *state >= (uint32_t)op->arg[0]);
    switch (op->code) {
    case SEMAPHORE_WAIT:   object_set(log, state, *state - (uint32_t)op->arg[0]); break;
    case SEMAPHORE_SIGNAL: object_set(log, state, *state + (uint32_t)op->arg[0]); break;
    default:               object_set(log, state, REMOVED); break;
    }
    return 0;
}

/* Two signals commute. A wait and a signal commute unless the wait needs the signal. Two waits commute while there is
 * enough for both, or while none of them can go. */
static bool dependent(const uint32_t *state, const struct op *a, const struct op *b)
{
    if (*state == REMOVED)
        return false;
    if (a->code == SEMAPHORE_REMOVE || b->code == SEMAPHORE_REMOVE)
        return true;
    bool a_waits = a->code == SEMAPHORE_WAIT, b_waits = b->code == SEMAPHORE_WAIT;
    uint64_t a_needs = (uint32_t)a->arg[0], b_needs = (uint32_t)b->arg[0];
    if (a_waits && b_waits)
        return *state < a_needs + b_needs && (*state >= a_needs || *state >= b_needs);
    if (a_waits)
        return *state < a_needs;
    return b_waits && *state < b_needs;
}

/* Whether a wait needs a certain signal differs between equivalent executions, so here they never commute. */
static bool conflict(const struct op *first, uint32_t first_stamp, const struct op *second, uint32_t second_stamp)
{
    (void)first_stamp, (void)second_stamp;
    return first->code != SEMAPHORE_SIGNAL || second->code != SEMAPHORE_SIGNAL;
}

static bool may_conflict(const struct op *pending, uint8_t code)
{
    return pending->code != SEMAPHORE_SIGNAL || code != SEMAPHORE_SIGNAL;
}

static void print(const uint32_t *state, const char *(*text)(void *, uint32_t), void *texts, char *out, size_t room)
{
    (void)text, (void)texts;
    if (*state == REMOVED)
        snprintf(out, room, "removed");
    else
        snprintf(out, room, "value %u", *state);
}

static const char *misused(const int32_t *made, struct op *op, char *text, size_t room)
{
    (void)made;
    if (op->arg[0] >= 0 && op->arg[0] <= MAX_SEMAPHORE)
        return NULL;
    snprintf(text, room, " by %d: the number must be 0 to %d", op->arg[0], MAX_SEMAPHORE);
    return text;
}

static int64_t taken(const struct op *op, uint32_t result)
{
    (void)result;
    return op->code == SEMAPHORE_WAIT ? op->arg[0] : op->code == SEMAPHORE_SIGNAL ? -(int64_t)op->arg[0] : 0;
}

static uint32_t left(const uint32_t *state, const struct op *about)
{
    (void)about;
    return *state;
}

static const struct units units = { .left = left, .gave = "signalled" };

const struct object_type semaphore_type = {
    .version = OBJECT_VERSION, .name = "semaphore", .lives = LIVES_ALONE, .misused = misused,
    .operations = operations, .operation_count = sizeof operations / sizeof *operations,
    .size = size, .init = init, .choices = choices, .guard = guard, .execute = execute, .dependent = dependent,
    .conflict = conflict, .may_conflict = may_conflict, .print = print, .taken = taken, .units = &units, .declared = 2,
    .array_maker = "semget",
};
