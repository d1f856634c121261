/* Memory that all UNIX processes of a group share, and its snapshots, which they share, too: whoever runs first in a batch
 * puts it back for all.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "group.h"

#include <string.h>
#include <sys/mman.h>
#pragma GCC poison malloc calloc free printf

enum { ALIGNMENT = 64 };

struct shared { uint64_t used; };                        /* bytes, this struct included; at the start of the memory */
struct stored { uint64_t at[MAX_SNAPSHOTS], end[MAX_SNAPSHOTS]; };       /* bytes from the start; end 0: no such snapshot */

static struct shared *shared;
static struct stored *stored;
enum { FIRST_USED = (sizeof(struct shared) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT };

void rt_shared_begin(void)
{
    shared = rt_map(RT_SHARED_AT, RT_WINDOW, MAP_SHARED);
    stored = rt_map(RT_STORED_AT, RT_WINDOW, MAP_SHARED);
    shared->used = FIRST_USED;
}

void *rt_shared(size_t bytes)
{
    uint64_t at = shared->used;
    if (bytes > RT_WINDOW - at)
        return NULL;
    shared->used = (at + bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return (char *)shared + at;
}

bool rt_is_shared(const void *p)
{
    return (uint64_t)p - RT_SHARED_AT < RT_WINDOW;
}

/* Where a snapshot of this number goes: behind the last before it. */
static uint64_t place_for(uint32_t number)
{
    for (uint32_t i = number; i-- > 0;)
        if (stored->end[i])
            return stored->end[i];
    return (sizeof *stored + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

void rt_shared_snapshot(uint32_t number)
{
    uint64_t at = place_for(number);
    if (number >= MAX_SNAPSHOTS || shared->used > RT_WINDOW - at)
        rt_die(127);
    for (uint32_t i = number; i < MAX_SNAPSHOTS; i++)
        stored->end[i] = 0;
    memcpy((char *)stored + at, shared, shared->used);
    stored->at[number] = at;
    stored->end[number] = at + shared->used;
}

/* What nobody has been given yet is zero. */
void rt_shared_restore(uint32_t number)
{
    if (number >= MAX_SNAPSHOTS || !stored->end[number])
        rt_die(127);
    uint64_t before = shared->used, bytes = stored->end[number] - stored->at[number];
    memcpy(shared, (char *)stored + stored->at[number], bytes);
    if (before > bytes)
        memset((char *)shared + bytes, 0, before - bytes);
}
