/* SPDX-License-Identifier: MIT */
#include "suite/chronicle.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { FIRST_SLOTS = 1024 };
#define FREE_SLOT UINT32_MAX

static uint32_t *slot(const struct chronicle *r, uint32_t parent, struct cue m)
{
    uint32_t key[] = { parent, m.process, m.result };
    uint64_t i = XXH3_64bits(key, sizeof key) & r->mask;
    for (; r->table[i] != FREE_SLOT; i = (i + 1) & r->mask) {
        const struct chronicled *n = &r->nodes[r->table[i]];
        if (n->parent == parent && n->cue.process == m.process && n->cue.result == m.result)
            break;
    }
    return &r->table[i];
}

static void make_table(struct chronicle *r, uint64_t slots)
{
    free(r->table);
    r->table = memory_get(slots * sizeof *r->table);
    memset(r->table, 0xff, slots * sizeof *r->table);
    r->mask = slots - 1;
    for (uint32_t i = CHRONICLE_ROOT + 1; i < r->count; i++)
        *slot(r, r->nodes[i].parent, r->nodes[i].cue) = i;
}

static uint32_t add(struct chronicle *r, struct chronicled one)
{
    ARRAY_GROW(r->nodes, r->count, r->room);
    r->nodes[r->count] = one;
    return r->count++;
}

void chronicle_init(struct chronicle *r)
{
    *r = (struct chronicle){ 0 };
    make_table(r, FIRST_SLOTS);
    add(r, (struct chronicled){ .parent = NO_NODE, .fate = FATE_SEEN });
}

void chronicle_fini(struct chronicle *r)
{
    free(r->nodes);
    free(r->table);
    *r = (struct chronicle){ 0 };
}

uint32_t chronicle_find(const struct chronicle *r, uint32_t parent, struct cue m)
{
    uint32_t found = *slot(r, parent, m);
    return found == FREE_SLOT ? NO_NODE : found;
}

uint32_t chronicle_get(struct chronicle *r, uint32_t parent, struct cue m)
{
    if (2 * (uint64_t)r->count >= r->mask)
        make_table(r, 2 * (r->mask + 1));
    uint32_t *at = slot(r, parent, m);
    if (*at == FREE_SLOT)
        *at = add(r, (struct chronicled){ .parent = parent, .cue = m });
    return *at;
}

bool chronicle_see(struct chronicle *r, uint32_t node, const struct arrival *a)
{
    struct chronicled *n = &r->nodes[node];
    if (n->fate != FATE_SEEN) {
        n->op = a->op;
        n->notes = a->notes;
        n->digest = a->fingerprint[1];
        n->fate = FATE_SEEN;
    }
    return n->digest == a->fingerprint[1];
}
