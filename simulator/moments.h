/* A scenario as the simulator has it: its events, and of each what the trace does not have: the step, what it moved, and of a message that
 * was received, who sent it.
 *
 * Invariant: there is a moment for each event, and `senders` and `last` are of these events alone.
 * SPDX-License-Identifier: MIT */
#ifndef MOMENTS_H
#define MOMENTS_H

#include "objects/types.h"
#include "report/trace.h"

/* What the trace does not have of an event. */
struct moment {
    struct step    step;
    struct passage passage;
    uint32_t       before;           /* the last event before it with the same role, on the same object (and part); NONE */
    uint32_t       from, from_count; /* of a receive: in `senders` */
    uint32_t       violated;         /* 1 + the kind of error that its operation itself is; 0: none */
};

struct scenario {
    struct trace   trace;
    struct moment *moments;          /* one for each event */
    uint32_t       moment_room;
    uint32_t      *senders, sender_count, sender_room;
    uint32_t      *last[2];          /* 1 + last event that sent to, or received from, a part of an object; 0: none */
    uint32_t       last_count;
};

void scenario_fini(struct scenario *);                                  /* it is empty then */
void scenario_add(struct scenario *, const struct moment *);            /* of the last event of the trace */
bool scenario_drop_after(struct scenario *, uint32_t count);             /* false: there was nothing to drop */

#endif
