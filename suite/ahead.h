/* What a search of all orders will ask for: the steps that can be taken where the chronicle has been, and that nobody has taken yet. Depth
 * first, lower processes first, smaller choices first: so does the search (search/dfs.c), and is told what it needs next as soon as can be.
 *
 * Invariant: what is offered can be done there; each is offered once, for it is asked for then.
 * SPDX-License-Identifier: MIT */
#ifndef AHEAD_H
#define AHEAD_H

#include "history/start.h"
#include "suite/chronicle.h"

struct cues { struct cue *items; uint32_t count, room; };

struct ahead {
    const struct start *start;       /* the objects, borrowed */
    uint32_t            most;        /* steps behind where all drivers have begun; UINT32_MAX: as many as there are */
};

/* The next step to take, with all that leads to it from the beginning; `begun` is what the search has done before it began. False: there
 * is none that nobody has taken or is about to. */
bool ahead_next(const struct ahead *, struct chronicle *, const struct cues *begun, struct cues *path);
/* The step with which the search goes on from where these lead; false: it ends there. */
bool ahead_more(const struct ahead *, const struct chronicle *, const struct cues *path, uint32_t begun, struct cue *);

#endif
