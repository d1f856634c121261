/* SPDX-License-Identifier: MIT */
#include "search/persistent.h"

#include "base/memory.h"
#include "system/declared.h"

#include <assert.h>
#include <stdlib.h>

/* In a sharing group. Whose creator is not known draws in all; so do operations on processes, but for those that only touch the
 * processes of one UNIX process, any of which can end the others. */
static uint64_t drawn_in_group(const struct system *s, int p, uint64_t alive)
{
    const struct op *op = &system_pending(s, p)->op;
    uint64_t family = system_family(s, p) & alive & ~BIT(p);
    if (about_processes(op))
        return op->code == PROCESS_START || op->code == PROCESS_CREATE || op->code == PROCESS_YIELD ? family : alive;
    if (op->object == NO_OBJECT)
        return family;
    uint64_t who = declared_may_matter(s, op);
    return who & system_unborn(s) ? alive : family | (who & alive & ~BIT(p));
}

/* The processes that must be in the closed set because of the pending operation of p. */
static uint64_t drawn_in(const struct system *s, int p, uint64_t alive)
{
    const struct node *n = system_pending(s, p);
    if (about_processes(&n->op))
        return p == 0 ? alive : 0;           /* a parent's wait: any child may end at any time */
    uint64_t drawn = s->polls ? alive & BIT(0) : 0;              /* p may end, and a parent that polls sees when */
    return n->op.object == NO_OBJECT ? drawn : drawn | (declared_may_matter(s, &n->op) & alive & ~BIT(p));
}

uint64_t persistent_set(const struct system *s)
{
    if (s->aborters || s->kills || (system_shares(s) && s->polls))
        return s->enabled;
    uint64_t best = s->enabled, alive = s->alive, drawn[MAX_PROCESSES];
    for (int p = 0; p < s->processes; p++)
        drawn[p] = !(alive & BIT(p)) ? 0 : system_shares(s) ? drawn_in_group(s, p, alive) : drawn_in(s, p, alive);
    for (uint64_t starts = s->enabled; starts; starts &= starts - 1) {
        uint64_t group = starts & -starts, open = group;
        assert(!(drawn[__builtin_ctzll(starts)] & ~alive));
        while (open) {
            uint64_t more = drawn[__builtin_ctzll(open)] & ~group;
            open = (open & (open - 1)) | more;
            group |= more;
        }
        if (__builtin_popcountll(group & s->enabled) < __builtin_popcountll(best))
            best = group & s->enabled;
    }
    assert(!(best & ~s->enabled));
    assert(best || !s->enabled);     /* a search with an empty set would end in a state that is not the end */
    return best;
}

uint64_t persistent_first(const struct system *s, uint64_t awake) { return persistent_set(s) & awake; }

/* ---- what the sets rest on ---- */

struct knowledge { uint64_t aborters; uint32_t learned; bool polls; };

void *persistent_begin(struct search *search)
{
    const struct system *s = search->system;
    struct knowledge *k = memory_get(sizeof *k);
    *k = (struct knowledge){ .aborters = s->aborters, .learned = s->learned, .polls = s->polls };
    return k;
}

bool persistent_end(void *self, const struct system *s)
{
    struct knowledge k = *(struct knowledge *)self;
    free(self);
    return s->aborters == k.aborters && s->polls == k.polls && s->learned == k.learned;
}
