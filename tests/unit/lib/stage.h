/* A made-up program on stage: a struct system over it, so that searches can run it as if it were a real one.
 * A local state's fingerprint is the local state itself, so histories merge exactly where they should.
 * SPDX-License-Identifier: MIT */
#ifndef STAGE_H
#define STAGE_H

#include "brute.h"
#include "madeup.h"
#include "system/dependence.h"

/* What is declared of who does what on which object: nothing, some of what the program's text says, or all of it. */
enum stage_rules { RULES_NONE, RULES_SOME, RULES_ALL };
enum stage_merge { MERGE, NEVER_MERGE };

struct stage {
    const struct program *program;
    enum stage_merge      merge;
    struct texts         *texts;
    struct created        objects[MADEUP_SEMAPHORES + MADEUP_QUEUES];
    struct start          start;
    struct structure      structure;
    struct runner         runner;
    struct history       *history;
    struct system        *system;
    uint64_t              runs;              /* how often a process was run over an edge */
    uint32_t              message[MADEUP_VALUES];      /* the texts of messages */
};

void stage_open(struct stage *, const struct program *, enum stage_rules, enum stage_merge);
void stage_close(struct stage *);

struct local_state stage_local(const struct stage *, int process, uint32_t node);
/* The outcome that this result is for a process at this node. */
uint8_t stage_outcome(const struct stage *, int process, uint32_t node, uint32_t result);
/* Follows the steps in a world of our own; false where the program could not have done so. */
bool stage_follow(const struct stage *, struct world *, const struct step *path, uint32_t depth);
/* The processes of this world stand where those of the system stand. */
bool stage_agrees(const struct stage *, const struct world *);

#endif
