/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "plain_files.h"
#include "sys.h"
#include "thread.h"

#include <string.h>
#include <unistd.h>
#pragma GCC poison malloc calloc free printf

/* What one does while there is nobody else comes before or after all that others do. */
static bool alone(void) { return rt_alone() && !rt_has_forked(); }

static bool several(uint64_t set) { return set & (set - 1); }

/* Asked here for all: some functions that come here are the same in each mode. Who is alone, and always was, is spared the look for the
 * file's name. */
static bool is_told(void)
{
    return rt_in_group() && !rt_thread.tells && !(alone() && !several(rt_root->changers));
}

/* Does somebody look at what another one changes? Of those who come one after the other, because there is nobody else meanwhile, only who
 * looks last sees something that may differ: in which order several have changed it. */
static bool meets_others(struct rt_file_users *users, unsigned how)
{
    uint64_t self = UINT64_C(1) << rt_self();
    if (alone())
        return how & RT_LOOKS && several(users->changed);
    if (how & RT_LOOKS)
        users->looked |= self;
    if (how & RT_CHANGES)
        users->changed |= self, rt_root->changers |= self;
    return (how & RT_LOOKS && users->changed & ~self) || (how & RT_CHANGES && users->looked & ~self);
}

static const void *object_of(const char *name, unsigned how)
{
    const char *bucket = rt_bucket(RT_FILE_NAMES, 0, name);
    bool operation = rt->wire->group & GROUP_BY_FILES ? !alone() : meets_others(&rt_root->users[bucket - rt_root->buckets], how);
    return operation ? bucket : NULL;
}

/* In a buffer of the runtime's own, without the slashes at its end. */
static const char *last_part(const char *path, size_t length)
{
    while (length > 1 && path[length - 1] == '/')
        length--;
    size_t begin = length;
    while (begin && path[begin - 1] != '/')
        begin--;
    memmove(rt->lines, path + begin, length - begin);
    rt->lines[length - begin] = 0;
    return rt->lines;
}

const void *rt_named_file(const char *path, unsigned how, const char **kept)
{
    if (!is_told() || !path || strlen(path) >= sizeof rt->lines)
        return NULL;
    *kept = last_part(path, strlen(path));
    return object_of(*kept, how);
}

static bool is_standard(int fd)      /* as it was at the start */
{
    if (fd > 2)
        return false;
    struct rt_standard now = rt_look_at(fd);
    return !memcmp(&now, &rt->standard[fd], sizeof now);
}

const void *rt_open_file(int fd, unsigned how, const char **kept)
{
    static const char deleted[] = " (deleted)";
    enum { LENGTH = sizeof deleted - 1 };
    char link[40];
    if (!is_told() || rt_kind_of(fd) != RT_KERNEL || is_standard(fd))
        return NULL;
    rt_name_of_number(fd, link);
    long length = RT_SYS(SYS_readlink, link, rt->lines, sizeof rt->lines - 1);
    if (length <= 0)
        return NULL;
    if (length > LENGTH && !memcmp(rt->lines + length - LENGTH, deleted, LENGTH))
        length -= LENGTH;
    *kept = last_part(rt->lines, (size_t)length);
    return object_of(*kept, how);
}
