/* Executes a scenario that was read from a file. What the file leaves out (operations, results) is filled in from the
 * program; what it says must be so. Invariant: whatever a file says, only what can go is executed, with a result that it can have.
 * SPDX-License-Identifier: MIT */
#ifndef FOLLOW_H
#define FOLLOW_H

#include "report/path.h"
#include "report/run.h"
#include "report/trace.h"

/* The choice with which its process does what the step says, without executing it. Fails as follow_step does. */
int follow_choice(struct run *, const struct trace *before, const struct path_step *, const char *file, uint32_t *choice, struct err *);

/* Executes one step of the scenario and adds it to the trace. -EINVAL when the program cannot do it: err names the line,
 * what it says and what the program does instead. */
int follow_step(struct run *, const struct path_step *, const char *file, struct trace *, struct err *);
int follow_path(struct run *, const struct path *, const char *file, struct trace *, struct err *);

/* What the next transition of an enabled process would give back with this choice, as it prints. Gives; NULL: nothing, or it
 * is known only then, as the number of a new process. */
char *follow_result(struct run *, int process, uint32_t choice);

#endif
