/* SPDX-License-Identifier: MIT */
#include "base/pairing.h"
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

void pairing_fini(struct pairing *p)
{
    free(p->pairs);
    *p = (struct pairing){ 0 };
}

bool pairing_agree(struct pairing *p, uint32_t ours, uint32_t theirs)
{
    for (const struct pair *pair = p->pairs; pair < p->pairs + p->count; pair++)
        if (pair->ours == ours || pair->theirs == theirs)
            return pair->ours == ours && pair->theirs == theirs;
    ARRAY_GROW(p->pairs, p->count, p->room);
    p->pairs[p->count++] = (struct pair){ ours, theirs };
    return true;
}

void pairing_part(struct pairing *p, uint32_t theirs)
{
    uint32_t before = p->count;
    for (uint32_t i = 0; i < p->count; i++)
        if (p->pairs[i].theirs == theirs)
            p->pairs[i--] = p->pairs[--p->count];
    assert(before - p->count <= 1);  /* no number has two partners */
}
