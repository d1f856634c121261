/* The jobs of a server, from when they are submitted until they have a result; those that wait stand in line.
 *
 *     waiting --> running --> finished
 *        ^-----------/                    its worker died, and it may be tried again
 *
 * Invariant: a job is finished once, and waits or runs until then.
 * SPDX-License-Identifier: MIT */
#ifndef BACKLOG_H
#define BACKLOG_H

#include "job.h"

struct entry {
    struct job job;
    enum { WAITING, RUNNING, FINISHED } state;
    unsigned   attempts;             /* times that it was begun */
    uint32_t   next;                 /* in line; NO_JOB: the last */
};

#define NO_JOB UINT32_MAX

struct backlog {
    struct entry *entries;           /* the number of a job is its index */
    uint32_t      count, room;
    uint32_t      first, last;       /* of the line; NO_JOB: nobody waits */
    uint32_t      open;              /* not finished */
};

void backlog_init(struct backlog *);
void backlog_fini(struct backlog *);
int  backlog_add(struct backlog *, const struct job *, uint32_t *id);    /* 0 or -ENOMEM */
uint32_t backlog_begin(struct backlog *);                        /* the first in line runs from now on; NO_JOB: none */
void backlog_again(struct backlog *, uint32_t id);               /* from running back to the line, at its head */
void backlog_finish(struct backlog *, uint32_t id);
const struct entry *backlog_entry(const struct backlog *, uint32_t id);  /* NULL: there is no such job */

#endif
