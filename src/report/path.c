/* SPDX-License-Identifier: MIT */
#include "report/path.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/prose.h"
#include "wire.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 1, MAX_LINE = 1 << 20, MAX_FILE = 1 << 28 };
static const char MAGIC[] = "verisoft-path ";

void path_init(struct path *path)
{
    *path = (struct path){ 0 };
}

void path_fini(struct path *path)
{
    for (uint32_t i = 0; i < path->count; i++) {
        free(path->steps[i].operation);
        free(path->steps[i].result);
        free(path->steps[i].location);
        free(path->steps[i].notes);
    }
    free(path->steps);
    free(path->program);
    free(path->error);
    free(path->shared);
    path_init(path);
}

struct path_step *path_add(struct path *path, int process)
{
    assert(process >= 1 && process <= MAX_PROCESSES);
    ARRAY_GROW(path->steps, path->count, path->room);
    struct path_step *step = &path->steps[path->count++];
    *step = (struct path_step){ .process = process };
    return step;
}

/* ---- reading ---- */

struct reader {
    struct path *path;
    const char  *name;
    uint32_t     line;
    struct err  *err;
};

struct span { const char *start, *end; };

static struct span trim(struct span s)
{
    while (s.start < s.end && isspace((unsigned char)*s.start))
        s.start++;
    while (s.start < s.end && isspace((unsigned char)s.end[-1]))
        s.end--;
    return s;
}

static char *copy(struct span s)
{
    s = trim(s);
    return s.start == s.end ? NULL : prose_make("%.*s", (int)(s.end - s.start), s.start);
}

/* Past the "string" or 'character' that starts here; past one character when it has no end. */
static const char *skip_quoted(const char *at, const char *end)
{
    char quote = *at;
    for (const char *p = at + 1; p < end; p++) {
        if (*p == quote)
            return p + 1;
        if (*p == '\\' && p + 1 < end)
            p++;
    }
    return at + 1;
}

/* Where the operation, its result and the comment of a line part: at a `=` and a `#` that stand alone, outside all
 * quotes and parentheses. */
static void part(struct span line, struct span *operation, struct span *result)
{
    const char *equals = NULL, *p = line.start;
    int depth = 0;
    while (p < line.end) {
        bool alone = p == line.start || isspace((unsigned char)p[-1]) || p - 1 == equals;
        if (*p == '"' || *p == '\'') {
            p = skip_quoted(p, line.end);
            continue;
        }
        if (*p == '(')
            depth++;
        if (*p == ')' && depth)
            depth--;
        if (*p == '#' && alone && !depth)
            break;
        if (*p == '=' && alone && !depth && !equals)
            equals = p;
        p++;
    }
    *operation = (struct span){ line.start, equals ? equals : p };
    *result = (struct span){ equals ? equals + 1 : p, p };
}

static int transition(struct reader *r, struct span line)
{
    int process = 0;
    const char *p = line.start;
    while (p < line.end && isdigit((unsigned char)*p) && process <= MAX_PROCESSES)
        process = 10 * process + (*p++ - '0');
    if (process < 1 || process > MAX_PROCESSES)
        return fail(r->err, "%s:%u: there is no such process: processes count from 1 to at most %d", r->name, r->line,
                    MAX_PROCESSES);
    if (p < line.end && !isspace((unsigned char)*p))
        return fail(r->err, "%s:%u: put a space after the number of the process", r->name, r->line);
    struct span operation, result;
    part((struct span){ p, line.end }, &operation, &result);
    struct path_step *step = path_add(r->path, process);
    step->line = r->line;
    step->operation = copy(operation);
    step->result = copy(result);
    return 0;
}

static int memory(struct reader *r, struct span value)
{
    value = trim(value);
    bool shared = value.end - value.start == 6 && !memcmp(value.start, "shared", 6);
    r->path->shares |= shared;
    return shared ? 0 : fail(r->err, "%s:%u: `memory:` can only be `shared`; leave the line out where each process has its own", r->name, r->line);
}

/* A number from 1 to `most`, and what stands behind it; 0: there is none. */
static uint32_t number(struct span *value, uint32_t most)
{
    uint32_t n = 0;
    for (*value = trim(*value); value->start < value->end && isdigit((unsigned char)*value->start) && n <= most / 10; value->start++)
        n = 10 * n + (uint32_t)(*value->start - '0');
    return n <= most ? n : 0;
}

static int whose(struct reader *r, struct span value)
{
    r->path->process = (int)number(&value, MAX_PROCESSES);
    return r->path->process && value.start == value.end ? 0
         : fail(r->err, "%s:%u: `process:` is the number of the process whose error it is, from 1 to at most %d", r->name, r->line, MAX_PROCESSES);
}

static int race(struct reader *r, struct span value)
{
    uint32_t *race = r->path->race;
    race[0] = number(&value, UINT32_MAX / 2);
    race[1] = number(&value, UINT32_MAX / 2);
    return race[0] && race[0] < race[1] && value.start == value.end ? 0
         : fail(r->err, "%s:%u: `race:` has the numbers of the two transitions that race, the earlier one first", r->name, r->line);
}

static int header(struct reader *r, struct span line)
{
    char **where;
    const char *colon = memchr(line.start, ':', (size_t)(line.end - line.start));
    size_t length = colon ? (size_t)(colon - line.start) : 0;
    if (length == 7 && !memcmp(line.start, "program", 7))
        where = &r->path->program;
    else if (length == 5 && !memcmp(line.start, "error", 5))
        where = &r->path->error;
    else if (length == 6 && !memcmp(line.start, "memory", 6))
        return memory(r, (struct span){ colon + 1, line.end });
    else if (length == 7 && !memcmp(line.start, "process", 7))
        return whose(r, (struct span){ colon + 1, line.end });
    else if (length == 4 && !memcmp(line.start, "race", 4))
        return race(r, (struct span){ colon + 1, line.end });
    else if (length == 6 && !memcmp(line.start, "shared", 6))
        where = &r->path->shared;
    else
        return fail(r->err, "%s:%u: this is not a transition: write the number of the process, then its operation "
                    "(`2  VS_toss(3) = 1`), or start the line with # to make it a comment", r->name, r->line);
    if (r->path->count)
        return fail(r->err, "%s:%u: `%.*s:` stands after a transition; move it to the top of the file", r->name, r->line,
                    (int)length, line.start);
    free(*where);
    *where = copy((struct span){ colon + 1, line.end });
    return 0;
}

static int first_line(struct reader *r, struct span line)
{
    size_t magic = sizeof MAGIC - 1, length = (size_t)(line.end - line.start);
    if (length < magic || memcmp(line.start, MAGIC, magic))
        return fail(r->err, "%s:1: this is no scenario file; its first line must be `%s%d`", r->name, MAGIC, VERSION);
    struct span version = trim((struct span){ line.start + magic, line.end });
    if (version.end - version.start != 1 || *version.start != '0' + VERSION)
        return fail(r->err, "%s:1: the file has version %.*s of the scenario format and this VeriSoft reads version %d; "
                    "make it anew by checking the program again", r->name,
                    (int)(version.end - version.start > 20 ? 20 : version.end - version.start), version.start, VERSION);
    return 0;
}

static int one_line(struct reader *r, struct span line)
{
    if (line.start == line.end)
        return r->line == 1 ? first_line(r, line) : 0;
    if (line.end - line.start > MAX_LINE)
        return fail(r->err, "%s:%u: the line is longer than %d bytes", r->name, r->line, MAX_LINE);
    if (memchr(line.start, 0, (size_t)(line.end - line.start)))
        return fail(r->err, "%s:%u: the line holds a zero byte; a scenario is a text file", r->name, r->line);
    line = trim(line);
    if (r->line == 1)
        return first_line(r, line);
    if (line.start == line.end || *line.start == '#')
        return 0;
    return isdigit((unsigned char)*line.start) ? transition(r, line) : header(r, line);
}

bool path_shares(const struct path *path)
{
    return path->shares || (path->count && path->steps[0].operation && !strcmp(path->steps[0].operation, "start"));
}

int path_parse(struct path *path, const char *bytes, size_t length, const char *name, struct err *err)
{
    path_init(path);
    struct reader r = { .path = path, .name = name, .err = err };
    const char *at = bytes, *end = bytes + length;
    do {
        const char *newline = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
        r.line++;
        int bad = one_line(&r, (struct span){ at, newline ? newline : end });
        if (bad) {
            path_fini(path);
            return bad;
        }
        at = newline ? newline + 1 : end;
    } while (at < end);
    return 0;
}

int path_read(struct path *path, const char *file, struct err *err)
{
    path_init(path);
    FILE *f = file_open(file, "the scenario", err);
    if (!f)
        return -EINVAL;
    struct prose all = { 0 };
    char chunk[16384];
    size_t got;
    while ((got = fread(chunk, 1, sizeof chunk, f)) && all.length <= MAX_FILE)
        prose_bytes(&all, chunk, got);
    int bad = 0;
    if (ferror(f))
        bad = fail_errno(err, "%s: the scenario cannot be read", file);
    else if (all.length > MAX_FILE)
        bad = fail(err, "%s: longer than %d bytes; this is hardly a scenario", file, MAX_FILE);
    fclose(f);
    if (!bad)
        bad = path_parse(path, all.text ? all.text : "", all.length, file, err);
    prose_fini(&all);
    return bad;
}

/* ---- writing ---- */

static void write_notes(const char *notes, FILE *out)
{
    while (*notes) {
        size_t length = strcspn(notes, "\n");
        fprintf(out, "#    %.*s\n", (int)length, notes);
        notes += length + (notes[length] == '\n');
    }
}

static void write_step(const struct path_step *step, FILE *out)
{
    int used = fprintf(out, "%d", step->process);
    if (step->operation)
        used += fprintf(out, "  %s", step->operation);
    if (step->result)
        used += fprintf(out, " = %s", step->result);
    if (step->location)
        fprintf(out, "%*s  # %s", used < 50 ? 50 - used : 0, "", step->location);
    fputc('\n', out);
    if (step->notes)
        write_notes(step->notes, out);
}

int path_write(const struct path *path, FILE *out)
{
    fprintf(out, "%s%d\n", MAGIC, VERSION);
    if (path->program)
        fprintf(out, "program: %s\n", path->program);
    if (path->shares)
        fprintf(out, "memory: shared\n");
    if (path->error)
        fprintf(out, "error: %s\n", path->error);
    assert(path->process >= 0 && path->process <= MAX_PROCESSES && (!path->race[0] || path->race[0] < path->race[1]));
    if (path->process)
        fprintf(out, "process: %d\n", path->process);
    if (path->race[0])
        fprintf(out, "race: %u %u\n", path->race[0], path->race[1]);
    if (path->shared)
        fprintf(out, "shared: %s\n", path->shared);
    fputc('\n', out);
    for (uint32_t i = 0; i < path->count; i++)
        write_step(&path->steps[i], out);
    errno = 0;
    return fflush(out) || ferror(out) ? -(errno ? errno : EIO) : 0;
}

static int write_to(const void *path, FILE *out) { return path_write(path, out); }

int path_save(const struct path *path, const char *file, struct err *err)
{
    return file_write(file, "the scenario", write_to, path, err);
}
