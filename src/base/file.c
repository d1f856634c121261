/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "base/file.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
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

char *file_text(const char *file, const char *what, struct err *err)
{
    FILE *in = file_open(file, what, err);
    char *text = NULL;
    size_t length = 0, room = 0;
    if (!in)
        return NULL;
    do {
        if (room - length < 4096)
            text = memory_resize(text, room = room ? 2 * room : 1 << 16);
        length += fread(text + length, 1, room - length - 1, in);
    } while (!feof(in) && !ferror(in));
    text[length] = '\0';
    bool bad = ferror(in), holds_nul = strlen(text) != length;
    if (bad)
        fail_errno(err, "%s: %s cannot be read", file, what);
    else if (holds_nul)
        fail(err, "%s: %s is no text: there is a NUL byte in it", file, what);
    fclose(in);
    if (!bad && !holds_nul)
        return text;
    free(text);
    return NULL;
}

static int fill(const char *temporary, int (*write)(const void *, FILE *), const void *arg)
{
    FILE *out = fopen(temporary, "we");
    if (!out)
        return -errno;
    int bad = write(arg, out);
    return fclose(out) && !bad ? -errno : bad;
}

/* A device or a pipe is written to, and nothing takes its place. */
static bool is_special(const char *file)
{
    struct stat status;
    return !stat(file, &status) && !S_ISREG(status.st_mode);
}

int file_write(const char *file, const char *what, int (*write)(const void *, FILE *), const void *arg, struct err *err)
{
    if (is_special(file)) {
        int rc = fill(file, write, arg);
        errno = -rc;
        return rc ? fail_errno(err, "%s: %s cannot be written", file, what) : 0;
    }
    size_t room = strlen(file) + 32;
    char *temporary = memory_get(room);
    snprintf(temporary, room, "%s.tmp%ld", file, (long)getpid());
    int bad = fill(temporary, write, arg);
    if (!bad && rename(temporary, file))
        bad = -errno;
    if (bad) {
        unlink(temporary);
        errno = -bad;
        bad = fail_errno(err, "%s: %s cannot be written", file, what);
    }
    free(temporary);
    return bad;
}

static bool is_folder(const char *file)
{
    struct stat status;
    return !stat(file, &status) && S_ISDIR(status.st_mode);
}

int file_writable(const char *file, const char *what, struct err *err)
{
    if (!file || !strcmp(file, "-"))
        return 0;
    const char *slash = strrchr(file, '/');
    size_t length = slash ? (size_t)(slash - file) + 1 : 1;
    char *folder = memory_get(length + 1);
    memcpy(folder, slash ? file : ".", length);
    bool in_folder = !is_special(file);
    errno = EISDIR;
    int refused = is_folder(file) || (in_folder ? access(folder, W_OK | X_OK) : access(file, W_OK));
    free(folder);
    return refused ? fail_errno(err, "%s: %s cannot be written", file, what) : 0;
}

/* ---- names ---- */

/* The path without "." and "..": as text, for the files need not be there. */
static void straighten(const char *path, char *to, size_t room)
{
    size_t used = 0;
    while (*path) {
        size_t length = strcspn(path, "/");
        if (length == 2 && !strncmp(path, "..", 2)) {
            while (used && to[--used] != '/')
                ;
        } else if (length && !(length == 1 && *path == '.') && used + length + 2 < room) {
            to[used++] = '/';
            memcpy(to + used, path, length);
            used += length;
        }
        path += length + (path[length] == '/');
    }
    to[used] = 0;
}

bool file_is_of_the_system(const char *path)
{
    char plain[4096];
    if (*path != '/')
        return false;
    straighten(path, plain, sizeof plain);
    return !strncmp(plain, "/usr/include/", 13) || !strncmp(plain, "/usr/lib/", 9);
}
