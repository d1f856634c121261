/* Objects of types that the user wrote: they exist in the controller only.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "rt.h"
#include "real.h"
#include "../include/verisoft.h"

static const char no_objects[] = "VS_object_new, VS_object_do: objects of your own types exist only under the verisoft command\n";

RT_INLINE int new(const char *type, int a, int b, int c)
{
    struct rt_call call = {.event = EVENT_CREATE, .type = FIRST_USER_TYPE, .index = -1, .arg = {a, b, c}, .text = type};
    return (int)RT_ENTER(&call);
}

RT_INLINE long operation(int object, int code, const int32_t arg[3], const char *text, char *reply, int room)
{
    struct rt_call call = {.event = EVENT_OPERATION, .type = FIRST_USER_TYPE, .code = (uint8_t)code, .number = object,
                           .index = -1, .arg = {arg[0], arg[1], arg[2]}, .text = text, .reply = room > 0 ? reply : NULL,
                           .room = room > 0 ? (uint32_t)room : 0};
    return (long)(int32_t)RT_ENTER(&call);
}

RT_MANUAL(int, VS_object_new, (const char *type, int a, int b, int c), DO(real_impossible(no_objects), 0), DO(new(type, a, b, c)))
RT_MANUAL(long, VS_object_do, (int object, int code, int a, int b, int c, const char *text, char *reply, int room),
    DO(real_impossible(no_objects), 0), DO(operation(object, code, (const int32_t[3]){a, b, c}, text, reply, room)))
