/* Whether an automaton accepts one word, that of a run which was seen: by walking the product of both.
 * SPDX-License-Identifier: MIT */
#include "properties/buchi.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct product { const struct buchi *automaton; const uint64_t *letters; uint32_t count, again; bool *seen; uint32_t *list; };

/* All that can be reached from there in one step or more, into `seen`; place p of state s is s * count + p. */
static void reach(struct product *w, uint32_t state, uint32_t place)
{
    uint32_t length = 1;
    memset(w->seen, 0, (size_t)w->automaton->state_count * w->count);
    w->list[0] = state * w->count + place;
    for (uint32_t done = 0; done < length; done++) {
        uint32_t from = w->list[done] / w->count, at = w->list[done] % w->count, next = at + 1 < w->count ? at + 1 : w->again;
        for (uint32_t i = 0; i < w->automaton->edge_count; i++) {
            const struct buchi_edge *e = &w->automaton->edges[i];
            uint32_t to = e->to * w->count + next;
            if (e->from != from || w->seen[to] || !buchi_allows(w->automaton, e, w->letters[at]))
                continue;
            w->seen[to] = true;
            w->list[length++] = to;              /* the first may come twice: as the beginning, and as what is reached */
        }
    }
}

bool buchi_accepts(const struct buchi *b, const uint64_t *letters, uint32_t count, uint32_t again)
{
    assert(again < count);
    size_t size = (size_t)b->state_count * count;
    struct product w = { b, letters, count, again, memory_get(size), memory_get((size + 1) * sizeof *w.list) };
    bool *reached = memory_get(size), accepted = false;
    reach(&w, 0, 0);
    memcpy(reached, w.seen, size);
    reached[0] = true;
    for (uint32_t s = 0; s < b->state_count; s++)
        for (uint32_t p = again; p < count && b->accepting[s] && !accepted; p++)
            if (reached[s * count + p]) {
                reach(&w, s, p);
                accepted = w.seen[s * count + p];
            }
    free(reached);
    free(w.seen);
    free(w.list);
    return accepted;
}

bool buchi_decided(const struct buchi *b, const uint64_t *letters, uint32_t count)
{
    bool *now = memory_get((size_t)b->state_count + 1), *next = memory_get((size_t)b->state_count + 1), decided = false;
    assert(b->state_count);
    now[0] = true;
    for (uint32_t p = 0; p < count; p++) {
        memset(next, 0, b->state_count);
        for (uint32_t i = 0; i < b->edge_count; i++)
            next[b->edges[i].to] |= now[b->edges[i].from] && buchi_allows(b, &b->edges[i], letters[p]);
        memcpy(now, next, b->state_count);
    }
    for (uint32_t s = 0; s < b->state_count; s++)
        decided |= now[s] && buchi_is_final(b, s);
    free(now);
    free(next);
    return decided;
}
