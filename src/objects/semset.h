/* What a report needs to know of arrays of semaphores beyond object.h.
 * SPDX-License-Identifier: MIT */
#ifndef SEMSET_H
#define SEMSET_H

#include <stdint.h>

uint32_t semset_value(const uint32_t *state, uint32_t semaphore);

#endif
