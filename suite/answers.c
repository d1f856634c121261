/* SPDX-License-Identifier: MIT */
#include "suite/answers.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <xxhash.h>

enum { FIRST_ROOM = 1024 };

uint64_t answers_key(uint64_t before, uint32_t process, uint32_t result)
{
    uint64_t part[2] = { before, (uint64_t)process << 32 | result };
    return XXH3_64bits(part, sizeof part) | 1;           /* 0 is a free place */
}

static struct remembered *place(const struct answers *a, uint64_t key)
{
    uint64_t i = key * UINT64_C(0x9e3779b97f4a7c15) >> 20 & a->mask;
    while (a->slots[i].key && a->slots[i].key != key)
        i = (i + 1) & a->mask;
    return &a->slots[i];
}

static void grow(struct answers *a)
{
    struct answers larger = { .mask = a->slots ? a->mask * 2 + 1 : FIRST_ROOM - 1, .count = a->count };
    larger.slots = memory_get((larger.mask + 1) * sizeof *larger.slots);
    for (uint64_t i = 0; a->slots && i <= a->mask; i++)
        if (a->slots[i].key)
            *place(&larger, a->slots[i].key) = a->slots[i];
    free(a->slots);
    *a = larger;
}

const struct remembered *answers_differ(struct answers *a, uint64_t key, uint64_t digest, uint32_t text)
{
    assert(key);
    if (!a->slots || a->count * 2 >= a->mask)
        grow(a);
    struct remembered *one = place(a, key);
    if (!one->key) {
        *one = (struct remembered){ key, digest, text };
        a->count++;
    }
    return one->digest == digest ? NULL : one;
}

void answers_fini(struct answers *a)
{
    free(a->slots);
    *a = (struct answers){ 0 };
}
