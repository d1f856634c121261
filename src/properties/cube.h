/* Conditions on the symbols of one state. A cube says of some symbols that they are true and of some that they are false; a guard is
 * a list of cubes, at least one of which must be so. A symbol is a bit, so there are at most CUBE_SYMBOLS.
 * SPDX-License-Identifier: MIT */
#ifndef CUBE_H
#define CUBE_H

#include <stdbool.h>
#include <stdint.h>

enum { CUBE_SYMBOLS = 64 };

struct cube { uint64_t yes, no; };           /* symbols that must be true; that must be false. Both zero: no condition */

static inline bool cube_possible(struct cube c)                 { return !(c.yes & c.no); }
static inline struct cube cube_both(struct cube a, struct cube b) { return (struct cube){ a.yes | b.yes, a.no | b.no }; }
static inline bool cube_within(struct cube a, struct cube b)    { return !(b.yes & ~a.yes) && !(b.no & ~a.no); }    /* a implies b */
static inline bool cube_allows(struct cube c, uint64_t symbols) { return !(c.yes & ~symbols) && !(c.no & symbols); }

/* Is the cube within the guard, taken whole? */
bool     cube_covered(struct cube, const struct cube *guard, uint32_t count);
/* An equivalent guard in the same place with fewer and larger cubes: none can be left out, and no symbol of one. Gives their number. */
uint32_t cube_shorten(struct cube *guard, uint32_t count);

#endif
