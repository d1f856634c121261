/* The circle in which processes wait for each other, if there is one: the shortest, for that is the easiest to see. Invariant: nobody is in it
 * twice.
 * SPDX-License-Identifier: MIT */
#ifndef CIRCLE_H
#define CIRCLE_H

#include "base/prose.h"
#include "wire.h"

/* Told as a line of its own. waits_for: of each process, those (a mask) of whom each could let it go on, and nobody else can. */
void circle_tell(const uint64_t waits_for[MAX_PROCESSES], int processes, struct prose *);

#endif
