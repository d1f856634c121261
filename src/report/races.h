/* Data races in the report: each pair of places once, replayed in fresh processes before it is told, with the stacks of both.
 * SPDX-License-Identifier: MIT */
#ifndef REPORT_RACES_H
#define REPORT_RACES_H

#include "report/collector.h"
#include "system/datarace.h"

/* For datarace_new; the argument is the collector. */
bool races_tell(void *collector, const struct race *, const struct leg *path, uint32_t count);

/* Kind, depth, process, message and place of one that is on this trace, and who races. */
void races_describe(const struct run *, const struct trace *, const struct race *, struct error *);

/* What the search says of races, when it is over: into the outcome. */
void races_judge(struct outcome *, const struct run *, const struct datarace *, const struct job *);

#endif
