/* Open files: what a process keeps in the kernel and not in its memory.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "rt.h"
#include "sys.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
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

/* Calls `look` for each open file but the folder it reads them from; stops when it returns true. */
static bool each_file(bool (*look)(int fd))
{
    long folder = RT_SYS(SYS_openat, AT_FDCWD, "/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0), got = 0;
    bool found = false;
    while (!found && (got = RT_SYS(SYS_getdents64, folder, rt->lines, sizeof rt->lines)) > 0)
        for (long at = 0; at < got && !found; at += ((struct dirent64 *)(rt->lines + at))->d_reclen) {
            long fd = number_of(((struct dirent64 *)(rt->lines + at))->d_name);
            found = fd >= 0 && fd != folder && look((int)fd);
        }
    RT_SYS(SYS_close, folder);
    if (folder < 0 || got < 0)
        rt_fail("its open files cannot be looked at, because /proc/self/fd cannot be read: is /proc mounted, and may the program open one "
                "more file (see ulimit -n)?");
    return found;
}

static bool not_standard(int fd) { return fd > 2 || (fd == 0 && rt->input && RT_SYS(SYS_lseek, 0, 0, SEEK_CUR) > 0); }

bool rt_has_open_files(void)
{
    return each_file(not_standard);
}

void rt_name_of_number(int fd, char *name)
{
    static const char folder[] = "/proc/self/fd/";
    char digits[12];
    int count = 0;
    do
        digits[count++] = (char)('0' + fd % 10);
    while (fd /= 10);
    memcpy(name, folder, sizeof folder - 1);
    for (name += sizeof folder - 1; count > 0;)
        *name++ = digits[--count];
    *name = 0;
}

/* The same file, opened anew, at the same place; only files that have a place have one to lose. */
static bool reopen(int fd)
{
    char name[40];
    long flags = RT_SYS(SYS_fcntl, fd, F_GETFL), place = RT_SYS(SYS_lseek, fd, 0, SEEK_CUR);
    if (fd == 1 || fd == 2 || flags < 0 || place < 0)
        return false;
    rt_name_of_number(fd, name);
    long again = RT_SYS(SYS_openat, AT_FDCWD, name, flags & ~(O_CREAT | O_EXCL | O_TRUNC), 0);
    if (again < 0)                   /* what the copy reads or writes would move on the original */
        rt_fail("a file that it has open cannot be opened once more, for a copy of the process: may it have one more file (see ulimit "
                "-n), and still open this one?");
    RT_SYS(SYS_lseek, again, place, SEEK_SET);
    if (RT_SYS(SYS_dup3, again, fd, RT_SYS(SYS_fcntl, fd, F_GETFD) & FD_CLOEXEC ? O_CLOEXEC : 0) < 0)
        rt_fail("a file that it has open cannot be replaced in a copy of the process (dup3 is refused)");
    RT_SYS(SYS_close, again);
    return false;
}

void rt_reopen_files(void)
{
    each_file(reopen);
}
