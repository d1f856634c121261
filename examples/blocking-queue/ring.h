/* A ring buffer of items of one size, which are copied in and out. It knows nothing of threads.
 *
 * Invariant: 0 <= length <= capacity; the items are those at first, first + 1, ..., modulo capacity.
 * SPDX-License-Identifier: MIT */
#ifndef RING_H
#define RING_H

#include <stdbool.h>
#include <stddef.h>

struct ring {
    unsigned char *bytes;
    size_t         item_size, capacity, first, length;
};

int  ring_init(struct ring *, size_t item_size, size_t capacity);        /* 0, -EINVAL or -ENOMEM */
void ring_fini(struct ring *);
bool ring_is_empty(const struct ring *);
bool ring_is_full(const struct ring *);
void ring_put(struct ring *, const void *item);                  /* it must not be full */
void ring_take(struct ring *, void *item);                       /* it must not be empty; item may be NULL: thrown away */
int  ring_resize(struct ring *, size_t capacity);                /* 0, -EINVAL, -ENOMEM, or -EBUSY: it holds more than that */

#endif
