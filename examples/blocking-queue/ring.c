/* SPDX-License-Identifier: MIT */
#include "ring.h"

#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static unsigned char *slot(const struct ring *r, size_t i)
{
    return r->bytes + (r->first + i) % r->capacity * r->item_size;
}

int ring_init(struct ring *r, size_t item_size, size_t capacity)
{
    if (item_size == 0 || capacity == 0 || capacity > SIZE_MAX / item_size)
        return -EINVAL;
    *r = (struct ring){ .item_size = item_size, .capacity = capacity };
    r->bytes = malloc(item_size * capacity);
    return r->bytes ? 0 : -ENOMEM;
}

void ring_fini(struct ring *r)
{
    free(r->bytes);
    r->bytes = NULL;
}

bool ring_is_empty(const struct ring *r) { return r->length == 0; }
bool ring_is_full(const struct ring *r)  { return r->length == r->capacity; }

void ring_put(struct ring *r, const void *item)
{
    assert(!ring_is_full(r));
    memcpy(slot(r, r->length), item, r->item_size);
    r->length++;
}

void ring_take(struct ring *r, void *item)
{
    assert(!ring_is_empty(r));
    if (item)
        memcpy(item, slot(r, 0), r->item_size);
    r->first = (r->first + 1) % r->capacity;
    r->length--;
}

int ring_resize(struct ring *r, size_t capacity)
{
    if (capacity < r->length)
        return -EBUSY;
    struct ring larger;
    int error = ring_init(&larger, r->item_size, capacity);
    if (error)
        return error;
    while (!ring_is_empty(r)) {
        ring_take(r, slot(&larger, larger.length));
        larger.length++;
    }
    ring_fini(r);
    *r = larger;
    return 0;
}
