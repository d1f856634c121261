/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "objects/builtin.h"

#include <stdio.h>
#include <string.h>

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

int builtin_one_word(const int32_t arg[3], char *why, size_t room)
{
    (void)arg, (void)why, (void)room;
    return 1;
}

void builtin_zero(const int32_t arg[3], uint32_t *state)
{
    (void)arg;
    *state = 0;
}

uint32_t builtin_nothing(struct log *log, uint32_t *state, const struct op *op, uint32_t choice)
{
    (void)log, (void)state, (void)op, (void)choice;
    return 0;
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

void builtin_errno_name(uint32_t result, char *out, size_t room)
{
    uint32_t number = result & ~(RESULT_MISUSE | RESULT_CANCELLED);
    const char *name = number ? strerrorname_np((int)number) : "0";
    snprintf(out, room, "%s", result & RESULT_CANCELLED ? "cancelled" : name ? name : "?");
}

void builtin_signal_name(uint32_t signal, char *out, size_t room)
{
    const char *name = sigabbrev_np((int)signal);
    if (name)
        snprintf(out, room, "SIG%s", name);
    else
        snprintf(out, room, "signal %u", signal);
}
