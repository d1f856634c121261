/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "cli/input.h"

#include "cli/words.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int write_all(int to, const char *from, size_t bytes)
{
    while (bytes) {
        ssize_t done = write(to, from, bytes);
        if (done < 0 && errno != EINTR)
            return -1;
        from += done > 0 ? done : 0;
        bytes -= done > 0 ? (size_t)done : 0;
    }
    return 0;
}

static int copy(int from, int to)
{
    char buffer[64 << 10];
    for (ssize_t got; (got = read(from, buffer, sizeof buffer)) != 0;)
        if (got < 0 ? errno != EINTR : write_all(to, buffer, (size_t)got))
            return -1;
    return 0;
}

static bool has_an_end(int file)
{
    struct stat about, null;
    if (fstat(file, &about))
        return false;
    return S_ISREG(about.st_mode) || (S_ISCHR(about.st_mode) && !stat("/dev/null", &null) && about.st_rdev == null.st_rdev);
}

int input_copy(const char *path, struct err *err)
{
    int result = -1, from = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (from < 0)
        return fail_errno(err, "--stdin %s", path);
    if (!has_an_end(from)) {
        close(from);
        return fail(err, "--stdin %s: is no plain file; write what the program is to read into one, and name that", path);
    }
    result = memfd_create("input", MFD_CLOEXEC);
    if (result >= 0 && copy(from, result)) {
        int error = errno;
        close(result);
        errno = error;
        result = -1;
    }
    int failed = result < 0 ? fail_errno(err, "--stdin %s: cannot be copied", path) : 0;
    close(from);
    return failed ? failed : result;
}

static bool is_own(const char *path, const struct stat *own)
{
    struct stat there;
    return !stat(path, &there) && there.st_dev == own->st_dev && there.st_ino == own->st_ino;
}

/* Within the current folder as seen from there. */
static const char *shorten(const char *path)
{
    char folder[PATH_MAX];
    size_t length = getcwd(folder, sizeof folder) ? strlen(folder) : 0;
    return length > 1 && !strncmp(path, folder, length) && path[length] == '/' ? path + length + 1 : path;
}

char *input_own(void)
{
    char path[PATH_MAX];
    struct stat own;
    if (fstat(STDIN_FILENO, &own) || !S_ISREG(own.st_mode))
        return NULL;
    ssize_t length = readlink("/proc/self/fd/0", path, sizeof path - 1);
    path[length < 0 ? 0 : length] = 0;
    return words_copy(is_own(path, &own) ? shorten(path) : INPUT_UNNAMED);
}
