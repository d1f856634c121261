/* A temporary folder that is gone when we are, whatever ends us: SIGKILL too. A janitor process in a session of its own waits
 * for the other end of a socket to close, which only our end can do, then kills the compiler we may have left, cancels the jobs that a cluster has of us, and removes the
 * folder. The janitor makes the folder, so there is no moment at which it exists and nobody would remove it.
 *
 * Invariant: the janitor holds nothing of ours open but its end of the socket: no output, no current folder.
 * SPDX-License-Identifier: MIT */
#ifndef SCRATCH_H
#define SCRATCH_H

#include "base/err.h"

#include <limits.h>
#include <sys/types.h>

struct scratch {
    char  folder[PATH_MAX];          /* absolute; "" when not open */
    int   socket;                    /* closed on exec */
    pid_t janitor;
};

int  scratch_open(struct scratch *, struct err *);               /* in $TMPDIR, or /tmp */
void scratch_close(struct scratch *);                            /* removes the folder; fine when not open */
/* Jobs of Slurm by this name are cancelled when we die; "": none any more. */
void scratch_cancel(const struct scratch *, const char *name);
void scratch_watch(const struct scratch *, pid_t group);         /* a process group to kill when we die; 0: none any more */

#endif
