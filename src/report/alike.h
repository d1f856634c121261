/* Which findings are the same: those of the same kind with processes at the same places in the program. And by how many paths each
 * was reached: a path counts once, also when a search in layers takes it again.
 *
 * Invariants: memory grows with the number of different findings, and to MOST_PATHS paths; more of them are counted each time. The table
 * of paths is at most half full, so looking in it comes to an end.
 * SPDX-License-Identifier: MIT */
#ifndef ALIKE_H
#define ALIKE_H

#include "report/condition.h"

#define NO_FINDING UINT32_MAX

struct alike {
    uint64_t key[2];
    uint32_t finding;                /* its place in the outcome; NO_FINDING: it was not the same when it was replayed */
    uint32_t tries;                  /* replays so far that did not confirm it */
};

struct alikes {
    struct alike *all;
    uint32_t      count, room;
    uint64_t    (*paths)[2];         /* hash table of the paths; {0, 0} is free */
    uint32_t      path_count, path_mask;
};

void alikes_init(struct alikes *);
void alikes_fini(struct alikes *);

/* The one of what is the case in the current state; a new one has NO_FINDING. Valid until the next call. */
struct alike *alikes_of(struct alikes *, const struct system *, struct condition);
/* Is this path to it a new one? From now on it is not. */
bool alikes_new_path(struct alikes *, const struct alike *, const struct trace *prefix, const struct step *path, uint32_t depth);

#endif
