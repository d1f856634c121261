/* What is to be done once: the first to come does it, others wait until it is done. A thread that comes again while it does
 * it waits for itself.
 *
 * Invariant: who enters finds nobody at it.
 * SPDX-License-Identifier: MIT */
#include "objects/builtin.h"
#include "wire.h"

#include <assert.h>
#include <pthread.h>
#include <stdio.h>

enum { NOT_YET, DONE, RUNNER };      /* the one word: RUNNER + p while process p does it */

static const struct operation operations[] = {
    [ONCE_ENTER] = { .name = "pthread_once", .format = "pthread_once(%o)", .many = true },
    [ONCE_DONE]  = { .name = "pthread_once_done", .format = "pthread_once(%o) done" },
    [ONCE_UNDO]  = { .name = "pthread_once_undo", .format = "pthread_once(%o) given up" },
};

static void init(const int32_t arg[3], uint32_t *state)
{
    *state = arg[0] ? DONE : NOT_YET;        /* done by the parent, before the fork */
}

static uint32_t choices(const uint32_t *state, const struct op *op)
{
    return op->code != ONCE_ENTER || *state < RUNNER;
}

static bool guard(const struct op *op, struct guard *g)
{
    *g = (struct guard){ .word = 0, .lo = 0, .span = op->code == ONCE_ENTER ? DONE : UINT32_MAX };
    return true;
}

static bool names(const uint32_t *state, int process) { return *state == RUNNER + (uint32_t)process; }

static uint32_t execute(struct log *log, uint32_t *state, const struct op *op, uint32_t choice)
{
    (void)choice;
    assert(op->code != ONCE_ENTER || *state < RUNNER);
    if (op->code == ONCE_ENTER && *state == DONE)
        return ONCE_RAN;
    object_set(log, state, op->code == ONCE_ENTER ? RUNNER + op->process : op->code == ONCE_DONE ? DONE : NOT_YET);
    return ONCE_RUN;
}

static void check(const uint32_t *state) { assert(*state < RUNNER + MAX_PROCESSES); }

/* Only those that find it done, or all of them waiting, do not care for each other. */
static bool dependent(const uint32_t *state, const struct op *a, const struct op *b)
{
    return a->code != ONCE_ENTER || b->code != ONCE_ENTER || *state == NOT_YET;
}

static uint32_t stamp(const uint32_t *state, const struct op *op)
{
    (void)op;
    return *state == DONE;
}

static bool conflict(const struct op *first, uint32_t first_stamp, const struct op *second, uint32_t second_stamp)
{
    return first->code != ONCE_ENTER || second->code != ONCE_ENTER || !first_stamp || !second_stamp;
}

static void print(const uint32_t *state, const char *(*text)(void *, uint32_t), void *texts, char *out, size_t room)
{
    (void)text, (void)texts;
    if (*state >= RUNNER)
        snprintf(out, room, "being done by process %u", *state - RUNNER + 1);
    else
        snprintf(out, room, *state == DONE ? "done" : "not yet done");
}

static uint32_t memory(const int32_t arg[3])
{
    (void)arg;
    return sizeof(pthread_once_t);
}

const struct object_type once_type = {
    .version = OBJECT_VERSION, .name = "once", .lives = LIVES_IN_GROUPS,
    .operations = operations, .operation_count = sizeof operations / sizeof *operations,
    .size = builtin_one_word, .init = init, .choices = choices, .guard = guard, .execute = execute, .dependent = dependent,
    .stamp = stamp, .conflict = conflict, .print = print,
    .names = names, .memory = memory, .copied = true, .counted = NOT_COUNTED, .check = check,
};
