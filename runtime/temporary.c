/* Temporary files: the C library draws their names from the real clock, so they are drawn here. Like those of arc4random they are
 * the same in every run, and differ from thread to thread. A process that was ended before it removed its file would be given another name when it is
 * started again: so what this search has made is known (struct wire_temporary), and is made anew. What others have made is left alone, as ever.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "rt.h"
#include "sys.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

uint32_t arc4random(void);                               /* older C libraries do not have it */
#pragma GCC poison malloc calloc free printf

enum { LETTERS = 6, TRIES = 10000 };

static void draw(char *at)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    for (int i = 0; i < LETTERS; i++)
        at[i] = letters[arc4random() % (sizeof letters - 1)];
}

static char *place_in(char *name, int after)             /* of the XXXXXX; NULL with errno */
{
    size_t length = strlen(name);
    if (after >= 0 && length >= LETTERS + (size_t)after && !memcmp(name + length - (size_t)after - LETTERS, "XXXXXX", LETTERS))
        return name + length - (size_t)after - LETTERS;
    errno = EINVAL;
    return NULL;
}

static bool is_taken(int result) { return result < 0 && errno == EEXIST; }

/* ---- what this search has made ---- */

static bool identify(const char *name, uint64_t *device, uint64_t *inode)
{
    struct stat about;
    if (RT_SYS(SYS_lstat, name, &about))
        return false;
    *device = about.st_dev;
    *inode = about.st_ino;
    return true;
}

/* The name from the root on, into `to`. False: it is too long. */
static bool whole_name(char to[MAX_TEMPORARY_NAME], const char *name)
{
    size_t length = strlen(name) + 1, before = 0;
    if (name[0] != '/') {
        long folder = RT_SYS(SYS_getcwd, to, MAX_TEMPORARY_NAME);        /* its length, with the 0 behind it */
        if (folder < 1)
            return false;
        before = (size_t)folder;
        to[before - 1] = '/';
    }
    if (before + length > MAX_TEMPORARY_NAME)
        return false;
    memcpy(to + before, name, length);
    return true;
}

/* NULL: nothing was made under this name. */
static struct wire_temporary *find(const char *whole)
{
    struct wire_batch *all = wire_batch(rt->wire);
    for (uint32_t i = 0; i < all->temporary_count && i < MAX_TEMPORARY; i++)
        if (!strcmp(all->temporary[i].name, whole))
            return &all->temporary[i];
    return NULL;
}

/* Where there is no room for it, or its name is too long, it is as if others had made it. */
static void note(const char *name)
{
    char whole[MAX_TEMPORARY_NAME];
    if (!rt || !whole_name(whole, name))
        return;
    struct wire_batch *all = wire_batch(rt->wire);
    struct wire_temporary *t = find(whole);
    if (!t && all->temporary_count < MAX_TEMPORARY) {
        uint32_t at = __atomic_fetch_add(&all->temporary_count, 1, __ATOMIC_RELAXED);
        t = at < MAX_TEMPORARY ? &all->temporary[at] : NULL;
    }
    if (!t)
        return;
    memcpy(t->name, whole, sizeof whole);
    identify(name, &t->device, &t->inode);
}

/* The files in a folder; what is below them stays. */
static void empty_folder(const char *name)
{
    struct entry { uint64_t inode, offset; uint16_t length; uint8_t kind; char name[]; } *e;
    _Alignas(8) char entries[4096];
    long folder = RT_SYS(SYS_open, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC), bytes;
    while (folder >= 0 && (bytes = RT_SYS(SYS_getdents64, folder, entries, sizeof entries)) > 0)
        for (long at = 0; at < bytes; at += e->length) {
            e = (struct entry *)(entries + at);
            RT_SYS(SYS_unlinkat, folder, e->name, 0);
        }
    if (folder >= 0)
        RT_SYS(SYS_close, folder);
}

/* What was made under this name before, if it is still that. */
static void remove_own(const char *name)
{
    char whole[MAX_TEMPORARY_NAME];
    uint64_t device, inode;
    const struct wire_temporary *t = rt && whole_name(whole, name) ? find(whole) : NULL;
    if (!t || !identify(name, &device, &inode) || device != t->device || inode != t->inode)
        return;
    if (RT_SYS(SYS_unlink, name)) {
        empty_folder(name);
        RT_SYS(SYS_rmdir, name);
    }
}

/* ---- making ---- */

static int make(char *name, int after, int flags)
{
    char *at = place_in(name, after);
    int fd = -1, before = errno;
    for (int i = 0; at && i < TRIES && (i == 0 || is_taken(fd)); i++) {
        draw(at);
        remove_own(name);
        fd = open(name, (flags & ~O_ACCMODE) | O_RDWR | O_CREAT | O_EXCL, 0600);
    }
    if (fd >= 0) {
        note(name);
        errno = before;
    }
    return fd;
}

#define MAKERS(X) \
    X(mkstemp, (char *name), 0, 0)                              X(mkstemp64, (char *name), 0, 0) \
    X(mkostemp, (char *name, int flags), 0, flags)              X(mkostemp64, (char *name, int flags), 0, flags) \
    X(mkstemps, (char *name, int after), after, 0)              X(mkstemps64, (char *name, int after), after, 0) \
    X(mkostemps, (char *name, int after, int flags), after, flags) \
    X(mkostemps64, (char *name, int after, int flags), after, flags)
#define X(function, parameters, after_it, flags_for_it) \
    RT_API int function parameters { return make(name, after_it, flags_for_it); }
MAKERS(X)
#undef X

RT_API char *mkdtemp(char *name)
{
    char *at = place_in(name, 0);
    int made = -1;
    for (int i = 0; at && i < TRIES && (i == 0 || is_taken(made)); i++) {
        draw(at);
        remove_own(name);
        made = mkdir(name, 0700);
    }
    if (made >= 0)
        note(name);
    return made < 0 ? NULL : name;
}

static bool exists(const char *name)
{
    struct stat about;
    return RT_SYS(SYS_lstat, name, &about) == 0;
}

RT_API char *mktemp(char *name)
{
    char *at = place_in(name, 0);
    for (int i = 0; at && i < TRIES; i++) {
        draw(at);
        if (!exists(name))
            return name;
    }
    *name = 0;
    return name;
}
