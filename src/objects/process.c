/* Processes themselves: exit, and a parent's wait for its children. Process 0 is the parent of all others.
 * The state is a table, a word for each process, which the system writes when a process comes to its end (process_ended).
 * A wait for any child gives any of those that have ended; the search tries each.
 * SPDX-License-Identifier: MIT */
#include "objects/process.h"
#include "objects/builtin.h"

#include <signal.h>

enum { RUNNING, ENDED, REAPED };     /* low bits of a word; the wait status stands above */
enum { PHASE_BITS = 2, PHASE_MASK = 3, TABLE = 1 };   /* word 0 is the number of processes, then a word each */

static const struct operation operations[] = {
    [PROCESS_EXIT]           = { .name = "exit", .format = "exit(%0)" },
    [PROCESS_WAIT]           = { .name = "wait", .format = "wait()", .result = RESULT_NUMBER, .many = true },
    [PROCESS_CRASH]          = { .name = "crash", .format = "crash: %e" },
    [PROCESS_DIVERGENCE]     = { .name = "divergence", .format = "divergence: %e" },
    [PROCESS_STRUCTURE]      = { .name = "structure", .format = "structure: %e" },
    [PROCESS_UNSUPPORTED]    = { .name = "unsupported", .format = "unsupported: %e" },
    [PROCESS_NONDETERMINISM] = { .name = "nondeterminism", .format = "nondeterminism: %e" },
};

uint32_t process_ended(const struct op *end)
{
    uint32_t status = end->code == PROCESS_EXIT ? ((uint32_t)end->arg[0] & 0xff) << 8
                    : end->code == PROCESS_CRASH ? (uint32_t)end->arg[0] & 0x7f : SIGKILL;
    return ENDED | status << PHASE_BITS;
}

static int size(const int32_t arg[3], char *why, size_t room)
{
    (void)why, (void)room;
    return TABLE + arg[0];
}

static void init(const int32_t arg[3], uint32_t *state)
{
    state[0] = (uint32_t)arg[0];
    for (int p = 0; p < arg[0]; p++)
        state[TABLE + p] = RUNNING;
}

static bool awaited(const struct op *op, uint32_t child)
{
    return op->process == 0 && child != 0 && (op->arg[0] < 0 || (uint32_t)op->arg[0] == child);
}

static uint32_t count(const uint32_t *state, const struct op *op, uint32_t phase)
{
    uint32_t found = 0;
    for (uint32_t p = 0; p < state[0]; p++)
        found += awaited(op, p) && (state[TABLE + p] & PHASE_MASK) == phase;
    return found;
}

static uint32_t choices(const uint32_t *state, const struct op *op)
{
    if (op->code != PROCESS_WAIT)
        return 0;
    uint32_t ended = count(state, op, ENDED);
    if (ended)
        return ended;
    return op->arg[1] || count(state, op, RUNNING) == 0;
}

static uint32_t execute(struct log *log, uint32_t *state, const struct op *op, uint32_t choice)
{
    for (uint32_t p = 0; p < state[0]; p++) {
        uint32_t word = state[TABLE + p];
        if (!awaited(op, p) || (word & PHASE_MASK) != ENDED || choice--)
            continue;
        object_set(log, &state[TABLE + p], (word & ~(uint32_t)PHASE_MASK) | REAPED);
        return WAIT_RESULT(p, word >> PHASE_BITS);
    }
    return count(state, op, RUNNING) ? WAIT_NOT_YET : WAIT_NO_CHILD;
}

const struct object_type process_type = {
    .version = OBJECT_VERSION, .name = "process",
    .operations = operations, .operation_count = sizeof operations / sizeof *operations,
    .size = size, .init = init, .choices = choices, .execute = execute,
    .dependent = builtin_independent, .conflict = builtin_no_conflict,    /* an exit and a wait: the system sees to it */
};
