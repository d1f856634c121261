/* Which states are the same, of a search that may enter a state several times (search/cached.c): each time under the next number, from 0 on.
 * When all were added it is known of each visit which state that was: its number among the different ones, in the order of their first visits.
 *
 * Out of core: 16 bytes a visit in one file without a name, its fingerprint, and 8 in another, its state. The fingerprints are read in several
 * turns. In each those are compared, in a table in memory, that are of this turn (by their remainder): about VISITS_AT_A_TIME of them.
 * Invariant: a state has one fingerprint, so all its visits are of the same turn; the first of them has the least number.
 * SPDX-License-Identifier: MIT */
#ifndef VISITS_H
#define VISITS_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

enum { VISITS_AT_A_TIME = 1 << 19 };

struct visits;
struct visits *visits_new(const char *near);                     /* beside this file; NULL with errno: no file can be had. Gives */
void           visits_free(struct visits *);                     /* NULL is fine */
void           visits_add(struct visits *, const uint64_t fingerprint[2]);
int            visits_compare(struct visits *, struct err *);    /* all were added. 0, or negative with err */

/* Of the visit with this number: the state's own, and whether it was there before. */
uint64_t visits_state(const struct visits *, uint64_t visit);
bool     visits_again(const struct visits *, uint64_t visit);

#endif
