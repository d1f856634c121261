/* Brute force: what a made-up program can do, by a semantics of its own and with no cleverness. Shares nothing with src/.
 *
 * All reachable states are listed, each once, in the order of their distance from the first. A stateless search sees the
 * same states as a tree, each path its own; the size of that tree is counted from the list, a layer at a time.
 *
 * Invariant: every state nearer than `complete` has its successors in the list.
 * SPDX-License-Identifier: MIT */
#ifndef BRUTE_H
#define BRUTE_H

#include "madeup.h"

#define WORLD_REMOVED 255            /* in place of a queue's count */
#define WORLD_REMOVED_SEMAPHORE 65535

/* A global state. No padding: worlds are compared and hashed as bytes. */
struct world {
    uint16_t           semaphore[MADEUP_SEMAPHORES];
    struct local_state at[MADEUP_PROCESSES];
    uint8_t            reaped[MADEUP_PROCESSES];
    uint8_t            count[MADEUP_QUEUES];
    uint8_t            message[MADEUP_QUEUES][MADEUP_QUEUE_SIZE];        /* the oldest first, 0 where there is none */
};

void world_begin(const struct program *, struct world *);
/* The outcomes that the process's next operation can have in this world; returns how many: 0 when it is blocked or ended. */
int  world_outcomes(const struct program *, const struct world *, int process, uint8_t outcomes[MADEUP_VALUES]);
/* Executes it; false, and nothing is done, when it cannot have this outcome. */
bool world_step(const struct program *, struct world *, int process, uint8_t outcome);
bool world_deadlocked(const struct program *, const struct world *);
bool world_violates(const struct program *, const struct world *, int process);     /* it stands before a false assert */

struct violation {
    int                process;
    struct local_state at;
    uint32_t           depth;                /* of the nearest state that has it */
};

struct brute {
    const struct program *program;
    struct world     *worlds;
    uint32_t         *distance;              /* of a state, in transitions from the first */
    uint32_t         *edges;                 /* the successors of state i are edges[first[i]] .. edges[first[i + 1] - 1] */
    uint32_t         *first;
    bool             *deadlock;
    uint32_t          states, states_room, expanded, edge_count, edge_room;
    uint32_t         *slots, mask;           /* hash table of the worlds: state + 1 */
    struct violation *violations;
    uint32_t          violation_count, violation_room;
    uint32_t          complete;              /* UINT32_MAX: the list has all states */
    uint32_t          longest;               /* transitions of a longest path, UINT32_MAX: not known, or endless */
};

struct brute_tree {
    uint64_t transitions, executions, depth_cut;
    uint32_t longest;                        /* depth of the deepest state */
};

void     brute_init(struct brute *, const struct program *, const struct world *first, uint32_t most_states);
void     brute_fini(struct brute *);
uint32_t brute_find(const struct brute *, const struct world *);         /* its number, UINT32_MAX when not in the list */
uint32_t brute_violation(const struct brute *, int process, const struct local_state *);     /* UINT32_MAX: none such */
/* Counts the paths of at most `depth` transitions (0: of any length); false when there are more than `most` transitions in
 * them, or endless ones, or the list does not reach so far. */
bool     brute_tree(const struct brute *, uint32_t depth, uint64_t most, struct brute_tree *);

#endif
