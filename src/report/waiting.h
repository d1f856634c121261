/* Why a blocked process waits, and for whom, told from what happened in the scenario: who took the semaphore, who used to
 * send to the queue, which child still lives.
 * SPDX-License-Identifier: MIT */
#ifndef WAITING_H
#define WAITING_H

#include "report/run.h"
#include "report/trace.h"
#include "base/prose.h"

/* One sentence about a blocked process. Gives the processes (a mask) of which one could let it go on. `inside` is one that is
 * still on its way to the operation that it has here; -1: none. */
uint64_t waiting_why(const struct run *, const struct trace *, int process, int inside, struct prose *);

/* A line for each process in a state where none can go on, and the circle in which they wait, if there is one. */
void     waiting_all(const struct run *, const struct trace *, struct prose *);

/* How a process of a sharing group that has ended did so, in words that go on after its name, and the event in which (NULL: another
 * one ended it). Gives; brief: "returned". */
char    *waiting_end(const struct trace *, int process, bool brief, const struct event **);

#endif
