/* SPDX-License-Identifier: MIT */
#include "base/limits.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

enum { FEW_FILES = 32 };

static void name(struct err *err, const char *what, int which, char letter, rlim_t unit, rlim_t below)
{
    struct rlimit limit;
    size_t used = strlen(err->text);
    if (getrlimit(which, &limit) == 0 && limit.rlim_cur < below)
        snprintf(err->text + used, sizeof err->text - used, "; %s limited (ulimit -%c %llu): allow more", what, letter,
                 (unsigned long long)(limit.rlim_cur / unit));
}

void limits_of_memory(struct err *err)
{
    name(err, "memory is", RLIMIT_AS, 'v', 1024, RLIM_INFINITY);
    name(err, "memory is", RLIMIT_DATA, 'd', 1024, RLIM_INFINITY);
}

void limits_behind(struct err *err, int code)
{
    if (code == ENOMEM)
        limits_of_memory(err);
    if (code == EAGAIN)
        name(err, "processes are", RLIMIT_NPROC, 'u', 1, RLIM_INFINITY);
    if (code == EMFILE)
        name(err, "open files are", RLIMIT_NOFILE, 'n', 1, RLIM_INFINITY);
    if (code == EFBIG)
        name(err, "the size of files is", RLIMIT_FSIZE, 'f', 1024, RLIM_INFINITY);
}

void limits_of_start(struct err *err)
{
    limits_of_memory(err);
    name(err, "open files are", RLIMIT_NOFILE, 'n', 1, FEW_FILES);
}
