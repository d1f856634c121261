/* Which states are the same, of a search that may enter a state several times (search/cached.c): each time under the next number, from 0 on.
 * What is asked is known when all were added: the number of the state among different ones, in the order in which they were entered first.
 *
 * Out of core: fingerprints and numbers are in files without a name. The fingerprints are read as often as it takes, each time for those that
 * begin in one of so many ways, which are compared in memory: VISITS_AT_A_TIME of them.
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
