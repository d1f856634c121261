/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "simulator/sources.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/prose.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LARGEST = 1 << 24 };          /* bytes of a file */

struct source { char *file, *path; struct stat status; };

struct known_sources {
    struct source *all;
    uint32_t       count, room;
    bool           lines;
};

static const struct source *find(const struct known_sources *s, const char *file)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (!strcmp(s->all[i].file, file))
            return &s->all[i];
    return NULL;
}

static bool is_known(const struct known_sources *s, const struct stat *status)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (s->all[i].status.st_dev == status->st_dev && s->all[i].status.st_ino == status->st_ino)
            return true;
    return false;
}

static void add(struct known_sources *s, const char *file, const char *path)
{
    struct stat status;
    if (find(s, file) || stat(path, &status) || !S_ISREG(status.st_mode) || is_known(s, &status))
        return;
    ARRAY_GROW(s->all, s->count, s->room);
    s->all[s->count++] = (struct source){ prose_make("%s", file), prose_make("%s", path), status };
}

static void add_known(void *self, const char *file, const char *path)
{
    struct known_sources *s = self;
    s->lines = true;
    add(s, file, path);
}

/* The words of the command line that are sources; what the user typed needs no debug information to be shown. */
static void add_named(struct known_sources *s, const char *name)
{
    static const char *const endings[] = { ".c", ".cc", ".cpp", ".cxx", ".C", ".h" };
    char *words = prose_make("%s", name), *rest = words, *word;
    while ((word = strsep(&rest, " "))) {
        const char *dot = strrchr(word, '.');
        for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
            if (!strcmp(dot, endings[i]))
                add(s, strncmp(word, "./", 2) ? word : word + 2, word);
    }
    free(words);
}

/* Of a suite: what is named in its commands, and is in its folder. */
static void add_of_suite(struct known_sources *s, const char *suite)
{
    static const char between[] = " \t\r\n\"'=;&|()<>#";
    char *text = file_text(suite, "the suite", NULL), *rest = text, *word;
    const char *slash = strrchr(suite, '/');
    while ((word = strsep(&rest, between))) {
        word += strncmp(word, "./", 2) ? 0 : 2;
        char *path = prose_make("%.*s%s", slash ? (int)(slash + 1 - suite) : 0, suite, word);
        if (*word && *word != '/')
            add(s, word, path);
        free(path);
    }
    free(text);
}

struct known_sources *sources_new(const struct run *run, const struct job *job)
{
    struct known_sources *s = memory_get(sizeof *s);
    run_sources(run, add_known, s);
    if (job->starter)
        add_of_suite(s, job->name);
    else
        add_named(s, job->name);
    return s;
}

void sources_free(struct known_sources *s)
{
    if (!s)
        return;
    for (uint32_t i = 0; i < s->count; i++) {
        free(s->all[i].file);
        free(s->all[i].path);
    }
    free(s->all);
    free(s);
}

bool     sources_lines(const struct known_sources *s) { return s->lines; }
uint32_t sources_count(const struct known_sources *s) { return s->count; }
const char *sources_file(const struct known_sources *s, uint32_t number) { return s->all[number].file; }

const char *sources_name(const struct known_sources *s, const char *name)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (!strcmp(s->all[i].path, name))
            return s->all[i].file;
    return name;
}

static bool is_later(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec > b->tv_nsec;
}

const char *sources_newer(const struct known_sources *s, const char *executable)
{
    struct stat made, now;
    if (!executable || stat(executable, &made))             /* a suite has none */
        return NULL;
    for (uint32_t i = 0; i < s->count; i++)
        if (!stat(s->all[i].path, &now) && is_later(&now.st_mtim, &made.st_mtim))
            return s->all[i].file;
    return NULL;
}

static char *read_whole(FILE *f, const char *file, struct err *err)
{
    struct prose all = { 0 };
    char chunk[16384];
    size_t got;
    while ((got = fread(chunk, 1, sizeof chunk, f)) && all.length <= LARGEST) {
        for (size_t i = 0; i < got; i++)
            chunk[i] = chunk[i] ? chunk[i] : ' ';
        prose_bytes(&all, chunk, got);
    }
    if (!ferror(f) && all.length <= LARGEST)
        return prose_take(&all);
    fail(err, "%s: %s", file, ferror(f) ? "cannot be read" : "is too long to be shown");
    prose_fini(&all);
    return NULL;
}

char *sources_text(const struct known_sources *s, const char *file, struct err *err)
{
    const struct source *source = find(s, file);
    if (!source) {
        fail(err, "%s: is none of the program's source files", file);
        return NULL;
    }
    FILE *f = fopen(source->path, "r");
    if (!f) {
        fail_errno(err, "%s: cannot be read", file);
        return NULL;
    }
    char *text = read_whole(f, file, err);
    fclose(f);
    return text;
}
