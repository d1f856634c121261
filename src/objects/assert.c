/* VS_assert(value): an error when the value is zero; the process goes on either way. The C library's assert
 * is seen only when it fails, and then its process ends.
 * SPDX-License-Identifier: MIT */
#include "objects/builtin.h"

static const struct operation operations[] = {
    [ASSERT_ASSERT] = { .name = "VS_assert", .format = "VS_assert(%e)", .wrong = WRONG_ASSERTION },
    [ASSERT_FAILED] = { .name = "assert", .format = "assert(%e)", .traits = OP_ENDS | OP_PATIENT, .wrong = WRONG_ASSERTION },
};

static uint32_t execute(struct log *log, uint32_t *state, const struct op *op, uint32_t choice)
{
    (void)log, (void)state, (void)op, (void)choice;
    return 0;
}

static uint32_t traits(const struct op *op) { return op->arg[0] ? 0 : OP_ALARM; }

const struct object_type assert_type = {
    .version = OBJECT_VERSION, .name = "assert", .aside = true, .operations = operations, .operation_count = 2,
    .choices = builtin_always, .guard = builtin_free, .execute = execute,
    .dependent = builtin_independent, .conflict = builtin_no_conflict, .traits = traits,
};
