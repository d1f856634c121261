/* SPDX-License-Identifier: MIT */
#include "search/persistent.h"

/* May `other`, now or later, do something that matters to the pending operation `n`? */
static bool may_matter(const struct system *s, const struct node *n, int other)
{
    const struct object *o = &s->objects[n->op.object];
    for (uint32_t code = 0; code < o->type->operation_count; code++) {
        if (!(structure_allowed(s->structure, n->op.type, (uint8_t)code, o->created->number, o->created->index) & BIT(other)))
            continue;
        if (!o->type->may_conflict || o->type->may_conflict(&n->op, (uint8_t)code))
            return true;
    }
    return false;
}

/* The processes that must be in the group because of the pending operation of p. */
static uint64_t drawn_in(const struct system *s, int p, uint64_t alive)
{
    const struct node *n = system_pending(s, p);
    if (n->op.type == TYPE_PROCESS)
        return p == 0 ? alive : 0;           /* a parent's wait: any child may end at any time */
    uint64_t drawn = s->polls ? alive & BIT(0) : 0;              /* p may end, and a parent that polls sees when */
    if (n->op.object == NO_OBJECT)
        return drawn;
    for (uint64_t others = alive & ~BIT(p); others; others &= others - 1) {
        int q = __builtin_ctzll(others);
        drawn |= may_matter(s, n, q) ? BIT(q) : 0;
    }
    return drawn;
}

static uint64_t alive_processes(const struct system *s)
{
    uint64_t alive = 0;
    for (int p = 0; p < s->processes; p++)
        alive |= system_pending(s, p)->flags & NODE_END ? 0 : BIT(p);
    return alive;
}

uint64_t persistent_set(const struct system *s)
{
    if (s->aborters)
        return s->enabled;
    uint64_t best = s->enabled, alive = alive_processes(s), drawn[MAX_PROCESSES];
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
