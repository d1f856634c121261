/* SPDX-License-Identifier: MIT */
#include "properties/cube.h"

/* Looks for one cube that is enough; where there is none, takes a symbol of one that might be and tries it both ways. Each such symbol
 * is fixed then, so the depth is at most CUBE_SYMBOLS. */
bool cube_covered(struct cube c, const struct cube *guard, uint32_t count)
{
    const struct cube *part = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (cube_within(c, guard[i]))
            return true;
        if (cube_possible(cube_both(c, guard[i])))
            part = &guard[i];
    }
    if (!part)
        return false;
    uint64_t open = (part->yes & ~c.yes) | (part->no & ~c.no), symbol = open & -open;
    return cube_covered((struct cube){ c.yes | symbol, c.no }, guard, count)
        && cube_covered((struct cube){ c.yes, c.no | symbol }, guard, count);
}

/* The cube without what the guard, taken whole, makes superfluous. */
static struct cube widened(struct cube c, const struct cube *guard, uint32_t count)
{
    for (uint64_t left = c.yes | c.no; left; left &= left - 1) {
        uint64_t symbol = left & -left;
        struct cube wider = { c.yes & ~symbol, c.no & ~symbol };
        if (cube_covered(wider, guard, count))
            c = wider;
    }
    return c;
}

uint32_t cube_shorten(struct cube *guard, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        guard[i] = widened(guard[i], guard, count);
    for (uint32_t i = count; i-- > 0;) {
        struct cube c = guard[i];
        guard[i] = guard[count - 1];
        if (cube_covered(c, guard, count - 1)) {
            count--;
        } else {
            guard[count - 1] = guard[i];
            guard[i] = c;
        }
    }
    return count;
}
