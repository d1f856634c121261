/* Temporary files: the C library draws their names from the real clock, so they are drawn here. Like those of arc4random they are
 * the same in every run, and differ from thread to thread.
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

static int make(char *name, int after, int flags)
{
    char *at = place_in(name, after);
    int fd = -1, before = errno;
    for (int i = 0; at && i < TRIES && (i == 0 || is_taken(fd)); i++) {
        draw(at);
        fd = open(name, (flags & ~O_ACCMODE) | O_RDWR | O_CREAT | O_EXCL, 0600);
    }
    if (fd >= 0)
        errno = before;
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
        made = mkdir(name, 0700);
    }
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
