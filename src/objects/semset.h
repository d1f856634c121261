/* What the system needs to know of arrays of SysV semaphores beyond object.h: a process that is killed has its operations with
 * SEM_UNDO taken back. It changes at most SEMSET_CHANGES words.
 * SPDX-License-Identifier: MIT */
#ifndef SEMSET_H
#define SEMSET_H

#include "object.h"

enum { SEMSET_UNDOS = 32, SEMSET_CHANGES = 2 * SEMSET_UNDOS };

void semset_gone(struct log *, uint32_t *state, int host);

#endif
