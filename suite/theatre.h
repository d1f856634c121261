/* The theatre: so many lanes as there may be copies of the box at a time, and who goes where on them. What the search asks for comes first;
 * where it will ask for everything (ahead.h), lanes run ahead of it; what is left stands ready, with the box and all drivers begun.
 *
 * Invariants: a step that was seen is never run for its own sake again, but by a follower, who wants to see it happen. What is one lane's to
 * find is asked of no other one.
 * SPDX-License-Identifier: MIT */
#ifndef THEATRE_H
#define THEATRE_H

#include "suite/lane.h"

struct theatre {
    struct lanes_share  share;
    struct lane        *lanes;
    uint32_t            lane_count;
    const volatile int *interrupt;
    struct ahead        ahead;           /* `start` NULL: the search does not ask for everything */
    struct cues        begun;           /* what is done before the search begins: all drivers have come to their first request */
    int                 output;          /* where those print that the search runs; -1: nowhere */
    struct cues        next;            /* room for a path */
    struct lane        *serving;         /* the last that served the search; NULL: none */
    struct lane        *following;       /* taken by a follower; NULL: none */
};

/* What is at the end of the path. `node` is the node of its last step; NO_NODE: a lane could not get there, and `lost` is that lane. */
int theatre_learn(struct theatre *, const struct cues *path, uint32_t *node, const struct lane **lost, struct err *);
/* The path once more, for real. The lane then stands at its end, or is lost; it is taken until theatre_leave. */
int theatre_follow(struct theatre *, const struct cues *path, int output, const struct lane **, struct err *);
void theatre_leave(struct theatre *);

#endif
