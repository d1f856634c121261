/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "certifier/spool.h"

#include "base/prose.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

FILE *spool_open(const char *near)
{
    const char *slash = strrchr(near, '/');
    char *folder = slash ? prose_make("%.*s", (int)(slash - near + 1), near) : prose_make(".");
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    free(folder);
    return fd < 0 ? tmpfile() : fdopen(fd, "w+");
}

int spool_copy(FILE *spool, uint64_t at, uint64_t bytes, FILE *to)
{
    char buffer[1 << 16];
    errno = 0;
    if (fseeko(spool, (off_t)at, SEEK_SET))
        return -errno;
    while (bytes) {
        size_t want = bytes < sizeof buffer ? (size_t)bytes : sizeof buffer, got = fread(buffer, 1, want, spool);
        if (!got || fwrite(buffer, 1, got, to) != got)
            return -(errno ? errno : EIO);
        bytes -= got;
    }
    return 0;
}
