/* An interface of a black box (suite/), and what drivers do there: a step may change what is behind it, a look changes nothing. It holds
 * nothing that VeriSoft knows, and is only kept in order.
 * SPDX-License-Identifier: MIT */
#include "objects/builtin.h"
#include "wire.h"

static const struct operation operations[] = {
    [STEP_STEP] = { .name = "step", .format = "%e", .traits = OP_REMARKS },
    [STEP_LOOK] = { .name = "look", .format = "%e", .traits = OP_REMARKS },
};

static bool may_conflict(const struct op *pending, uint8_t code) { return pending->code == STEP_STEP || code == STEP_STEP; }

static bool dependent(const uint32_t *state, const struct op *a, const struct op *b)
{
    (void)state;
    return may_conflict(a, b->code);
}

static bool conflict(const struct op *first, uint32_t first_stamp, const struct op *second, uint32_t second_stamp)
{
    (void)first_stamp, (void)second_stamp;
    return may_conflict(first, second->code);
}

static bool possible(const struct op *op, bool group)    /* drivers do it, and no program of ours */
{
    (void)op, (void)group;
    return false;
}

const struct object_type step_type = {
    .version = OBJECT_VERSION, .name = "interface", .lives = LIVES_IN_GROUPS,
    .operations = operations, .operation_count = sizeof operations / sizeof *operations,
    .size = builtin_one_word, .init = builtin_zero, .choices = builtin_always, .guard = builtin_free, .execute = builtin_nothing,
    .dependent = dependent, .conflict = conflict, .may_conflict = may_conflict, .orders_nothing = true, .possible = possible,
};
