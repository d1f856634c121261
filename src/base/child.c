/* SPDX-License-Identifier: MIT */
#include "base/child.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

void child_dies_with(pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(127);
}
