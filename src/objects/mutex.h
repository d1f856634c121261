/* What the system needs to know of mutexes beyond object.h.
 * SPDX-License-Identifier: MIT */
#ifndef MUTEX_H
#define MUTEX_H

#include "object.h"

/* The process that holds it has ended. Whoever locks a robust mutex next gets it with EOWNERDEAD; of any other mutex
 * nothing changes: it stays locked for ever. To be called for each mutex that an ended process may hold, with its words;
 * changes at most 3 of them. */
void mutex_owner_died(struct log *, uint32_t *state, int process);

#endif
