/* One start of the program with the system made from it, and the program's words for what stands in that system.
 * A job has one to search and a fresh one for each replay; they share the table of texts, so that operations and results
 * of two runs can be compared by their numbers.
 * SPDX-License-Identifier: MIT */
#ifndef RUN_H
#define RUN_H

#include "report/job.h"
#include "report/names.h"
#include "report/trace.h"

struct run {
    struct native  *native;          /* NULL: somebody else started it: */
    const struct starter *starter;   /* NULL: nobody else did */
    void           *program;         /* what that one gave */
    struct history *history;         /* what is known of the program: native and system borrow it */
    struct system  *system;
    struct datarace *datarace;       /* NULL: nobody looks for data races */
    struct held     *held;           /* NULL: nobody tells what variables hold */
    struct start    start;
    struct names    names;            /* of the scenario that it follows */
    bool            compiled;        /* from sources, by us */
};

/* To try all paths; to follow one of which is known what was visible in it; or one of which that shows while it is followed: then what goes a
 * step fails with -ERESTART, and it is to be followed again from the start. */
enum run_purpose { RUN_SEARCH, RUN_FOLLOW, RUN_TRY };
/* `output`: file descriptor for what the program prints, -1: discard. On failure nothing is left running. */
int  run_start(struct run *, const struct job *, enum run_purpose, int output, struct texts *, struct err *);
void run_stop(struct run *);                                             /* an empty run is fine */

struct where *run_where(const struct run *);     /* as native_where; NULL where it is not native's */

/* Do its processes share memory, or are they threads: is it a sharing group? */
static inline bool run_shares(const struct run *run) { return run->start.group; }

/* All give; they come without line breaks or control characters. `before`: what happened until then in this run, which tells the
 * names of objects (names.h); NULL: nobody knows. */
char *run_operation(const struct run *, const struct trace *before, const struct op *);          /* send_to_queue(0, "hot") */
char *run_operation_on(const struct run *, const struct op *, const char *object);     /* the same, with the object called so */
char *run_waits_in(const struct run *, const struct trace *before, const struct op *);   /* of one that blocks, which reads otherwise */
char *run_result(const struct run *, const struct op *, uint32_t result);        /* "hot" in its quotes; NULL: it has none */
char *run_transition(const struct run *, const struct trace *before, const struct op *, uint32_t result);        /* both, with = between */
char *run_event(const struct run *, const struct trace *, uint32_t event);       /* the same of an event of a trace, with what a variable held: read x (1) */
char *run_location(const struct run *, const struct op *);               /* main.c:42; NULL: unknown */
char *run_function(const struct run *, const struct op *);               /* in which it stands; NULL: unknown */
char *run_object(const struct run *, const struct trace *before, uint32_t object);       /* queue 0 */
const char *run_below_here(const char *file);                            /* a file below the current folder, as one would name it */
int   run_processes(const struct run *);                                 /* that are or were there; in a group: so far */
char *run_objects(const struct run *);                                   /* 2 queues, 1 semaphore */
/* Each file of the program's own source: as run_location names it, and its whole path. A file may come several times. */
void run_sources(const struct run *, void (*each)(void *, const char *file, const char *path), void *arg);
/* Did somebody else kill the process that stands at this end? Then its death says nothing about the program. */

#endif
