/* What the system needs to know of the type of processes beyond object.h.
 * SPDX-License-Identifier: MIT */
#ifndef PROCESS_H
#define PROCESS_H

#include "object.h"

/* The word of process p is state[1 + p] of the table of processes: 0 while it runs, this value once it stands before `end`. */
uint32_t process_ended(const struct op *end);

#endif
