/* SPDX-License-Identifier: MIT */
#include "base/texts.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

struct texts {
    char   **strings;
    uint32_t count, room;
    uint32_t *slots;                 /* open addressing: number + 1, 0 for a free slot */
    uint32_t  mask;
};

static uint32_t *slot_of(struct texts *t, const char *bytes, size_t length)
{
    uint32_t at = (uint32_t)XXH3_64bits(bytes, length) & t->mask;
    while (t->slots[at]) {
        const char *string = t->strings[t->slots[at] - 1];
        if (strlen(string) == length && !memcmp(string, bytes, length))
            break;
        at = (at + 1) & t->mask;
    }
    return &t->slots[at];
}

static void rehash(struct texts *t)
{
    t->mask = t->mask ? 2 * t->mask + 1 : 63;
    free(t->slots);
    t->slots = memory_get(((size_t)t->mask + 1) * sizeof *t->slots);
    for (uint32_t i = 0; i < t->count; i++)
        *slot_of(t, t->strings[i], strlen(t->strings[i])) = i + 1;
}

struct texts *texts_new(void)
{
    struct texts *t = memory_get(sizeof *t);
    rehash(t);
    texts_number(t, "");
    return t;
}

void texts_free(struct texts *t)
{
    if (!t)
        return;
    for (uint32_t i = 0; i < t->count; i++)
        free(t->strings[i]);
    free(t->strings);
    free(t->slots);
    free(t);
}

uint32_t texts_number_of(struct texts *t, const char *bytes, size_t length)
{
    length = strnlen(bytes, length);
    uint32_t *slot = slot_of(t, bytes, length);
    if (*slot)
        return *slot - 1;
    if (t->count >= t->mask / 2) {
        rehash(t);
        slot = slot_of(t, bytes, length);
    }
    ARRAY_GROW(t->strings, t->count, t->room);
    char *copy = memory_get(length + 1);
    memcpy(copy, bytes, length);
    t->strings[t->count] = copy;
    *slot = ++t->count;
    assert(t->count <= t->mask / 2 + 1);
    return t->count - 1;
}

uint32_t texts_number(struct texts *t, const char *string)
{
    return texts_number_of(t, string, strlen(string));
}

const char *texts_string(const struct texts *t, uint32_t number)
{
    assert(number < t->count);
    return t->strings[number];
}
