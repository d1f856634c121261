/* Sends parts of a search to other processes, here or on a cluster, as tasks with a file each (outpost.h), and hears from them.
 *
 * One that dies, or that the cluster has lost, is begun again, three times in all. After that it comes to nothing: whoever asked searches that part himself, and the
 * report notes why. Invariant: when missions_close comes back none of them is running, and none is in a cluster's queue; so it is when this process is killed.
 * SPDX-License-Identifier: MIT */
#ifndef MISSIONS_H
#define MISSIONS_H

#include "cli/plan.h"

struct missions;
/* NULL: the plan asks for none, or with err: they cannot be. It is lent to both searches of the plan's job, and has to be closed before the plan is freed. */
struct missions *missions_open(struct plan *, struct err *);
void             missions_close(struct missions *, struct outcome *);    /* NULL is fine */

#endif
