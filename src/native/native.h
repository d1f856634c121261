/* The program under test: starts it, runs its processes one at a time, keeps parked copies of them where the search may
 * come back, and leaves nothing behind.
 *
 * Invariant: between two calls every process of the program is parked before a visible operation, or gone.
 * A `struct native` is one start of the program; several can live side by side (one to search, a fresh one to replay).
 * SPDX-License-Identifier: MIT */
#ifndef NATIVE_H
#define NATIVE_H

#include "native/outside.h"
#include "base/err.h"
#include "base/texts.h"
#include "history/runner.h"
#include "history/habits.h"
#include "history/visible.h"
#include "history/start.h"
#include "wire.h"

#include <stdio.h>
#include <sys/types.h>

struct where;
struct memory_view;

/* Who wants to know what variables hold wherever a process comes to stand, or a sharing group. */
struct noter {
    void *self;
    /* Of a process that stands still. Fills `count`. 0, or negative with err: what is asked for is not there. */
    int (*note)(void *self, struct where *, struct memory_view *, const struct noted **, uint32_t *count, struct err *);
    bool must;                       /* where that cannot be known it is an error; else nothing is noted then */
};

struct native_settings {
    const char  *executable;         /* path */
    char *const *arguments;          /* argv[1..] of the program, NULL at the end; NULL: none */
    char *const *environment;        /* further variables for it, NAME or NAME=VALUE, NULL at the end; NULL: none */
    int          divergence_limit;   /* seconds of processor time between two visible operations */
    bool         sigusr2;            /* end a process by SIGUSR2 (then SIGKILL if it does not go) instead of SIGKILL */
    int          output;             /* file descriptor for the program's standard output and error; -1: discard */
    int          input;              /* file descriptor of a file that each start reads from its beginning; -1: nobody is there */
    int          max_parked;         /* copies kept; 0: default */
    bool         one_path;           /* a path is followed, not a tree: copies are kept only here and there */
    bool         group;              /* the program is a sharing group (wire.h) */
    bool         restart;            /* in a group: to go back start again, instead of putting memory back */
    bool         states;             /* in a group: every arrival tells what memory comes to, by which states can be compared */
    bool         pooled;             /* and what one thread frees, the one can be given again that allocated it */
    bool         timers_any;         /* in a group: timers expire in any order, not in that of virtual time */
    bool         timers_late;        /* in a group: they expire only when nobody else can go on */
    uint32_t     overruns;           /* how often one that repeats may expire while nobody has seen the last time: up to MOST_OVERRUNS */
    bool         spurious;           /* in a group: condition variables may wake for no reason */
    bool         threads;            /* for a debugger: a process is one live process from start to end (in a group a thread one of
                                        the kernel); equal states stay apart, so every transition is run; never goes back */
    struct outside *outside;         /* borrowed: operations that go as soon as they can; NULL: none */
    const char  *preload;            /* the runtime as a library, for a program that was not linked with it */
    struct noter noter;              /* self NULL: nobody */
    struct visible *visible;         /* borrowed: locations whose accesses are operations; NULL: accesses are not looked at. It grows by those
                                        without which the program cannot be run: then -ERESTART */
    struct habits *habits;           /* borrowed: what it was seen to do; NULL: that is not looked at */
    bool         demand;             /* that atomic variables which are shared are visible; else they are as the list has them */
    bool         plain_volatile;     /* volatile variables are plain ones, not atomic */
    const volatile int *interrupt;   /* non-zero: stop waiting and return -EINTR; NULL: never */
};

struct native_counts {
    uint64_t transitions, starts, restores;
    char     starts_again[64];       /* in a group: why it does so instead of putting memory back; "": it does not, or was told to */
};

bool native_linked(const char *executable);      /* is the runtime in it? Else it can only run as a group, with `preload` */

struct native;
struct place;
/* Starts the program and runs it to its initial global state; -EINVAL with words in err when it is no program that can be
 * checked (not executable, not linked with the runtime, another wire version). Gives; return it with native_stop.
 * -EXDEV, from this or from the runner: it does what only a group can; start it again with `group`. */
int  native_start(struct native **, const struct native_settings *, const struct history *, struct texts *, struct start *,
                  struct err *);
void native_stop(struct native *);                               /* kills and reaps every process; NULL is fine */

/* -ERESTART, from the runner: there are more visible locations than before, and everything begins again. */
bool native_instrumented(const struct native *);         /* does the program tell of its reads and writes? */
bool native_fixed(const struct native *);                /* does it lie at the same addresses in every start? */

const char *native_executable(const struct native *);            /* its path */
const struct visible *native_visible(struct native *);           /* where they lie in this run; NULL: accesses are not looked at */
const struct habits *native_habits(const struct native *);   /* likewise */

/* Of a sharing group: who called whom, in the program's own source, from this place on, of the process that came to stand before its
 * operation last. Gives how many. */
int native_stack(struct native *, uint64_t place, struct place *, int room);

/* In a copy of the controller's process (fork), of a sharing group: the program's processes are not its own. It starts the program again when it
 * next runs it. Negative with err: that cannot be. */
int  native_renew(struct native *, struct err *);
/* Of so many that search on this machine at one time, each with a program of its own, it is the one at this place, below `of`: each has a core for itself and
 * its program, as long as there are as many. */
void native_take_place(struct native *, uint32_t place, uint32_t of);
uint64_t *native_numbers(struct native *);       /* transitions, starts, restores, of which more can be counted */

const struct runner *native_runner(const struct native *);       /* borrowed; its graphs are those of the history */
/* The UNIX process that stands there, for a debugger; in a group `process` is its first thread. 0: there is none. */
pid_t native_pid(const struct native *, int process, uint32_t node);
struct native_counts native_counts(const struct native *);
struct where *native_where(struct native *);     /* borrowed; made at the first call; NULL: there is nothing to read it from */
/* By which expression the program reached an object that was made at this place, as seen then: pool->lock. A second object of that name
 * has " #2" behind it. place 0: the last time. NULL: unknown. */
const char *native_object_name(const struct native *, uint32_t object, uint64_t place);
bool native_comparable(const struct native *);   /* two starts give equal fingerprints: the machine allows fixed addresses */
bool native_alike(const struct native *, const struct native *);     /* those of these two do, too: their libraries lie in the same places */

#endif
