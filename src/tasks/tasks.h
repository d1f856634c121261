/* Runs independent commands, some at a time; each has files for its input and output, so that any machine could run it. One that died is
 * tried again.
 *
 * Invariant: when tasks_run comes back, whatever the reason, none of its commands is running.
 * SPDX-License-Identifier: MIT */
#ifndef TASKS_H
#define TASKS_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

struct task {
    char *const *command;            /* NULL at the end; borrowed */
    int          status;             /* its exit status; -1: it was not run to its end */
    int          tries;
    char        *said;               /* what it printed, the first bytes of it; NULL: nothing. Owned; return it with free */
};

struct tasks_settings {
    int                 jobs;        /* at a time, at most */
    int                 tries;       /* of one that dies by a signal */
    const volatile int *interrupt;   /* not 0: end them all; NULL: never */
    /* NULL, or: this one has come to its end; false: the others need not be run. */
    bool              (*ended)(void *self, uint32_t task, uint32_t done);
    void               *self;
};

/* 0; -EINTR: interrupted. Else negative with err: one could not be started, or died again and again. */
int tasks_run(struct task *, uint32_t count, const struct tasks_settings *, struct err *);

#endif
