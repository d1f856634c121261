/* SPDX-License-Identifier: MIT */
#include "search/visited.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Open addressing with linear probing, in tables of fixed size that are added as the set grows: a state is looked for in
 * the one table its fingerprint points to, and only a table that is full is split in two (extendible hashing). So memory
 * grows by a few per cent at a time and is never copied as a whole. */
enum { TABLE_BITS = 12, TABLE_SIZE = 1 << TABLE_BITS, TABLE_FULL = TABLE_SIZE - TABLE_SIZE / 8 };

struct table {
    uint32_t used, depth;            /* depth: how many bits of the directory index are this table's own */
    uint64_t (*slots)[2];            /* {0, 0}: free */
    uint64_t *numbers, *sleep;       /* NULL: not kept */
};

struct visited {
    struct table **directory;
    uint32_t       depth;            /* the directory has 2^depth entries */
    uint64_t       count;
    enum numbering numbering;
};

static struct table *table_new(enum numbering numbering, uint32_t depth)
{
    struct table *t = memory_get(sizeof *t);
    t->depth = depth;
    t->slots = memory_get(TABLE_SIZE * sizeof *t->slots);
    if (numbering & WITH_NUMBERS)
        t->numbers = memory_get(TABLE_SIZE * sizeof *t->numbers);
    if (numbering & WITH_SLEEP)
        t->sleep = memory_get(TABLE_SIZE * sizeof *t->sleep);
    return t;
}

static void table_free(struct table *t)
{
    free(t->slots);
    free(t->numbers);
    free(t->sleep);
    free(t);
}

struct visited *visited_new(enum numbering numbering)
{
    struct visited *v = memory_get(sizeof *v);
    v->numbering = numbering;
    v->directory = memory_get(sizeof *v->directory);
    v->directory[0] = table_new(numbering, 0);
    return v;
}

void visited_free(struct visited *v)
{
    if (!v)
        return;
    for (uint64_t i = UINT64_C(1) << v->depth; i-- > 0;)
        if (i < UINT64_C(1) << v->directory[i]->depth)           /* the last entry left of those that share it */
            table_free(v->directory[i]);
    free(v->directory);
    free(v);
}

static uint32_t home_of(const uint64_t key[2])                   /* not the lowest bit, which is set in every key */
{
    return (uint32_t)(key[1] >> 1) & (TABLE_SIZE - 1);
}

static uint32_t slot_in(const struct table *t, const uint64_t key[2])
{
    uint32_t at = home_of(key);
    while ((t->slots[at][0] | t->slots[at][1]) && (t->slots[at][0] != key[0] || t->slots[at][1] != key[1]))
        at = (at + 1) & (TABLE_SIZE - 1);
    return at;
}

static void put(struct table *t, const uint64_t key[2], uint64_t number, uint64_t sleep)
{
    uint32_t at = slot_in(t, key);
    assert(t->used < TABLE_FULL);
    memcpy(t->slots[at], key, sizeof t->slots[at]);
    if (t->numbers)
        t->numbers[at] = number;
    if (t->sleep)
        t->sleep[at] = sleep;
    t->used++;
}

static void double_directory(struct visited *v)
{
    uint64_t half = UINT64_C(1) << v->depth++;
    assert(v->depth < 64 - TABLE_BITS);
    v->directory = memory_resize(v->directory, 2 * half * sizeof *v->directory);
    memcpy(v->directory + half, v->directory, half * sizeof *v->directory);
}

/* The entry's low `depth` bits pick the table; the bit above them now tells its two halves apart. */
static void split(struct visited *v, uint64_t entry)
{
    struct table *old = v->directory[entry];
    assert(old->depth <= v->depth && old->used == TABLE_FULL);
    if (old->depth == v->depth)
        double_directory(v);
    uint64_t bit = UINT64_C(1) << old->depth;
    struct table *halves[2] = { table_new(v->numbering, old->depth + 1), table_new(v->numbering, old->depth + 1) };
    for (uint32_t i = 0; i < TABLE_SIZE; i++)
        if (old->slots[i][0] | old->slots[i][1])
            put(halves[(old->slots[i][0] & bit) != 0], old->slots[i], old->numbers ? old->numbers[i] : 0,
                old->sleep ? old->sleep[i] : 0);
    for (uint64_t i = entry & (bit - 1); i < UINT64_C(1) << v->depth; i += bit)
        v->directory[i] = halves[(i & bit) != 0];
    table_free(old);
}

void visited_prefetch(const struct visited *v, const uint64_t fingerprint[2])
{
    const struct table *t = v->directory[fingerprint[0] & ((UINT64_C(1) << v->depth) - 1)];
    __builtin_prefetch(&t->slots[home_of(fingerprint)], 1);
    if (t->numbers)
        __builtin_prefetch(&t->numbers[home_of(fingerprint)], 1);
}

bool visited_add(struct visited *v, const uint64_t fingerprint[2], uint64_t *number)
{
    uint64_t key[2] = { fingerprint[0], fingerprint[1] | 1 };    /* never {0, 0} */
    for (;;) {
        uint64_t entry = key[0] & ((UINT64_C(1) << v->depth) - 1);
        struct table *t = v->directory[entry];
        uint32_t at = slot_in(t, key);
        if (t->slots[at][1]) {
            if (number && t->numbers)
                *number = t->numbers[at];
            return false;
        }
        if (t->used == TABLE_FULL) {
            split(v, entry);
            continue;
        }
        if (number)
            *number = v->count;
        put(t, key, v->count++, 0);
        return true;
    }
}

bool visited_has(const struct visited *v, const uint64_t fingerprint[2])
{
    uint64_t key[2] = { fingerprint[0], fingerprint[1] | 1 };
    const struct table *t = v->directory[key[0] & ((UINT64_C(1) << v->depth) - 1)];
    return t->slots[slot_in(t, key)][1];
}

uint64_t *visited_sleep(const struct visited *v, const uint64_t fingerprint[2])
{
    uint64_t key[2] = { fingerprint[0], fingerprint[1] | 1 };
    const struct table *t = v->directory[key[0] & ((UINT64_C(1) << v->depth) - 1)];
    uint32_t at = slot_in(t, key);
    assert(t->sleep && t->slots[at][1]);
    return &t->sleep[at];
}

uint64_t visited_bytes(const struct visited *v)
{
    uint64_t entry = sizeof(uint64_t[2]) + (v->numbering & WITH_NUMBERS ? sizeof(uint64_t) : 0)
                   + (v->numbering & WITH_SLEEP ? sizeof(uint64_t) : 0);
    return v->count * entry * 3 / 2;             /* tables are two thirds full on average */
}
