/* Numbers of the processes of a sharing group in another run of the program: whoever comes to the same births in another order gives other numbers,
 * unless they are expected.
 * Invariant: from then on each of these births has the number that is expected, and no two have the same.
 * SPDX-License-Identifier: MIT */
#ifndef NUMBERS_H
#define NUMBERS_H

#include "system/system.h"

struct system_birth { uint32_t creator, nth, number; bool unix_process; };       /* the child that comes after `nth` others of its creator */

uint32_t            numbers_count(const struct system *);        /* of births; 0 where there is no group */
struct system_birth numbers_birth(const struct system *, uint32_t);
/* Before the first step. False: it cannot have this number, because its creator is not known, or it is another's. */
bool                numbers_expect(struct system *, const struct system_birth *);

#endif
