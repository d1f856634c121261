/* What is only kept in order: a variable that is read and written, a table that the runtime keeps in shared memory.
 * SPDX-License-Identifier: MIT */
#include "objects/builtin.h"
#include "wire.h"

static const struct operation operations[] = {
    [ACCESS_READ]  = { .name = "read_access",  .format = "%e", .traits = OP_QUIET | OP_REMARKS },
    [ACCESS_WRITE] = { .name = "write_access", .format = "%e", .traits = OP_QUIET | OP_REMARKS },
};

static uint32_t traits(const struct op *op) { return op->arg[0] == ACCESS_OF_NAME ? OP_SEES_KILLS : 0; }

static bool dependent(const uint32_t *state, const struct op *a, const struct op *b)
{
    (void)state;
    return a->code == ACCESS_WRITE || b->code == ACCESS_WRITE;
}

static bool conflict(const struct op *first, uint32_t first_stamp, const struct op *second, uint32_t second_stamp)
{
    (void)first_stamp, (void)second_stamp;
    return first->code == ACCESS_WRITE || second->code == ACCESS_WRITE;
}

static bool may_conflict(const struct op *pending, uint8_t code)
{
    return pending->code == ACCESS_WRITE || code == ACCESS_WRITE;
}

const struct object_type access_type = {
    .version = OBJECT_VERSION, .name = "name", .lives = LIVES_IN_GROUPS,
    .operations = operations, .operation_count = sizeof operations / sizeof *operations,
    .size = builtin_one_word, .init = builtin_zero, .choices = builtin_always, .guard = builtin_free, .execute = builtin_nothing,
    .dependent = dependent, .conflict = conflict, .may_conflict = may_conflict, .traits = traits,
    .counted = NOT_COUNTED, .orders_nothing = true,
};
