/* Works off the queue: a command for each run, by a crew (tasks/). The command writes what came of the run to a file, and while it goes on the verifier
 * tells how far it is in another. Invariant: every run that is `running` in the database has a command here, once work_step() has come back.
 * SPDX-License-Identifier: MIT */
#ifndef WORK_H
#define WORK_H

#include "farm/farm.h"
#include "tasks/tasks.h"

struct work_settings { int memory; double seconds; int trails; };        /* megabytes; for one run, 0: no limit; of a failure */

struct work;
struct work *work_new(struct farm *, struct crew *, const struct work_settings *);       /* takes the crew; gives, return it with work_free */
void         work_free(struct work *);                           /* NULL is fine. What runs is stopped, and stays in the queue */

/* Starts what there is room for, stops what nobody wants any more, waits for up to so many milliseconds. *news: something has ended or begun. */
int          work_step(struct work *, int milliseconds, bool *news, struct err *);
bool         work_is_done(struct work *);                        /* nothing runs, and nothing waits */
json_t      *work_live(struct work *);                           /* an object for each that runs: run, property, kind, bits, and what its verifier tells; gives */

#endif
