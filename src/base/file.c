/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

FILE *file_open(const char *file, const char *what, struct err *err)
{
    struct stat status;
    int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0 || fstat(fd, &status)) {
        fail_errno(err, "%s: %s cannot be read", file, what);
    } else if (S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        fail_errno(err, "%s: %s cannot be read", file, what);
    } else if (!S_ISREG(status.st_mode)) {
        fail(err, "%s: %s cannot be read, because this is no regular file; copy it to one", file, what);
    } else {
        FILE *opened = fdopen(fd, "r");
        if (opened)
            return opened;
        fail_errno(err, "%s: %s cannot be read", file, what);
    }
    if (fd >= 0)
        close(fd);
    return NULL;
}
