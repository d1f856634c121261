/* Runs independent commands, some at a time; each has files for its input and output, so that any machine could run it.
 *
 * A crew runs them one by one as they come, here or elsewhere (crew.h says what a place is); tasks_run has a list of them, and tries again what died.
 *
 * Invariant: when tasks_run or crew_free comes back, whatever the reason, none of its commands is running.
 * SPDX-License-Identifier: MIT */
#ifndef TASKS_H
#define TASKS_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

struct crew;
struct crew_ended {
    uint64_t ticket;
    int      status;                 /* its exit status; -1: it died */
    int      signal;                 /* by which it died; 0: by none that is known */
    char    *said;                   /* what it printed, the first bytes of it, or why it died where that is known; NULL: nothing. Owned */
};

struct crew *crew_here(int jobs);                                /* processes of ours, so many at a time; gives, return it with crew_free */
void         crew_free(struct crew *);                           /* NULL is fine */
uint32_t     crew_room(const struct crew *);                     /* for so many more */
struct crew_order { char *const *command; uint64_t ticket; };    /* the command ends with NULL; borrowed */
int          crew_start(struct crew *, const struct crew_order *, uint32_t count, struct err *); /* all of them, for which there is room; or negative: none runs */
void         crew_stop(struct crew *, uint64_t ticket);          /* nothing more is heard of it; fine when there is none */
/* Waits for up to so many milliseconds; 1: one has ended. 0: none. Negative with err: nothing can be known of them. */
int          crew_look(struct crew *, int milliseconds, struct crew_ended *, struct err *);
const char  *crew_machine(const struct crew *, uint64_t ticket); /* that runs it; "" when that is not known */

struct task {
    char *const *command;            /* NULL at the end; borrowed */
    int          status;             /* its exit status; -1: it was not run to its end */
    int          tries;
    char        *said;               /* what it printed, the first bytes of it; NULL: nothing. Owned; return it with free */
};

struct tasks_settings {
    struct crew        *crew;        /* who runs them; taken. NULL: processes of ours */
    int                 jobs;        /* at a time, at most, where there is no crew */
    int                 tries;       /* of one that dies */
    const volatile int *interrupt;   /* not 0: end them all; NULL: never */
    /* NULL, or: this one has come to its end; false: the others need not be run. */
    bool              (*ended)(void *self, uint32_t task, uint32_t done);
    void               *self;
};

/* 0; -EINTR: interrupted. Else negative with err: one could not be started, or died again and again. */
int tasks_run(struct task *, uint32_t count, const struct tasks_settings *, struct err *);

#endif
