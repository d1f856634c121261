/* What a process is beyond its memory, as far as it can be asked for: what it does about signals, where it stands among the
 * folders, its file creation mask, and its three standard files. (Other open files are in files.c.)
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "kernel.h"
#include "rt.h"
#include "sys.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#pragma GCC poison malloc calloc free printf

struct action { uint64_t handler, flags, restorer, mask; };      /* as the kernel has it */

static void add_signals(struct rt_kernel *k)
{
    for (int signal = 1; signal <= 64; signal++) {
        struct action action = {0};
        RT_SYS(SYS_rt_sigaction, signal, 0, &action, sizeof action.mask);
        if (action.handler == (uint64_t)SIG_DFL)
            continue;
        k->add(k->self, &signal, sizeof signal);
        k->add(k->self, &action, sizeof action);
    }
}

static void add_folder_and_mask(struct rt_kernel *k)
{
    long length = RT_SYS(SYS_getcwd, rt->lines, sizeof rt->lines), mask = RT_SYS(SYS_umask, 0);
    RT_SYS(SYS_umask, mask);
    k->add(k->self, &mask, sizeof mask);
    if (length > 0)
        k->add(k->self, rt->lines, (uint64_t)length);
}

struct rt_standard rt_look_at(int fd)
{
    struct stat about;
    if (RT_SYS(SYS_fstat, fd, &about) < 0)
        return (struct rt_standard){0};
    return (struct rt_standard){about.st_dev, about.st_ino};
}

/* A standard file that is still the one it had at the start says nothing: what was written to it is no state. How much was read is. */
static void add_standard_files(struct rt_kernel *k)
{
    for (int fd = 0; fd < 3; fd++) {
        struct rt_standard now = rt_look_at(fd);
        int64_t offset = RT_SYS(SYS_lseek, fd, 0, SEEK_CUR);
        if (!memcmp(&now, &rt->standard[fd], sizeof now) && (fd > 0 || !rt->input))
            continue;
        k->add(k->self, &fd, sizeof fd);
        k->add(k->self, &now, sizeof now);
        k->add(k->self, &offset, sizeof offset);
    }
}

void rt_remember_standard_files(void)
{
    for (int fd = 0; fd < 3; fd++)
        rt->standard[fd] = rt_look_at(fd);
    struct stat about;
    rt->input = RT_SYS(SYS_fstat, 0, &about) == 0 && S_ISREG(about.st_mode);
}

void rt_kernel_state(struct rt_kernel *k)
{
    add_signals(k);
    add_folder_and_mask(k);
    add_standard_files(k);
}
