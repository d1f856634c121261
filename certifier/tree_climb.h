/* Inside tree.c and tree_step.c: who follows a tree.
 * SPDX-License-Identifier: MIT */
#ifndef TREE_CLIMB_H
#define TREE_CLIMB_H

#include "certifier/tree.h"
#include "certifier/tree_ahead.h"

struct foresight;

struct climber {
    const struct certify_settings *settings;
    struct tree_file     *tree;
    struct certification *out;
    struct system        *system;
    struct tree_path      path;
    struct tree_ahead     ahead;     /* gives executions, and what is known of them */
    struct foresight     *foresight; /* of a group: steps of which nothing is known are taken as they should be, and at the end of the
                                        execution the program runs it */
    uint32_t              fresh;     /* where on the path the first step of this execution is */
    bool                  first_time;            /* nobody has told the system yet which processes are expected */
    bool                  again;     /* the program was run, and a step leads elsewhere */
    const struct tree_start *start;  /* NULL: it is a whole tree */
    uint64_t              execution; /* number of the one that is followed, in the whole tree; counts from 1 */
    bool                  over;      /* there is a verdict */
};

static inline struct tree_visit *climb_here(const struct climber *c) { return &c->path.all[c->path.depth]; }

/* Verdicts. All give 0. So many steps of the path lead to what is wrong. */
__attribute__((format(printf, 3, 4))) int climb_reject(struct climber *, uint32_t steps, const char *format, ...);
int   climb_not_the_same(struct climber *);      /* the program does what it did not do when the same steps were run before */
char *climb_words(const struct climber *, uint32_t process, uint32_t node);      /* "process 2: lock(a)"; gives */

/* 0, or negative when the machine fails: err says how. */
int climb_enter(struct climber *, uint64_t sleep);               /* the state that the system has come to */
int climb_leave(struct climber *);                               /* checks 2 and 4; back by one step, unless it is the first state */
int climb_check(struct climber *, const struct tree_step *);     /* checks 1 and 2: is it one to take here? */
int climb_execute(struct climber *, const struct ahead_step *, uint64_t *sleep, struct err *);   /* it is: who sleeps behind it */
int climb_step(struct climber *, const struct ahead_step *, struct err *);       /* the three */
bool climb_was_told(const struct tree_visit *, uint32_t choice);

#endif
