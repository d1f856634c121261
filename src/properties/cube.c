/* SPDX-License-Identifier: MIT */
#include "properties/cube.h"

#include <assert.h>
#include <stddef.h>

/* What the second asks beyond the first: symbols. */
static uint64_t open_symbols(struct cube c, struct cube beyond) { return (beyond.yes & ~c.yes) | (beyond.no & ~c.no); }

/* The cube that fits and has the fewest open symbols; NULL: none fits. */
static const struct cube *nearest(struct cube c, const struct cube *guard, uint32_t count)
{
    const struct cube *best = NULL;
    int fewest = CUBE_SYMBOLS + 1;
    for (uint32_t i = 0; i < count && fewest; i++) {
        int open = __builtin_popcountll(open_symbols(c, guard[i]));
        if (open < fewest && cube_possible(cube_both(c, guard[i]))) {
            best = &guard[i];
            fewest = open;
        }
    }
    return best;
}

/* Where no one cube is enough, a symbol of the nearest is tried both ways. Each is fixed then, so the depth is at most CUBE_SYMBOLS, and
 * one of the two ways soon has no cube that fits, or one that is enough. */
bool cube_covered(struct cube c, const struct cube *guard, uint32_t count)
{
    const struct cube *near = nearest(c, guard, count);
    assert(cube_possible(c));        /* a symbol that is fixed stays so: this is what the depth rests on */
    uint64_t open = near ? open_symbols(c, *near) : 0, symbol = open & -open;
    if (!open)
        return near != NULL;
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
