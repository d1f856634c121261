/* Executes a scenario that was read from a file. What the file leaves out (operations, results) is filled in from the
 * program; what it says must be so.
 * SPDX-License-Identifier: MIT */
#ifndef FOLLOW_H
#define FOLLOW_H

#include "report/path.h"
#include "report/run.h"
#include "report/trace.h"

/* Executes one step of the scenario and adds it to the trace. -EINVAL when the program cannot do it: err names the line,
 * what it says and what the program does instead. */
int follow_step(struct run *, const struct path_step *, const char *file, struct trace *, struct err *);
int follow_path(struct run *, const struct path *, const char *file, struct trace *, struct err *);

#endif
