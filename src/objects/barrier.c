/* Barriers. Who arrives waits, until the last one lets all of them leave; then the next round begins.
 *
 * Of two arrivals it matters which is the first only if one of them is the last of its round. But that three of them commute in
 * pairs does not mean that all three do (one of them will be the last), so for `conflict` no two arrivals commute.
 *
 * Invariant: fewer wait than are needed; who leaves was released.
 * SPDX-License-Identifier: MIT */
#include "objects/builtin.h"
#include "objects/set.h"
#include "wire.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { NEEDED, WAITING, RELEASED = WAITING + SET_WORDS, WORDS = RELEASED + SET_WORDS };

static const struct operation operations[] = {
    [BARRIER_INIT]    = { .name = "pthread_barrier_init",  .format = "pthread_barrier_init(%o, %0)", .traits = OP_MAKES },
    [BARRIER_ARRIVE]  = { .name = "pthread_barrier_wait", .format = "pthread_barrier_wait(%o)", .many = true },
    [BARRIER_LEAVE]   = { .name = "pthread_barrier_leave", .format = "pthread_barrier_wait(%o) goes on",
                          .waiting = "pthread_barrier_wait(%o)" },
    [BARRIER_DESTROY] = { .name = "pthread_barrier_destroy", .format = "pthread_barrier_destroy(%o)" },
};

static int size(const int32_t arg[3], char *why, size_t room)
{
    (void)arg, (void)why, (void)room;
    return WORDS;
}

static void init(const int32_t arg[3], uint32_t *state)
{
    memset(state, 0, WORDS * sizeof *state);
    state[NEEDED] = (uint32_t)arg[0];
}

static bool renews(uint8_t code) { return code == BARRIER_INIT || code == BARRIER_DESTROY; }

/* How many are missing when one more has come; 0: that one is the last. */
static uint32_t missing(const uint32_t *state)
{
    uint32_t come = set_count(state + WAITING) + 1;
    return state[NEEDED] > come ? state[NEEDED] - come : 0;
}

static uint32_t choices(const uint32_t *state, const struct op *op)
{
    switch (op->code) {
    case BARRIER_LEAVE:   return set_has(state + RELEASED, op->process);
    case BARRIER_DESTROY: return !set_empty(state + WAITING) || set_empty(state + RELEASED);   /* all may still leave */
    default:              return 1;
    }
}

static bool guard(const struct op *op, struct guard *g)
{
    return (op->code == BARRIER_INIT || op->code == BARRIER_ARRIVE) && builtin_free(op, g);
}

static uint32_t arrive(struct log *log, uint32_t *state, const struct op *op)
{
    if (missing(state)) {
        set_add(log, state + WAITING, op->process);
        return 0;
    }
    set_move_all(log, state + WAITING, state + RELEASED);
    return BARRIER_LAST;
}

static uint32_t renew(struct log *log, uint32_t *state, const struct op *op)
{
    if (!set_empty(state + WAITING) || !set_empty(state + RELEASED))
        return EBUSY | RESULT_MISUSE;
    if (op->code == BARRIER_INIT)
        set_write(log, &state[NEEDED], (uint32_t)op->arg[0]);
    return 0;
}

static uint32_t execute(struct log *log, uint32_t *state, const struct op *op, uint32_t choice)
{
    (void)choice;
    switch (op->code) {
    case BARRIER_ARRIVE: return arrive(log, state, op);
    case BARRIER_LEAVE:  assert(set_has(state + RELEASED, op->process)); set_remove(log, state + RELEASED, op->process); return 0;
    default:             return renew(log, state, op);
    }
}

static void check(const uint32_t *state)
{
    assert(set_empty(state + WAITING) || set_count(state + WAITING) < state[NEEDED]);
}

/* ---- what commutes ---- */

static bool dependent(const uint32_t *state, const struct op *a, const struct op *b)
{
    if (renews(a->code) || renews(b->code))
        return true;
    if (a->code == BARRIER_ARRIVE && b->code == BARRIER_ARRIVE)
        return missing(state) <= 1;
    const struct op *leaves = a->code == BARRIER_LEAVE ? a : b;
    return a->code != b->code && missing(state) == 0 && set_has(state + WAITING, leaves->process);
}

/* Of an arrival: whom it releases. That none is released says nothing of the round: it may need only one. */
static uint32_t stamp(const uint32_t *state, const struct op *op)
{
    return op->code == BARRIER_ARRIVE && missing(state) == 0 ? set_fold(state + WAITING) : 0;
}

static bool conflict(const struct op *first, uint32_t first_stamp, const struct op *second, uint32_t second_stamp)
{
    if (renews(first->code) || renews(second->code))
        return true;
    if (first->code == second->code)
        return first->code == BARRIER_ARRIVE;
    uint32_t released = first->code == BARRIER_ARRIVE ? first_stamp : second_stamp;
    return released & set_folded_bit((first->code == BARRIER_LEAVE ? first : second)->process);
}

static bool may_conflict(const struct op *pending, uint8_t code)
{
    return pending->code != BARRIER_LEAVE || code != BARRIER_LEAVE;
}

static void print(const uint32_t *state, const char *(*text)(void *, uint32_t), void *texts, char *out, size_t room)
{
    (void)text, (void)texts;
    uint32_t waiting = set_count(state + WAITING);
    size_t used = (size_t)snprintf(out, room, "%u of %u have arrived%s", waiting, state[NEEDED],
                                   waiting > 1 ? ": processes" : waiting ? ": process" : "");
    if (waiting && used < room)
        set_print(state + WAITING, out + used, room - used);
}

static uint32_t memory(const int32_t arg[3])
{
    (void)arg;
    return sizeof(pthread_barrier_t);
}

const struct object_type barrier_type = {
    .version = OBJECT_VERSION, .name = "barrier", .lives = LIVES_IN_GROUPS,
    .operations = operations, .operation_count = sizeof operations / sizeof *operations,
    .size = size, .init = init, .choices = choices, .guard = guard, .execute = execute, .dependent = dependent,
    .stamp = stamp, .conflict = conflict, .may_conflict = may_conflict, .print = print, .memory = memory, .copied = true, .check = check,
};
