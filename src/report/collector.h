/* Watches a search and collects what it finds: each once, replayed before it is believed, its scenario on disk.
 *
 * Invariant: only what a replay in fresh processes confirmed counts as an error. What is alike (alike.h) is one finding with a count
 * of its paths, of which the shortest that was confirmed is told. What counts as what is counted: `counted` of the outcome says how many.
 * SPDX-License-Identifier: MIT */
#ifndef COLLECTOR_H
#define COLLECTOR_H

#include "report/alike.h"
#include "report/confirm.h"
#include "report/run.h"
#include "report/sss.h"

struct collector {
    const struct job   *job;
    struct run         *run;         /* the one that is searched */
    const struct trace *prefix;      /* how it came to the first state of the search */
    struct outcome     *outcome;
    struct sss         *sss;         /* NULL: the state space is not saved */
    struct alikes       alikes;
    bool                again;       /* everything is to begin again: a habit of the program has shown */
    bool                deaf, heard; /* in a copy (helping.h): nothing is told; something would have been */
};

void collector_init(struct collector *, const struct job *, struct run *, const struct trace *prefix, struct outcome *);
void collector_fini(struct collector *);                                 /* when nothing more is found */
struct watcher collector_watcher(struct collector *);                    /* to be given to search_run */

/* Something in the current state of the run, to which `trace` led from the initial global state. */
enum verdict collector_error(struct collector *, struct condition, const struct trace *);
/* The trace was not the same when it was run again. */
void collector_difference(struct collector *, const struct trace *, const struct confirmation *);
/* Writes the scenario file of the error (a failure to do so is a warning) and puts it into the outcome, which takes it. */
void collector_add(struct collector *, const struct trace *, struct error *);

#endif
