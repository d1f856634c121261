/* VS_toss, VS_assert, VS_abort, VS_print: what a program says to the search.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "rt.h"
#include "real.h"
#include "../include/verisoft.h"

#undef VS_assert
#undef VS_abort

RT_API int VS_toss(int n)
{
    if (!rt_controlled_by_manual())
        return real_toss(n);
    struct rt_call call = {.event = EVENT_OPERATION, .type = TYPE_TOSS, .code = TOSS_TOSS, .index = -1, .arg = {n}};
    return (int)RT_ENTER(&call);
}

RT_INLINE void judge(uint8_t type, int value, const char *expression)
{
    struct rt_call call = {.event = EVENT_OPERATION, .type = type, .index = -1, .arg = {value}, .text = expression};
    RT_ENTER(&call);
}

RT_API void VS_assert_at(int value, const char *expression, const char *file, int line)
{
    if (rt_controlled_by_manual())
        judge(TYPE_ASSERT, value, expression);
    else if (!value)
        real_violated(expression, file, line);
}

RT_API void VS_abort_at(int value, const char *expression)
{
    if (rt_controlled_by_manual())
        judge(TYPE_ABORT, value, expression);
    else if (!value)
        real_aborted();
}

/* For a program that was not compiled with verisoft.h: the expression is not known. */
RT_API void VS_assert(int value)
{
    if (rt_controlled_by_manual())
        judge(TYPE_ASSERT, value, "");
    else if (!value)
        real_violated("", "VS_assert", 0);
}

RT_API void VS_abort(int value)
{
    if (rt_controlled_by_manual())
        judge(TYPE_ABORT, value, "");
    else if (!value)
        real_aborted();
}

RT_API void VS_print(const char *line)
{
    if (rt_mode == RT_CONTROLLED || rt_in_group())
        rt_note(line);
    else
        real_print(line);
}
