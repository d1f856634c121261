/* What processes of a sharing group know by a key or a name: arrays of semaphores, queues of messages, shared memory. The table is
 * in memory that all share; who looks a key up, or makes something for it, has said so by an ACCESS operation.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "descriptors.h"

#include <string.h>
#pragma GCC poison malloc calloc free printf

const void *rt_bucket(int class, int32_t key, const char *name)
{
    uint32_t hash = (uint32_t)class * 31 + (uint32_t)key * 2654435761u;
    for (; name && *name; name++)
        hash = hash * 31 + (unsigned char)*name;
    return &rt_root->buckets[(hash ^ hash >> 16) % RT_BUCKETS];
}

static bool same_name(const struct rt_id *id, const char *name)
{
    return name ? !strncmp(id->name, name, sizeof id->name) : !id->name[0];
}

struct rt_id *rt_find_id(int class, int32_t key, const char *name)
{
    for (struct rt_id *id = rt_root->ids[class]; id < rt_root->ids[class] + RT_IDS; id++)
        if (id->used && !id->removed && id->key == key && same_name(id, name))
            return id;
    return NULL;
}

/* It depends on the maker's own past alone. Those of the first process count from 0, as they do where no memory is shared. */
int rt_number_of(int class, const struct rt_id *id)
{
    (void)class;
    return id->maker * RT_NUMBERS + id->nth;
}

struct rt_id *rt_id_of(int class, int number)
{
    for (struct rt_id *id = rt_root->ids[class]; id < rt_root->ids[class] + RT_IDS; id++)
        if (id->used && rt_number_of(class, id) == number)
            return id;
    return NULL;
}

uint64_t rt_object_of(int class, const struct rt_id *id)
{
    return (uint64_t)(class + 1) << 32 | (uint32_t)(rt_number_of(class, id) + 1);
}

int rt_unlink_id(struct rt_id *id)
{
    if (!id || !rt_may_unlink(&id->rights))
        return id ? -EACCES : -ENOENT;
    id->removed = true;
    return 0;
}

struct rt_id *rt_new_id(int class, int32_t key, const char *name)
{
    struct rt_id *ids = rt_root->ids[class];
    int process = rt_self(), nth = 0;
    for (int i = 0; i < RT_IDS; i++)
        nth += ids[i].used && ids[i].maker == process;
    for (int i = 0; i < RT_IDS; i++) {
        struct rt_id *id = &ids[i];
        if (id->used)
            continue;
        *id = (struct rt_id){.used = true, .key = key, .maker = (uint8_t)process, .nth = (uint16_t)nth};
        if (name)
            strncpy(id->name, name, sizeof id->name - 1);
        return id;
    }
    return NULL;
}
