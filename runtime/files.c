/* Open files: what a process keeps in the kernel and not in its memory.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "rt.h"
#include "sys.h"

#include <dirent.h>
#include <fcntl.h>
#pragma GCC poison malloc calloc free printf opendir readdir

static long number_of(const char *name)                  /* -1: "." and ".." */
{
    long n = 0;
    for (; *name; name++) {
        if (*name < '0' || *name > '9')
            return -1;
        n = 10 * n + *name - '0';
    }
    return n;
}

bool rt_has_open_files(void)
{
    long folder = RT_SYS(SYS_openat, AT_FDCWD, "/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0), got;
    bool found = false;
    while (!found && (got = RT_SYS(SYS_getdents64, folder, rt->lines, sizeof rt->lines)) > 0)
        for (long at = 0; at < got && !found; at += ((struct dirent64 *)(rt->lines + at))->d_reclen) {
            long fd = number_of(((struct dirent64 *)(rt->lines + at))->d_name);
            found = fd > 2 && fd != folder;
        }
    RT_SYS(SYS_close, folder);
    return found;
}
