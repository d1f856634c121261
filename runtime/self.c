/* What a process asks about itself: its processor, its group, its session. Answers that are the same in every run: all processes of a
 * program are in one group and one session, that of the first.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "rt.h"

#include <errno.h>
#include <sched.h>
#include <unistd.h>
#pragma GCC poison malloc calloc free printf

RT_INLINE int controlled_getcpu(unsigned *processor, unsigned *node)
{
    if (processor)
        *processor = 0;
    if (node)
        *node = 0;
    return 0;
}

RT_CONTROLLED(int, getcpu, (unsigned *processor, unsigned *node), (processor, node), NEXT, DO(controlled_getcpu(processor, node)))
RT_CONTROLLED(pid_t, getpgrp, (void), (), NEXT, DO(FIRST_PID))

static pid_t group_of(pid_t pid)
{
    if (pid == 0 || (pid >= FIRST_PID && pid < FIRST_PID + MAX_PROCESSES))
        return FIRST_PID;
    errno = ESRCH;
    return -1;
}

RT_CONTROLLED(pid_t, getpgid, (pid_t pid), (pid), NEXT, DO(group_of(pid)))
RT_CONTROLLED(pid_t, getsid, (pid_t pid), (pid), NEXT, DO(group_of(pid)))
