/* SPDX-License-Identifier: MIT */
#include "objects/set.h"

#include <stdio.h>

int set_print(const uint32_t *set, char *out, size_t room)
{
    size_t used = 0;
    for (uint32_t p = 0; p < MAX_PROCESSES; p++)
        if (set_has(set, p) && used < room)
            used += (size_t)snprintf(out + used, room - used, " %u", p + 1);
    return (int)(used < room ? used : room);
}
