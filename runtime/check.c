/* VS_toss, VS_assert, VS_abort, VS_print: what a program says to the search.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "rt.h"
#include "real.h"
#include "../include/verisoft.h"

#undef VS_assert
#undef VS_abort

RT_INLINE int toss(int n)
{
    struct rt_call call = {.event = EVENT_OPERATION, .type = TYPE_TOSS, .code = TOSS_TOSS, .index = -1, .arg = {n}};
    return (int)RT_ENTER(&call);
}

RT_INLINE void judge(uint8_t type, int value, const char *expression)
{
    struct rt_call call = {.event = EVENT_OPERATION, .type = type, .index = -1, .arg = {value}, .text = expression};
    RT_ENTER(&call);
}

static void check(int value, const char *expression, const char *file, int line)
{
    if (!value)
        real_violated(expression, file, line);
}

static void go_on_if(int value)
{
    if (!value)
        real_aborted();
}

static void note(const char *line)                       /* one that is ending has no slot any more */
{
    if (rt_mode == RT_ENDING)
        real_print(line);
    else
        rt_note(line);
}

RT_MANUAL(int, VS_toss, (int n), DO(real_toss(n)), DO(toss(n)))
RT_MANUAL(void, VS_assert_at, (int value, const char *expression, const char *file, int line),
    DO(check(value, expression, file, line)), DO(judge(TYPE_ASSERT, value, expression)))
RT_MANUAL(void, VS_abort_at, (int value, const char *expression), DO(go_on_if(value)), DO(judge(TYPE_ABORT, value, expression)))

/* For a program that was not compiled with verisoft.h: the expression is not known. */
RT_MANUAL(void, VS_assert, (int value), DO(check(value, "", "VS_assert", 0)), DO(judge(TYPE_ASSERT, value, "")))
RT_MANUAL(void, VS_abort, (int value), DO(go_on_if(value)), DO(judge(TYPE_ABORT, value, "")))

RT_CONTROLLED(void, VS_print, (const char *line), (), DO(real_print(line)), DO(note(line)))
