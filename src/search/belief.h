/* What `optimal` does with foresight (system/foresight.h): it walks ahead of the program, believes the paths that it has come to the
 * end of for now, and puts itself back where one turns out wrong.
 *
 * Paths are believed in sets. At the end of the first path of a set everything is saved; two moments are kept, for one set may be
 * under way while the next is gathered. When the program says that a path of a set was wrong, all that was done since that moment
 * is void: the saved moment is made again, as far as the path of that moment is what the program does, and the search goes on from
 * there as if it had never gone further. Where nothing is foreseen (no sharing group, or somebody watches), all of this does nothing.
 *
 * Invariants: when the search is over, or a path is counted whose set nobody will call void, that path is what the program does. The set
 * that turns out wrong is one of the two whose moments are kept.
 * SPDX-License-Identifier: MIT */
#ifndef BELIEF_H
#define BELIEF_H

#include "search/aside.h"
#include "search/mission.h"

struct level;
struct optimal;

/* The search as it stood at the end of a path. */
struct saved {
    struct counts  counts;
    uint32_t       depth, pool_count, unused;
    uint32_t       undo;             /* how much of `undo` was there */
    uint32_t       room;
    struct step   *steps;
    struct frame  *frames;
    struct level  *levels;
    struct aside_mark aside;
    struct mission_mark mission;
};

struct belief {
    struct saved saved[2];           /* at the end of the first path of each of the two last sets */
    uint32_t     set;                /* the number of the last one */
    uint32_t     most;               /* how many paths may be in a set; 0: the program is asked about the next, and no set begins */
};

void belief_fini(struct belief *);

/* As search_step, on what is foreseen. `stamp`: dependence_stamp of the step, when it is taken. */
enum took belief_step(struct optimal *, uint32_t process, uint32_t choice, uint32_t *stamp);

/* At the end of a path. TAKEN: it is what the program does, or it is believed for now. */
enum took belief_in_path(struct optimal *);
enum took belief_so_far(const struct optimal *);     /* VOID: what was found meanwhile is, for a set was wrong */
/* What is still only believed, at the end of everything. TAKEN: all of it was right. */
enum took belief_in_rest(struct optimal *);

/* After AGAIN or VOID: goes back to what is so, and takes up the search there. */
enum took belief_recover(struct optimal *, enum took);
/* After the end of the search: what is void is taken out of the counts. */
void belief_end(struct optimal *);

#endif
