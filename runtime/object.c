/* Objects of types that the user wrote: they exist in the controller only.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "rt.h"
#include "real.h"
#include "../include/verisoft.h"

RT_API int VS_object_new(const char *type, int a, int b, int c)
{
    if (!rt_controlled_by_manual())
        real_impossible("VS_object_new: objects of your own types exist only under the verisoft command\n");
    struct rt_call call = {.event = EVENT_CREATE, .type = FIRST_USER_TYPE, .index = -1, .arg = {a, b, c}, .text = type};
    return (int)RT_ENTER(&call);
}

RT_API long VS_object_do(int object, int code, int a, int b, int c, const char *text, char *reply, int room)
{
    if (!rt_controlled_by_manual())
        real_impossible("VS_object_do: objects of your own types exist only under the verisoft command\n");
    struct rt_call call = {.event = EVENT_OPERATION, .type = FIRST_USER_TYPE, .code = (uint8_t)code, .number = object,
                           .index = -1, .arg = {a, b, c}, .text = text, .reply = room > 0 ? reply : NULL,
                           .room = room > 0 ? (uint32_t)room : 0};
    return (long)(int32_t)RT_ENTER(&call);
}
