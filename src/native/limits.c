/* SPDX-License-Identifier: MIT */
#include "native/limits.h"

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

void limits_name(struct err *err)
{
    if (!err)
        return;
    name(err, "memory is", RLIMIT_AS, 'v', 1024, RLIM_INFINITY);
    name(err, "memory is", RLIMIT_DATA, 'd', 1024, RLIM_INFINITY);
    name(err, "open files are", RLIMIT_NOFILE, 'n', 1, FEW_FILES);
}
