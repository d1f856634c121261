/* The executions of a tree as whoever follows it reads them; and, of a sharing group, the program run along several of them at one go before they
 * are followed, for a round trip to the program costs more than an execution.
 *
 * What the program does on a path is foreseen (foresight.h); then it is asked about all these paths together. If it does what was foreseen,
 * the steps of these executions lead to nodes that are known, and whoever follows them takes them without the program. If not,
 * nothing is known of them, and each is followed with the program, as if nobody had been there. Nothing is concluded from a forecast.
 *
 * Invariants: each execution and each step of it is given once, in the order of the file, or again as long as the next execution has not been
 * asked for. The system is where it was after each call.
 * SPDX-License-Identifier: MIT */
#ifndef TREE_AHEAD_H
#define TREE_AHEAD_H

#include "certifier/tree_file.h"
#include "certifier/tree_races.h"

struct foresight;

struct ahead_step { struct tree_step step; uint32_t next; };     /* next: the node to which it leads; NO_NODE: not known */
struct ahead_execution { uint32_t back, count, first, have; };   /* have: steps of it that were read, from `first` on */

enum { AHEAD_MOST = 32 };            /* executions of one go */

struct tree_ahead {
    struct tree_file   *tree;        /* borrowed, as the others */
    struct system      *system;
    struct foresight   *foresight;   /* NULL: it is no group */
    struct ahead_execution all[AHEAD_MOST];
    uint32_t            count, at;   /* at: 1 + the one that is followed; 0: none */
    struct ahead_step  *steps;
    uint32_t            step_count, step_room;
    struct step        *path;        /* while it walks: the steps that the system has taken */
    uint32_t            depth, room;
    uint32_t            most;        /* executions of the next go */
    bool                known;       /* what the program does on all of them */
    int                 ended;       /* what the file gave when it gave no execution: 0, or negative; */
    struct err          err;         /* and then why */
};

void tree_ahead_init(struct tree_ahead *, struct tree_file *, struct system *, struct foresight *);
void tree_ahead_fini(struct tree_ahead *);

/* As tree_next. The path is where the system stands. */
int tree_ahead_next(struct tree_ahead *, struct tree_path *, uint32_t *back, uint32_t *count, struct err *);
/* Step `number` of the execution: 0, or -EBADMSG. */
int tree_ahead_step(struct tree_ahead *, uint32_t number, struct ahead_step *, struct err *);

#endif
