/* What the simulator holds, as the JSON of doc/protocol.md.
 * SPDX-License-Identifier: MIT */
#ifndef VIEW_H
#define VIEW_H

#include "simulator/debug.h"
#include "simulator/simulator.h"
#include "simulator/space.h"

/* All give. */
json_t *view_where(struct simulator *, const struct inside *, uint64_t seq);
json_t *view_events(const struct simulator *, uint32_t from, uint32_t to);       /* those before `to` */
json_t *view_objects(struct simulator *);
json_t *view_space(const struct space *);
json_t *view_choices(struct simulator *, int process);           /* of a process that can go */
json_t *view_location(const char *location);                     /* of "main.c:42"; null for NULL */

#endif
