/* All that was ever run of a suite: a tree, of which an edge is a step (who went on, with which result), and a node is what that driver came
 * to then. By it is known whether the box gives the same answers again; and what a copy of the box has run ahead, the search is told from here.
 *
 * Invariants: what was seen never changes; a node that is asked for is on the way in some lane; the table is at most half full.
 * SPDX-License-Identifier: MIT */
#ifndef CHRONICLE_H
#define CHRONICLE_H

#include "history/graph.h"

#include <stdbool.h>
#include <stdint.h>

struct cue { uint32_t process, result; };       /* a step, as a driver is told */

enum fate {
    FATE_FREE,                       /* nobody was ever there */
    FATE_ASKED,                      /* a lane is on its way there */
    FATE_SEEN,
    FATE_LOST                        /* a lane that went there came elsewhere before, again and again */
};

struct chronicled {
    uint32_t    parent;
    struct cue cue;
    enum fate   fate;
    bool        done;                /* everything below was run (ahead.h) */
    struct op   op;                  /* what its driver came to, and what it had said on the way; where it was seen */
    uint32_t    notes;
    uint64_t    digest;              /* of all that */
};

struct chronicle { struct chronicled *nodes; uint32_t count, room; uint32_t *table; uint64_t mask; };
enum { CHRONICLE_ROOT = 0 };

void     chronicle_init(struct chronicle *);
void     chronicle_fini(struct chronicle *);
uint32_t chronicle_find(const struct chronicle *, uint32_t parent, struct cue);       /* NO_NODE: nobody asked for it yet */
uint32_t chronicle_get(struct chronicle *, uint32_t parent, struct cue);      /* the same, made where there is none */
/* A driver came to that. True: so it was, or it is the first time. */
bool     chronicle_see(struct chronicle *, uint32_t node, const struct arrival *);

#endif
