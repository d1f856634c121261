/* SPDX-License-Identifier: MIT */
#include "native/graph.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void graph_init(struct graph *g, int process, const struct runner *runner)
{
    *g = (struct graph){ .process = process, .runner = runner, .mask = 63 };
    g->slots = memory_get(((size_t)g->mask + 1) * sizeof *g->slots);
}

void graph_fini(struct graph *g)
{
    for (uint32_t i = 0; i < g->count; i++)
        free(g->nodes[i].more);
    free(g->nodes);
    free(g->slots);
    *g = (struct graph){ 0 };
}

static uint32_t *slot_of(struct graph *g, const uint64_t fingerprint[2])
{
    uint32_t at = (uint32_t)fingerprint[0] & g->mask;
    while (g->slots[at] && memcmp(g->nodes[g->slots[at] - 1].fingerprint, fingerprint, 2 * sizeof *fingerprint))
        at = (at + 1) & g->mask;
    return &g->slots[at];
}

static void rehash(struct graph *g)
{
    uint32_t *old = g->slots, old_mask = g->mask;
    g->mask = 2 * g->mask + 1;
    g->slots = memory_get(((size_t)g->mask + 1) * sizeof *g->slots);
    for (uint32_t i = 0; i <= old_mask; i++)
        if (old[i])
            *slot_of(g, g->nodes[old[i] - 1].fingerprint) = old[i];
    free(old);
}

static uint32_t append(struct graph *g, const struct arrival *a, uint32_t parent, uint32_t result)
{
    ARRAY_GROW(g->nodes, g->count, g->room);
    struct node *n = &g->nodes[g->count];
    *n = (struct node){ .op = a->op, .parent = parent, .result = result, .one.next = NO_NODE };
    memcpy(n->fingerprint, a->fingerprint, sizeof n->fingerprint);
    if (g->prepare)
        g->prepare(g->prepare_arg, n);
    return g->count++;
}

uint32_t graph_add(struct graph *g, const struct arrival *a, uint32_t parent, uint32_t result)
{
    if (!a->mergeable)
        return append(g, a, parent, result);
    if (g->count >= g->mask / 2)
        rehash(g);
    uint32_t *slot = slot_of(g, a->fingerprint);
    if (!*slot)
        *slot = append(g, a, parent, result) + 1;
    return *slot - 1;
}

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
    memmove(&n->more[at + 1], &n->more[at], (n->more_count - at) * sizeof *n->more);
    n->more[at] = edge;
    n->more_count++;
}

int graph_extend(struct graph *g, uint32_t node, uint32_t result, uint32_t *next, struct err *err)
{
    const struct edge *known = graph_edge(g, node, result);
    if (known) {
        *next = known->next;
        return 0;
    }
    struct arrival a = { 0 };
    int rc = g->runner->run(g->runner->self, g->process, node, result, &a, err);
    if (rc < 0)
        return rc;
    *next = graph_add(g, &a, node, result);
    add_edge(g, node, (struct edge){ .result = result, .next = *next, .notes = a.notes });
    return 0;
}

uint32_t graph_learn(struct graph *g, uint32_t node, uint32_t result, const struct arrival *a)
{
    uint32_t next = graph_add(g, a, node, result);
    struct edge *known = (struct edge *)graph_edge(g, node, result);
    if (known)
        *known = (struct edge){ .result = result, .next = next, .notes = a->notes };
    else
        add_edge(g, node, (struct edge){ .result = result, .next = next, .notes = a->notes });
    return next;
}
