/* SPDX-License-Identifier: MIT */
#include "objects/builtin.h"

uint32_t builtin_always(const uint32_t *state, const struct op *op)
{
    (void)state, (void)op;
    return 1;
}

bool builtin_free(const struct op *op, struct guard *g)
{
    (void)op;
    *g = (struct guard){ .span = UINT32_MAX };
    return true;
}

bool builtin_independent(const uint32_t *state, const struct op *a, const struct op *b)
{
    (void)state, (void)a, (void)b;
    return false;
}

bool builtin_no_conflict(const struct op *a, uint32_t a_stamp, const struct op *b, uint32_t b_stamp)
{
    (void)a, (void)a_stamp, (void)b, (void)b_stamp;
    return false;
}
