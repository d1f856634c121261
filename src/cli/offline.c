/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "cli/offline.h"

#include <errno.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

bool offline_go(void) { return !unshare(geteuid() ? CLONE_NEWUSER | CLONE_NEWNET : CLONE_NEWNET); }

bool offline_can(void)
{
    int status = 0;
    pid_t pid = fork(), got;
    if (pid == 0)
        _exit(offline_go() ? 0 : 1);
    do
        got = waitpid(pid, &status, 0);
    while (pid > 0 && got < 0 && errno == EINTR);
    return pid > 0 && got == pid && WIFEXITED(status) && !WEXITSTATUS(status);
}
