/* A crew whose commands are jobs of a cluster. SPDX-License-Identifier: MIT */
#ifndef SLURM_H
#define SLURM_H

#include "tasks/tasks.h"

struct slurm_settings {
    const char *name;                /* of its jobs: no other crew that is alive has it. Letters, digits, - and _ */
    const char *folder;              /* for what they say; all nodes see it */
    int         jobs;                /* in Slurm's hands at one time, at most */
    int         memory;              /* megabytes for one; 0: as the cluster has it */
};
struct crew *crew_slurm(const struct slurm_settings *, struct err *);    /* gives, return it with crew_free; NULL with err: there is no Slurm */

#endif
