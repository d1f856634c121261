/* What fstat tells of an open file: of those of the runtime what it knows, of standard input, output and error what is the same
 * in every start of the program, unless they are plain files.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "descriptors.h"
#include "sys.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#pragma GCC poison malloc calloc free printf

static const mode_t modes[] = {[RT_STREAM] = S_IFIFO | 0600, [RT_MEMORY] = S_IFREG | 0600, [RT_MQUEUE] = S_IFREG | 0600,
                               [RT_NULL] = S_IFCHR | 0666, [RT_ZERO] = S_IFCHR | 0666, [RT_RANDOM] = S_IFCHR | 0666};

enum { FIRST_STANDARD = 100 };       /* an inode; those of the runtime's files come before */

static void fill(struct stat *about, mode_t mode, ino_t inode, off_t size)
{
    memset(about, 0, sizeof *about);
    about->st_mode = mode;
    about->st_nlink = 1;
    about->st_blksize = 4096;
    about->st_ino = inode;
    about->st_size = size;
}

static int describe(const struct rt_file *f, struct stat *about)
{
    const struct rt_id *id = f->kind == RT_MEMORY ? rt_id_of(RT_OBJECTS, f->number) : NULL;
    fill(about, f->kind == RT_STREAM && f->socket ? S_IFSOCK | 0777 : modes[f->kind], (ino_t)(1 + f->kind), id ? (off_t)id->bytes : 0);
    if (id) {
        about->st_mode = S_IFREG | id->rights.mode;
        about->st_uid = id->rights.owner;
        about->st_gid = id->rights.group;
    }
    return 0;
}

/* When a file was last read is no state: reading it changes that. */
static void steady(struct stat *about)
{
    about->st_atim = about->st_mtim;
    if (rt->input && about->st_dev == rt->standard[0].device && about->st_ino == rt->standard[0].inode)
        fill(about, S_IFREG | 0644, FIRST_STANDARD, about->st_size);
    for (int i = 0; i < 3 && !S_ISREG(about->st_mode); i++)
        if (about->st_dev == rt->standard[i].device && about->st_ino == rt->standard[i].inode)
            fill(about, i ? S_IFCHR | 0666 : S_IFIFO | 0600, (ino_t)(FIRST_STANDARD + i), 0);
}

static int tell(int fd, struct stat *about)
{
    if (rt_file_of(fd))
        return describe(rt_file_of(fd), about);
    long result = RT_SYS(SYS_fstat, fd, about);
    if (result == 0)
        steady(about);
    return (int)rt_answer(result);
}

RT_CONTROLLED(int, fstat, (int fd, struct stat *about), (fd, about), KERNEL(SYS_fstat, fd, about), DO(tell(fd, about)))

RT_API int fstat64(int fd, struct stat64 *about) { return fstat(fd, (struct stat *)about); }

/* As programs call it that were linked with a C library before 2.33. */
RT_API int __fxstat(int version, int fd, struct stat *about);
RT_API int __fxstat64(int version, int fd, struct stat64 *about);
RT_API int __fxstat(int version, int fd, struct stat *about) { (void)version; return fstat(fd, about); }
RT_API int __fxstat64(int version, int fd, struct stat64 *about) { (void)version; return fstat(fd, (struct stat *)about); }

static int tell_at(int fd, const char *path, struct stat *about, int flags)
{
    if (flags & AT_EMPTY_PATH && !*path)
        return tell(fd, about);
    return (int)rt_answer(rt_file_of(fd) && *path != '/' ? -ENOTDIR : RT_SYS(SYS_newfstatat, fd, path, about, flags));
}

RT_CONTROLLED(int, fstatat, (int fd, const char *path, struct stat *about, int flags), (fd, path, about, flags),
    KERNEL(SYS_newfstatat, fd, path, about, flags), DO(tell_at(fd, path, about, flags)))

RT_API int fstatat64(int fd, const char *path, struct stat64 *about, int flags)
{
    return fstatat(fd, path, (struct stat *)about, flags);
}
