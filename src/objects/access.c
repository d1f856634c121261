/* What is only kept in order: a variable that is read and written, a table that the runtime keeps in shared memory.
 * SPDX-License-Identifier: MIT */
#include "objects/builtin.h"
#include "wire.h"

static const struct operation operations[] = {
    [ACCESS_READ]  = { .name = "read_access",  .format = "%e", .traits = OP_QUIET | OP_REMARKS },
    [ACCESS_WRITE] = { .name = "write_access", .format = "%e", .traits = OP_QUIET | OP_REMARKS },
};

static int size(const int32_t arg[3], char *why, size_t room)
{
    (void)arg, (void)why, (void)room;
    return 1;
}

static void init(const int32_t arg[3], uint32_t *state)
{
    (void)arg;
    *state = 0;
}

static uint32_t execute(struct log *log, uint32_t *state, const struct op *op, uint32_t choice)
{
    (void)log, (void)state, (void)op, (void)choice;
    return 0;
}

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
    .size = size, .init = init, .choices = builtin_always, .guard = builtin_free, .execute = execute,
    .dependent = dependent, .conflict = conflict, .may_conflict = may_conflict,
    .counted = NOT_COUNTED, .orders_nothing = true,
};
