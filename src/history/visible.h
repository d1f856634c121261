/* Visible locations: the variables whose accesses are operations, because several processes use them without a lock. Which these are
 * is found out while the program is searched; with each one more everything begins again. The list is the user's of a search, and
 * outlives its runs. Where the kernel does not let addresses be fixed, each run may have the program's parts elsewhere: so the list
 * knows of which run its addresses are.
 *
 * Invariant: no two locations have a byte in common; none goes away.
 * SPDX-License-Identifier: MIT */
#ifndef VISIBLE_H
#define VISIBLE_H

#include "wire.h"

/* A loop that looks and counts, and of which not all rounds were operations; endless: it is taken to wait, for it does not end by itself. */
struct visible_loop { uint64_t place; bool endless; };

struct visible {
    struct wire_visible all[MAX_VISIBLE];
    uint32_t            count;
    bool                instrumented;            /* the program was seen to tell of its accesses */
    struct visible_loop loops[MAX_LOOPS];
    uint32_t            loop_count;
    uint64_t            whole;                   /* an access of which not all pieces were operations; 0: none was seen */
    bool                weak;                    /* it was seen to use atomic accesses that are not sequentially consistent */
    struct wire_part    parts[WIRE_PARTS];       /* where the program lay in the run that its addresses are of; none: they are named by part */
};

/* Adds a location, or makes one larger that it touches. False: there is no room. */
bool visible_add(struct visible *, uint64_t address, uint64_t size);
/* Of locations that are there. False: nothing is changed by it. */
bool visible_join(struct visible *, uint64_t address, uint64_t other, bool solid);           /* the two are one object from now on */
void visible_rank(struct visible *, uint64_t object);       /* its locations are not those that they were: which is which? */
bool visible_unknown(struct visible *, uint64_t address);        /* its value is not followed */
bool visible_loop(struct visible *, uint64_t place, bool endless);           /* adds one, or what is known of it. False: that was known, or there is no room */
bool visible_has(const struct visible *, uint64_t address, uint64_t size);       /* are all these bytes in one location? */

/* Where an address of the list lies: in which part of the program, and how far from its base; WIRE_NO_PART: the offset is the address.
 * A location can be added by the name of its part, before the program runs. */
struct visible_part { uint32_t number; int64_t offset; };
struct visible_part visible_part(const struct visible *, uint64_t address);
uint64_t visible_part_name(const struct visible_part *);
uint64_t visible_name(const struct visible *, uint64_t address);         /* the address, named by its part: the same in every run */
uint64_t visible_address(const struct visible *, uint64_t name);         /* and back, in the run that the list is of */
void visible_move(struct visible *, const struct wire_part[WIRE_PARTS]);         /* its addresses are of a run with these parts now */

#endif
