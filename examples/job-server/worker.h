/* A worker: a process that does one job after the other. SPDX-License-Identifier: MIT */
#ifndef WORKER_H
#define WORKER_H

#include "channel.h"

enum { WORKER_WELL = 0, WORKER_LOST = 3 };                       /* exit status; LOST: its server is gone or talks nonsense */

/* Until it is told to stop, hears the end, or has done `limit` jobs (0: any number). Gives the exit status. */
int worker_run(struct channel *, unsigned limit);

#endif
