/* SPDX-License-Identifier: MIT */
#include "lasso.h"

#include "base/memory.h"
#include "base/prose.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void lasso_first(struct lasso *w, int start, int loop)
{
    assert(loop > 0 && start + loop <= LASSO_LONGEST);
    *w = (struct lasso){ .length = start + loop, .again = start };
}

bool lasso_step(struct lasso *w, int symbols)
{
    for (int i = 0; i < w->length; i++) {
        if (++w->letters[i] < UINT64_C(1) << symbols)
            return true;
        w->letters[i] = 0;
    }
    return false;
}

char *lasso_text(const struct lasso *w, int symbols)
{
    struct prose text = { 0 };
    for (int i = 0; i < w->length; i++) {
        prose_add(&text, "%s", i == w->again ? " again and again:" : "");
        prose_add(&text, " ");
        for (int k = 0; k < symbols; k++)
            prose_add(&text, "%c", w->letters[i] >> k & 1 ? 'a' + k : '-');
    }
    return prose_take(&text);
}

/* ---- the product: node s * length + i is state s before letter i ---- */

struct product {
    const struct lasso *w;
    const struct buchi *b;
    uint64_t letters[LASSO_LONGEST]; /* in the automaton's order of symbols */
    bool    *seen;
    int     *open;
};

static void translate(struct product *p, const char *const *names, int symbols)
{
    for (uint32_t k = 0; k < p->b->symbol_count; k++) {
        int which = 0;
        while (which < symbols && strcmp(names[which], p->b->symbols[k]))
            which++;
        assert(which < symbols);
        for (int i = 0; i < p->w->length; i++)
            p->letters[i] |= (p->w->letters[i] >> which & 1) << k;
    }
}

/* Marks what can be reached from a node by one step or more, in `seen`. */
static void reach(struct product *p, int from)
{
    int length = p->w->length, count = 0;
    memset(p->seen, 0, p->b->state_count * (size_t)length);
    p->open[count++] = from;
    while (count) {
        int node = p->open[--count], state = node / length, at = node % length;
        for (uint32_t i = 0; i < p->b->edge_count; i++) {
            const struct buchi_edge *e = &p->b->edges[i];
            int to = (int)e->to * length + lasso_next(p->w, at);
            if ((int)e->from != state || p->seen[to] || !buchi_allows(p->b, e, p->letters[at]))
                continue;
            p->seen[to] = true;
            p->open[count++] = to;
        }
    }
}

static bool search(struct product *p)
{
    int nodes = (int)p->b->state_count * p->w->length;
    bool *reached = memory_get((size_t)nodes), found = false;
    reach(p, 0);
    memcpy(reached, p->seen, (size_t)nodes);
    for (int node = 0; node < nodes && !found; node++)
        if (reached[node] && p->b->accepting[node / p->w->length]) {
            reach(p, node);
            found = p->seen[node];
        }
    free(reached);
    return found;
}

bool lasso_accepted(const struct lasso *w, const struct buchi *b, const char *const *names, int symbols)
{
    size_t nodes = (size_t)w->length * b->state_count;
    struct product p = { .w = w, .b = b, .seen = memory_get(nodes), .open = memory_get((nodes + 1) * sizeof *p.open) };
    translate(&p, names, symbols);
    bool found = search(&p);
    free(p.seen);
    free(p.open);
    return found;
}
