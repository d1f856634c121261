/* Makes a scenario shorter by trying: without the steps of a process, without its last one, with smaller choices. Each try is a run in fresh
 * processes; what ends in the same error with fewer steps, or as many and smaller choices, takes the place of what was tried before.
 *
 * Invariant: what the confirmation holds afterwards was run, and ended in the condition, before the same operation.
 * SPDX-License-Identifier: MIT */
#ifndef SHRINK_H
#define SHRINK_H

#include "report/confirm.h"

/* The confirmation is one that said CONFIRM_SAME. Gives how many tries it took. */
uint32_t shrink(const struct job *, struct confirmation *, struct condition, uint32_t most);

#endif
