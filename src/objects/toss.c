/* VS_toss(n): gives any of 0..n; the search tries each.
 * SPDX-License-Identifier: MIT */
#include "objects/builtin.h"

#include <assert.h>
#include <stdio.h>

static const struct operation operations[] = {
    [TOSS_TOSS] = { .name = "VS_toss", .format = "VS_toss(%0)", .result = RESULT_NUMBER, .many = true },
};

static uint32_t choices(const uint32_t *state, const struct op *op)
{
    (void)state;
    return (uint32_t)op->arg[0] + 1;
}

static uint32_t execute(struct log *log, uint32_t *state, const struct op *op, uint32_t choice)
{
    (void)log, (void)state;
    assert(choice <= (uint32_t)op->arg[0]);
    return choice;
}

static const char *misused(const int32_t *made, struct op *op, char *text, size_t room)
{
    (void)made;
    if (op->arg[0] >= 0 && op->arg[0] <= MAX_TOSS)
        return NULL;
    snprintf(text, room, "(%d): the argument must be 0 to %d", op->arg[0], MAX_TOSS);
    return text;
}

const struct object_type toss_type = {
    .version = OBJECT_VERSION, .name = "toss", .aside = true, .misused = misused, .operations = operations, .operation_count = 1,
    .choices = choices, .execute = execute, .dependent = builtin_independent, .conflict = builtin_no_conflict,
};
