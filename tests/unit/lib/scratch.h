/* Where a test puts its files: in TMPDIR, which is a folder of its own when tests/run started it, and is thrown away with it, however
 * the test ended.
 * SPDX-License-Identifier: MIT */
#ifndef SCRATCH_H
#define SCRATCH_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SCRATCH_ROOM = PATH_MAX };

static inline void scratch_name(char to[SCRATCH_ROOM], const char *name)
{
    const char *place = getenv("TMPDIR");
    snprintf(to, SCRATCH_ROOM, "%s/%s-XXXXXX", place ? place : "/tmp", name);
}

/* False: it could not be made. */
static inline bool scratch_folder(char to[SCRATCH_ROOM], const char *name)
{
    scratch_name(to, name);
    return mkdtemp(to);
}

static inline bool scratch_file(char to[SCRATCH_ROOM], const char *name)
{
    scratch_name(to, name);
    int file = mkstemp(to);
    return file >= 0 && !close(file);
}

#endif
