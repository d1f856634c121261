/* VS_abort(value): when the value is zero, no state with a process before it is searched on. That is the system's business;
 * with any other value it does nothing. Invariant: nobody ever goes on from a zero.
 * SPDX-License-Identifier: MIT */
#include "objects/builtin.h"

#include <assert.h>

static const struct operation operations[] = {
    [ABORT_ABORT] = { .name = "VS_abort", .format = "VS_abort(%e)" },
};

static uint32_t choices(const uint32_t *state, const struct op *op)
{
    (void)state;
    return op->arg[0] != 0;
}

static uint32_t execute(struct log *log, uint32_t *state, const struct op *op, uint32_t choice)
{
    (void)log, (void)state, (void)choice;
    assert(op->arg[0]);
    return 0;
}

static uint32_t traits(const struct op *op) { return op->arg[0] ? 0 : OP_ABORTS; }

const struct object_type abort_type = {
    .version = OBJECT_VERSION, .name = "abort", .aside = true, .operations = operations, .operation_count = 1,
    .choices = choices, .execute = execute, .dependent = builtin_independent, .conflict = builtin_no_conflict,
    .traits = traits,
};
