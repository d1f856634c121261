/* What a process asks about itself: its processor, its group, its session. Answers that are the same in every run: all processes of a
 * program are in one group and one session, that of the first.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "rt.h"

#include <errno.h>
#include <sched.h>
#include <unistd.h>
#pragma GCC poison malloc calloc free printf

RT_API int getcpu(unsigned *processor, unsigned *node)
{
    if (!rt_controlled())
        return RT_NEXT(getcpu)(processor, node);
    if (processor)
        *processor = 0;
    if (node)
        *node = 0;
    return 0;
}

RT_API pid_t getpgrp(void)
{
    return rt_controlled() ? FIRST_PID : RT_NEXT(getpgrp)();
}

static pid_t group_of(pid_t pid)
{
    if (pid == 0 || (pid >= FIRST_PID && pid < FIRST_PID + MAX_PROCESSES))
        return FIRST_PID;
    errno = ESRCH;
    return -1;
}

RT_API pid_t getpgid(pid_t pid)
{
    return rt_controlled() ? group_of(pid) : RT_NEXT(getpgid)(pid);
}

RT_API pid_t getsid(pid_t pid)
{
    return rt_controlled() ? group_of(pid) : RT_NEXT(getsid)(pid);
}
