/* VS_assert(value): an error when the value is zero (src/checks sees to that); the process goes on either way. The C library's assert
 * is seen only when it fails, and then its process ends.
 * SPDX-License-Identifier: MIT */
#include "objects/builtin.h"

static const struct operation operations[] = {
    [ASSERT_ASSERT] = { .name = "VS_assert", .format = "VS_assert(%e)" },
    [ASSERT_FAILED] = { .name = "assert", .format = "assert(%e)" },
};

static uint32_t execute(struct log *log, uint32_t *state, const struct op *op, uint32_t choice)
{
    (void)log, (void)state, (void)op, (void)choice;
    return 0;
}

const struct object_type assert_type = {
    .version = OBJECT_VERSION, .name = "assert", .operations = operations, .operation_count = 2,
    .choices = builtin_always, .guard = builtin_free, .execute = execute,
    .dependent = builtin_independent, .conflict = builtin_no_conflict,
};
