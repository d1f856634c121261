/* What the system needs to know of the object of all pipes and sockets beyond object.h: who holds which end of a channel also
 * changes when UNIX processes come and go. Both change at most STREAMS_CHANGES words.
 * SPDX-License-Identifier: MIT */
#ifndef STREAMS_H
#define STREAMS_H

#include "object.h"
#include "wire.h"

enum { STREAMS_CHANGES = 2 * STREAMS_CHANNELS };

void streams_forked(struct log *, uint32_t *state, int parent_host, int child_host);     /* the child holds what the parent holds */
void streams_gone(struct log *, uint32_t *state, int host);                              /* it was killed: it holds nothing */

#endif
