/* Data races of a sharing group: two accesses of different processes to the same memory, one of them a write, one of them not
 * atomic, that nothing orders.
 *
 * The program tells of each step which memory its process read and wrote on the way to its next operation (wire.h: accesses). So a
 * path that was run is a list of steps with a set of accesses each, and all that is to be known is which of these steps happen
 * before which. That is found with vector clocks, anew for each path, from where it differs from the one before: nothing has to go
 * back when memory does, and nothing is ever evicted.
 *
 * What orders two steps is what has to stay in order in every equivalent execution (dependence_conflict), of operations that
 * synchronise: one gives (unlocks, posts, sends, ends) and the other takes; a lock that was not got, and a variable that is only
 * read and written, order nothing. An atomic variable orders what was before a store that releases, and what comes after a load of its
 * value that acquires (C11, 5.1.2.4). Since the search goes through all orders of the operations, a race that is possible at all is
 * found in one of them, unless one comes before it; and no execution that is equivalent has others.
 *
 *     process 2: lock(m)  [x = 1]  unlock(m)                     the accesses of a step come after its operation: those of step i are
 *     process 3:                             lock(m)  [x = 2]    before step j, if a later step of the same process is
 *
 * Two additions to an atomic variable whose results nobody looks at commute, and one order of them stands for both (objects/location.c). In either
 * order the later one, if it acquires, is ordered after what was before the first, if that releases; but not in both. So here none of the two
 * acquires from the other, only from what came before both and is in conflict with it. That is exact: let x be before one addition and y after
 * another, nothing else ordering them. Take of the execution all that must be before y, without what must be after x: that can come
 * first, and y; then all that must be before x, and x. No addition that is after x comes before one that is before y, nor the other way round, so in
 * that equivalent execution nothing orders x and y. And what is unordered in some equivalent execution is unordered here, where there is less order.
 *
 * A place in memory that races becomes visible (history/visible.h), and everything begins again, with each access to it as an operation:
 * so what the race can do is searched, too. Races are told only when all of them that were seen so far are visible.
 * SPDX-License-Identifier: MIT */
#ifndef DATARACE_H
#define DATARACE_H

#include "history/visible.h"
#include "system/system.h"

struct racer { uint32_t process, step; struct wire_access access; };     /* step: of the path, counts from 0 */
struct race  { struct racer first, second; uint64_t address, size; };    /* the bytes that both have; second is the later step */

struct datarace;
/* Borrows both. `tell`: a race between two places of which none was told before, on the path so far; false: stop the search. NULL: they are
 * only kept. Locations are added to the list when `adds` is set. */
struct datarace_settings {
    struct visible *visible;
    bool            adds;
    bool          (*tell)(void *, const struct race *, const struct leg *path, uint32_t count);
    void           *arg;
};
struct datarace *datarace_new(struct system *, const struct datarace_settings *);        /* gives; return it with datarace_free */
void             datarace_free(struct datarace *);       /* NULL is fine */

/* The program was run along the path, and these are the sets of its legs; NULL: nobody tells. -ERESTART: there is a new visible location;
 * -ECANCELED: the search is to stop. */
int datarace_look(struct datarace *, const struct leg *path, uint32_t count, const uint32_t *sets, struct err *);

/* Those that were found, each pair of places once. */
uint32_t           datarace_count(const struct datarace *);
const struct race *datarace_get(const struct datarace *, uint32_t number);
uint32_t           datarace_paths(const struct datarace *, uint32_t number);     /* on how many paths it was seen; one that goes on counts again */
bool               datarace_missed(const struct datarace *);     /* there was no room for the accesses of some step */
bool               datarace_same(const struct race *, const struct race *);      /* of the same places? */

#endif
