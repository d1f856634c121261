/* A cache of states: as many as there is room for, by fingerprint; when there is room for no more, one of them is replaced. (State-space
 * caching: Holzmann 1987; the policies are those of the thesis on search-carrying code, chapters 2.4 and 4.)
 *
 * Whoever comes to a state that was replaced searches it once more. So the state to replace is the one that would cost least. COST is the
 * cost-based caching of the thesis (algorithm 4.1) with four changes, each of which was measured (bench/caching):
 *   - What a state costs is the work that its search took, in transitions, as it was measured, instead of the sum of the costs of its
 *     successors plus one (that is SUM). The sum counts a state once for each path that leads to it, so it grows without bound
 *     with the height of the graph, and is not what happens: most of these states are in the cache. In a cycle it is too small, which the
 *     thesis says; what was measured is not.
 *   - It counts as much as it is likely to be paid: times the square of the chance that a state which was come to so often, and from which
 *     so many transitions go, is come to again. The chance is counted as the search goes on. (Who was come to from all sides is not needed
 *     any more: a cache that knew from how many it will be would do nearly no work twice.)
 *   - It ages: cost counts from the cost of the one that was replaced last (Cao and Irani's GreedyDual). Else what was dear and is never
 *     come to again stays for ever.
 *   - States of every fourth level go first (as in stratified caching, Geldenhuys 2004): those of the levels between stop what would be
 *     searched again below one that was replaced.
 *
 * The victim is found in constant time: states wait in queues, one for each class of costs (or depths, or hits) that differ by no more than a
 * few per cent; the queue that is not empty and ranks first is found by a bit set, or, of COST, by a look at the heads of all.
 *
 * Invariant: states on the path of the search are never replaced; every other state that is there waits in one queue (RANDOM: in none).
 * SPDX-License-Identifier: MIT */
#ifndef CACHE_H
#define CACHE_H

#include "search/search.h"

struct cache;
enum { NO_PLACE = UINT32_MAX };

/* `rooms`: how many states, at least one; sleep, numbers: a word beside each state for its sleep set, for its number. Gives. */
struct cache_extras { bool sleep, numbers; };
struct cache *cache_new(uint64_t room, enum cache_policy, struct cache_extras, uint64_t seed);
void          cache_free(struct cache *);                        /* NULL is fine */
uint64_t      cache_room_of(uint64_t bytes, struct cache_extras);        /* so many states fit into that */

/* Where the state is, NO_PLACE: nowhere. It was come to: that is a hit. */
uint32_t cache_find(struct cache *, const uint64_t fingerprint[2]);
/* A state that is not there is now, and is on the path; `degree`: how many transitions go from it. Replaces another when there is no room;
 * NO_PLACE: all that are there are on the path. */
uint32_t cache_enter(struct cache *, const uint64_t fingerprint[2], uint32_t degree);
void     cache_enter_again(struct cache *, uint32_t place);      /* one that is there is on the path (once more) */
/* It is left; `parent`, if it is not NO_PLACE, is where the path goes back to. `work`: transitions since it was entered, itself included. */
void     cache_leave(struct cache *, uint32_t place, uint32_t parent, uint32_t depth, uint64_t work);
void     cache_add_known(struct cache *, uint32_t from, uint32_t to);    /* a transition to a state that is there: it adds to the SUM */

uint64_t *cache_sleep(struct cache *, uint32_t place);           /* its words; valid until the next state is entered */
uint64_t *cache_number(struct cache *, uint32_t place);
uint64_t  cache_replaced(const struct cache *);                  /* how many were */

void      cache_check(const struct cache *);                     /* asserts the invariants, for tests */

#endif
