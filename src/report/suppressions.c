/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "report/suppressions.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/suggest.h"

#include <assert.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#define SUPPRESSION_KINDS(X) X(VARIABLE, "variable") X(PLACE, "place") X(FUNCTION, "function")
#define X(upper, name) OF_##upper,
enum kind { SUPPRESSION_KINDS(X) KINDS };
#undef X
#define X(upper, name) name,
static const char *const kinds[] = { SUPPRESSION_KINDS(X) };
#undef X

struct suppression { enum kind kind; const char *pattern; uint32_t line; bool used; };

struct suppressions {
    char               *file, *text;         /* owned; patterns are parts of the text */
    struct suppression *all;                 /* by rising line */
    uint32_t            count, room;
};

void suppressions_free(struct suppressions *s)
{
    if (!s)
        return;
    free(s->file);
    free(s->text);
    free(s->all);
    free(s);
}

const char *suppressions_file(const struct suppressions *s) { return s->file; }

static int unknown(const struct suppressions *s, uint32_t line, const char *word, struct err *err)
{
    struct suggestion near;
    suggest_start(&near, word);
    for (int i = 0; i < KINDS; i++)
        suggest_offer(&near, kinds[i]);
    return fail(err, "%s:%u: %.40s: a line is `variable NAME`, `place FILE:LINE` or `function NAME`%s", s->file, line, word, suggest_text(&near).text);
}

/* A word and a pattern; what follows # is for people. */
static int read_line(struct suppressions *s, uint32_t number, char *line, struct err *err)
{
    static const char blank[] = " \t\r";
    line[strcspn(line, "#")] = '\0';
    char *word = line + strspn(line, blank), *pattern = word + strcspn(word, blank), *end = line + strlen(line);
    while (end > pattern && strchr(blank, end[-1]))
        *--end = '\0';
    if (!*word)
        return 0;
    if (*pattern)
        *pattern++ = '\0';
    pattern += strspn(pattern, blank);
    int kind = 0;
    while (kind < KINDS && strcmp(word, kinds[kind]))
        kind++;
    if (kind == KINDS)
        return unknown(s, number, word, err);
    if (!*pattern)
        return fail(err, "%s:%u: which %s? A name, or a pattern with * in it, must follow", s->file, number, word);
    ARRAY_GROW(s->all, s->count, s->room);
    s->all[s->count++] = (struct suppression){ .kind = (enum kind)kind, .pattern = pattern, .line = number };
    return 0;
}

struct suppressions *suppressions_read(const char *file, struct err *err)
{
    char *text = file_text(file, "the suppressions", err), *rest = text, *line;
    if (!text)
        return NULL;
    struct suppressions *s = memory_get(sizeof *s);
    *s = (struct suppressions){ .file = strdup(file), .text = text };
    int failed = 0;
    for (uint32_t number = 1; !failed && (line = strsep(&rest, "\n")); number++)
        if (number > 1)
            failed = read_line(s, number, line, err);
        else if (strcmp(line, SUPPRESSIONS_HEADER))
            failed = fail(err, "%s:1: a file of suppressions begins with the line `%s`", file, SUPPRESSIONS_HEADER);
    if (!failed)
        return s;
    suppressions_free(s);
    return NULL;
}

static bool like(const char *pattern, const char *text) { return text && (!strcmp(pattern, text) || !fnmatch(pattern, text, 0)); }

/* A file, with its line or without, by its name or by the end of its path. */
static bool like_place(const char *pattern, const char *place)
{
    char file[1024];
    if (!place)
        return false;
    size_t length = strcspn(place, ":");
    const char *slash = memrchr(place, '/', length), *name = slash ? slash + 1 : place;
    snprintf(file, sizeof file, "%.*s", (int)length, place);
    const char *bare = file + (name - place);
    return like(pattern, place) || like(pattern, name) || like(pattern, file) || (length < sizeof file && like(pattern, bare));
}

static bool matches(const struct suppression *s, const struct suppressed_race *r)
{
    switch (s->kind) {
    case OF_VARIABLE: return like(s->pattern, r->variable);
    case OF_PLACE:    return like_place(s->pattern, r->places[0]) || like_place(s->pattern, r->places[1]);
    default:          return like(s->pattern, r->functions[0]) || like(s->pattern, r->functions[1]);
    }
}

bool suppressions_match(struct suppressions *s, const struct suppressed_race *r)
{
    bool any = false;
    for (uint32_t i = 0; s && i < s->count; i++) {
        assert(s->all[i].kind < KINDS && *s->all[i].pattern);
        bool now = matches(&s->all[i], r);
        s->all[i].used |= now;
        any |= now;
    }
    return any;
}

uint32_t suppressions_unused(const struct suppressions *s, uint32_t line)
{
    for (uint32_t i = 0; s && i < s->count; i++)
        if (!s->all[i].used && s->all[i].line >= line)
            return s->all[i].line;
    return 0;
}
