/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "sync.h"

/* Addresses that were marked in this UNIX process, each where its hash says. Where another one stands nobody knows.
 *
 * A mark that is missing would be sign enough. But then the first of several threads to come to a new object would be told
 * from the others, though it makes no difference which one it is.
 * And memory that was never set up may hold anything, which would be told, too. */
enum { ADDRESSES = 512 };
static uint32_t marked[ADDRESSES] RT_UNCOUNTED __attribute__((aligned(8)));

bool rt_is_fresh(const void *object, uint32_t *mark)
{
    uint32_t value = rt_mark(object), *at = &marked[value >> 23];
    if ((*mark & ~(uint32_t)RT_OVER) == value)
        return false;
    *mark = value;
    bool first = *at == 0;
    if (first)
        *at = value;
    return !first || rt_host() != 0;
}

_Static_assert(ADDRESSES == UINT32_C(1) << (32 - 23), "as many as the shifted hash has values");
