/* SPDX-License-Identifier: MIT */
#include "search/persistent.h"

/* The processes that may, now or later, do something that matters to the pending operation `n`. */
static uint64_t may_matter(const struct system *s, const struct node *n)
{
    const struct object *o = &s->objects[n->op.object];
    uint64_t who = 0;
    for (uint32_t code = 0; code < o->type->operation_count; code++)
        if (!o->type->may_conflict || o->type->may_conflict(&n->op, (uint8_t)code))
            who |= s->may[o->may + code];
    return who;
}

/* The processes that must be in the group because of the pending operation of p. */
static uint64_t drawn_in(const struct system *s, int p, uint64_t alive)
{
    const struct node *n = system_pending(s, p);
    if (n->op.type == TYPE_PROCESS)
        return p == 0 ? alive : 0;           /* a parent's wait: any child may end at any time */
    uint64_t drawn = s->polls ? alive & BIT(0) : 0;              /* p may end, and a parent that polls sees when */
    return n->op.object == NO_OBJECT ? drawn : drawn | (may_matter(s, n) & alive & ~BIT(p));
}

uint64_t persistent_set(const struct system *s)
{
    if (s->aborters)
        return s->enabled;
    uint64_t best = s->enabled, alive = s->alive, drawn[MAX_PROCESSES];
    for (int p = 0; p < s->processes; p++)
        drawn[p] = alive & BIT(p) ? drawn_in(s, p, alive) : 0;
    for (uint64_t starts = s->enabled; starts; starts &= starts - 1) {
        uint64_t group = starts & -starts, open = group;
        while (open) {
            uint64_t more = drawn[__builtin_ctzll(open)] & ~group;
            open = (open & (open - 1)) | more;
            group |= more;
        }
        if (__builtin_popcountll(group & s->enabled) < __builtin_popcountll(best))
            best = group & s->enabled;
    }
    return best;
}
