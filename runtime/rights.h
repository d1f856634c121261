/* Who may use what has a name: owner, group and mode, as the kernel has them for files.
 * SPDX-License-Identifier: MIT */
#ifndef RT_RIGHTS_H
#define RT_RIGHTS_H

#include "sys.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

struct rt_rights { uint32_t owner, group; uint16_t mode; };

static inline struct rt_rights rt_rights_new(mode_t mode)
{
    mode_t mask = (mode_t)RT_SYS(SYS_umask, 0);          /* not umask: that is for the program's own calls, and noted */
    RT_SYS(SYS_umask, mask);
    return (struct rt_rights){.owner = geteuid(), .group = getegid(), .mode = (uint16_t)(mode & ~mask & 0777)};
}

static inline bool rt_may_open(const struct rt_rights *r, int flags)             /* flags: O_RDONLY and its like */
{
    int wanted = (flags & O_ACCMODE) == O_RDWR ? 6 : (flags & O_ACCMODE) == O_WRONLY ? 2 : 4;
    int shift = r->owner == geteuid() ? 6 : r->group == getegid() ? 3 : 0;
    return geteuid() == 0 || (r->mode >> shift & wanted) == wanted;
}

static inline bool rt_may_unlink(const struct rt_rights *r)
{
    return geteuid() == 0 || r->owner == geteuid();
}

#endif
