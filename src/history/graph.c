/* SPDX-License-Identifier: MIT */
#include "history/graph.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_MASK = 63 };

struct history *history_new(void)
{
    struct history *h = memory_get(sizeof *h);
    for (struct graph *g = h->graphs; g < h->graphs + MAX_PROCESSES; g++) {
        g->mask = FIRST_MASK;
        g->slots = memory_get((FIRST_MASK + 1) * sizeof *g->slots);
    }
    return h;
}

void history_free(struct history *h)
{
    for (struct graph *g = h ? h->graphs : NULL; g && g < h->graphs + MAX_PROCESSES; g++) {
        for (uint32_t i = 0; i < g->count; i++)
            free(g->nodes[i].more);
        free(g->nodes);
        free(g->noted);
        free(g->slots);
    }
    free(h);
}

static uint32_t *slot_of(const struct graph *g, const uint64_t fingerprint[2])
{
    uint32_t at = (uint32_t)(fingerprint[0] + fingerprint[1]) & g->mask;         /* the first alone says nothing where states are kept */
    while (g->slots[at] && memcmp(g->nodes[g->slots[at] - 1].fingerprint, fingerprint, 2 * sizeof *fingerprint))
        at = (at + 1) & g->mask;
    return &g->slots[at];
}

static void rehash(struct graph *g)
{
    uint32_t *old = g->slots, old_mask = g->mask;
    assert(g->mask < UINT32_MAX / 2);
    g->mask = 2 * g->mask + 1;
    g->slots = memory_get(((size_t)g->mask + 1) * sizeof *g->slots);
    for (uint32_t i = 0; i <= old_mask; i++)
        if (old[i])
            *slot_of(g, g->nodes[old[i] - 1].fingerprint) = old[i];
    free(old);
}

/* Of the node that comes next; there is as much room as for nodes. */
static void note(struct graph *g, const struct arrival *a)
{
    g->noted_count = a->noted_count;
    g->noted = memory_resize(g->noted, (size_t)g->room * g->noted_count * sizeof *g->noted + 1);
    memcpy(g->noted + (size_t)g->count * g->noted_count, a->noted, g->noted_count * sizeof *g->noted);
}

static uint32_t append(struct graph *g, const struct arrival *a, uint32_t parent, uint32_t result)
{
    ARRAY_GROW(g->nodes, g->count, g->room);
    struct node *n = &g->nodes[g->count];
    *n = (struct node){ .op = a->op, .parent = parent, .result = result, .one.next = NO_NODE };
    memcpy(n->fingerprint, a->fingerprint, sizeof n->fingerprint);
    if (a->noted)
        note(g, a);
    return g->count++;
}

uint32_t graph_add(struct graph *g, const struct arrival *a, uint32_t parent, uint32_t result, bool *is_new)
{
    uint32_t count = g->count, *slot = NULL;
    if (a->mergeable && g->count >= g->mask / 2)
        rehash(g);
    if (a->mergeable)
        slot = slot_of(g, a->fingerprint);
    uint32_t node = slot && *slot ? *slot - 1 : append(g, a, parent, result);
    if (slot)
        *slot = node + 1;
    *is_new = g->count > count;
    assert(node < g->count && g->count <= count + 1);
    return node;
}

uint32_t graph_find(const struct graph *g, const uint64_t fingerprint[2]) { return *slot_of(g, fingerprint) - 1; }

/* Where among the further edges one over `result` is, or would be. */
static uint32_t position(const struct node *n, uint32_t result)
{
    uint32_t lo = 0, hi = n->more_count;
    while (lo < hi) {
        uint32_t middle = lo + (hi - lo) / 2;
        if (n->more[middle].result < result)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

const struct edge *graph_edge(const struct graph *g, uint32_t node, uint32_t result)
{
    assert(node < g->count);
    const struct node *n = &g->nodes[node];
    if (n->one.next != NO_NODE && n->one.result == result)
        return &n->one;
    uint32_t at = position(n, result);
    return at < n->more_count && n->more[at].result == result ? &n->more[at] : NULL;
}

static void add_edge(struct graph *g, uint32_t node, struct edge edge)
{
    struct node *n = &g->nodes[node];
    if (n->one.next == NO_NODE) {
        n->one = edge;
        return;
    }
    if ((n->more_count & (n->more_count - 1)) == 0)
        n->more = memory_resize(n->more, (n->more_count ? 2 * (size_t)n->more_count : 1) * sizeof *n->more);
    uint32_t at = position(n, edge.result);
    assert(n->one.result != edge.result && (at == n->more_count || n->more[at].result != edge.result));
    memmove(&n->more[at + 1], &n->more[at], (n->more_count - at) * sizeof *n->more);
    n->more[at] = edge;
    n->more_count++;
}

void graph_lead(struct graph *g, uint32_t node, uint32_t result, uint32_t next, uint32_t notes)
{
    struct edge *known = (struct edge *)graph_edge(g, node, result), edge = { .result = result, .next = next, .notes = notes };
    assert(next < g->count);
    if (known)
        *known = edge;
    else
        add_edge(g, node, edge);
}

/* ---- for tests ---- */

static void check_node(const struct graph *g, const struct node *n)
{
    assert(n->one.next == NO_NODE || n->one.next < g->count);
    assert(n->parent == NO_NODE || n->parent < g->count);
    assert(!n->more_count || n->one.next != NO_NODE);
    for (uint32_t i = 0; i < n->more_count; i++) {
        assert(n->more[i].next < g->count && n->more[i].result != n->one.result);
        assert(!i || n->more[i - 1].result < n->more[i].result);
    }
}

void graph_check(const struct graph *g)
{
    assert((g->mask & (g->mask + 1)) == 0 && g->count <= g->room);
    for (uint32_t i = 0; i < g->count; i++)
        check_node(g, &g->nodes[i]);
    uint32_t used = 0;
    for (uint32_t i = 0; i <= g->mask; i++) {
        assert(g->slots[i] <= g->count);
        used += g->slots[i] != 0;
    }
    assert(used <= g->mask / 2 + 1);
}
