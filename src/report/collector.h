/* Watches a search and collects its errors: each once, replayed before it is believed, its scenario on disk.
 *
 * Invariant: an error met again (in another layer, or by another way) costs a look into a hash table and no more.
 * SPDX-License-Identifier: MIT */
#ifndef COLLECTOR_H
#define COLLECTOR_H

#include "report/condition.h"
#include "report/confirm.h"
#include "report/run.h"
#include "report/sss.h"

struct collector {
    const struct job   *job;
    struct run         *run;         /* the one that is searched */
    const struct trace *prefix;      /* how it came to the first state of the search */
    struct outcome     *outcome;
    struct sss         *sss;         /* NULL: the state space is not saved */
    uint64_t          (*seen)[2];    /* hash table of the errors met; {0, 0} is free */
    uint32_t            seen_count, seen_mask;
};

void collector_init(struct collector *, const struct job *, struct run *, const struct trace *prefix, struct outcome *);
void collector_fini(struct collector *);
struct watcher collector_watcher(struct collector *);                    /* to be given to search_run */

/* An error in the current state of the run, to which `trace` led from the initial global state. */
enum verdict collector_error(struct collector *, struct condition, const struct trace *);
/* The trace was not the same when it was run again. */
void collector_difference(struct collector *, const struct trace *, const struct confirmation *);
/* Writes the scenario file of the error (a failure to do so is a warning) and puts it into the outcome, which takes it. */
void collector_keep(struct collector *, const struct trace *, struct error *);

#endif
