/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "report/scenario.h"

#include "base/memory.h"
#include "report/outcome.h"
#include "base/prose.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Is the file there, and the same as the bytes? */
static bool holds(const char *file, const char *bytes, size_t length)
{
    FILE *in = fopen(file, "re");
    if (!in)
        return false;
    char *all = memory_get(length + 1);
    size_t got = fread(all, 1, length + 1, in);
    bool same = got == length && !memcmp(all, bytes, length);
    free(all);
    fclose(in);
    return same;
}

/* Makes the file, when nobody has; so two runs in one folder do not take the same name. */
static bool claim(const char *file)
{
    int fd = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

char *scenario_replace(const struct job *job, const char *name, const struct path *path, struct err *err)
{
    char *file = outcome_file(job, name);
    int failed = path_save(path, file, err);
    free(file);
    return failed ? NULL : prose_make("%s", name);
}

void scenario_remove(const struct job *job, const char *name)
{
    char *file = outcome_file(job, name);
    unlink(file);
    free(file);
}

/* The whole file; NULL: it cannot be read. */
static char *bytes_of(const char *file, size_t *length)
{
    struct prose all = { 0 };
    char chunk[4096];
    FILE *in = fopen(file, "re");
    for (size_t got; in && (got = fread(chunk, 1, sizeof chunk, in));)
        prose_bytes(&all, chunk, got);
    if (in)
        fclose(in);
    *length = all.length;
    return in ? prose_take(&all) : NULL;
}

char *scenario_final(const struct job *job, const char *stem, char *name)
{
    size_t length;
    char *file = outcome_file(job, name), *bytes = bytes_of(file, &length);
    for (unsigned number = 1; bytes; number++) {
        char *other = prose_make("%s%u.path", stem, number), *earlier = outcome_file(job, other);
        bool self = !strcmp(other, name), same = !self && holds(earlier, bytes, length);
        free(earlier);
        if (same) {
            scenario_remove(job, name);
            free(name);
            name = other;
            break;
        }
        free(other);
        if (self)
            break;
    }
    free(bytes);
    free(file);
    return name;
}

/* The first name that is free, or has this scenario already. NULL with errno: no file can be made. */
static char *find_name(const struct job *job, const char *stem, const char *bytes, size_t length, bool *there)
{
    for (unsigned number = 1; ; number++) {
        char *name = prose_make("%s%u.path", stem, number), *file = outcome_file(job, name);
        bool mine = claim(file);
        int error = errno;
        *there = !mine && holds(file, bytes, length);
        free(file);
        if (mine || *there)
            return name;
        free(name);
        if (error != EEXIST) {
            errno = error;
            return NULL;
        }
    }
}

char *scenario_save(const struct job *job, const char *stem, const struct path *path, struct err *err)
{
    char *bytes = NULL, *name = NULL;
    size_t length = 0;
    bool there = false;
    FILE *out = open_memstream(&bytes, &length);
    if (!out || path_write(path, out) || fclose(out)) {
        fail(err, "%s1.path: no memory for the scenario", stem);
        return NULL;
    }
    name = find_name(job, stem, bytes, length, &there);
    free(bytes);
    if (!name) {
        fail_errno(err, "%s: no scenario can be written to this folder", job->output && *job->output ? job->output : ".");
        return NULL;
    }
    char *saved = there ? prose_make("%s", name) : scenario_replace(job, name, path, err);
    if (!saved)
        scenario_remove(job, name);
    free(name);
    return saved;
}
