/* SPDX-License-Identifier: MIT */
#include "extractor/clang/source.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/prose.h"
#include "extractor/clang/prune.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the parser ---- */

static bool tell_diagnostics(struct source *s)
{
    bool bad = false;
    for (unsigned i = 0; i < clang_getNumDiagnostics(s->unit); i++) {
        CXDiagnostic d = clang_getDiagnostic(s->unit, i);
        if (clang_getDiagnosticSeverity(d) >= CXDiagnostic_Error) {
            CXString said = clang_getDiagnosticSpelling(d), file;
            unsigned line, column;
            clang_getPresumedLocation(clang_getDiagnosticLocation(d), &file, &line, &column);
            fprintf(stderr, "%s:%u:%u: %s\n", clang_getCString(file), line, column, clang_getCString(said));
            clang_disposeString(said);
            clang_disposeString(file);
            bad = true;
        }
        clang_disposeDiagnostic(d);
    }
    return bad;
}

static int parse(struct source *s, struct err *err)
{
    char *name = prose_make("%s.i", s->file);
    const char *options[] = { "-x", "cpp-output", "-std=gnu11", "-w" };
    struct CXUnsavedFile text = { name, s->text, strlen(s->text) };
    s->index = clang_createIndex(0, 0);
    enum CXErrorCode bad = clang_parseTranslationUnit2(s->index, name, options, sizeof options / sizeof *options, &text, 1,
                                                       CXTranslationUnit_None, &s->unit);
    free(name);
    if (bad)
        return fail(err, "%s: libclang failed with code %d", s->file, bad);
    return tell_diagnostics(s) ? fail(err, "%s: this is not C, for the reasons above", s->file) : 0;
}

static int expand(struct source *s, const char *text, struct err *err)
{
    at_expand(&s->at, s->file, text);
    for (int i = 0; i < s->at.mistake_count; i++)
        fprintf(stderr, "%s:%d: %s\n", s->file, s->at.mistakes[i].line, s->at.mistakes[i].text);
    return s->at.c ? 0 : fail(err, "%s: there are mistakes in its @-format", s->file);
}

int source_read(struct source *s, const char *file, struct preprocess *batch, struct err *err)
{
    *s = (struct source){ .file = file };
    char *text = file_text(file, "the source", err);
    if (!text)
        return -EINVAL;
    int failed = expand(s, text, err);           /* plain C gets its #line, and nothing else */
    free(text);
    return failed ? failed : preprocess_add(batch, file, s->at.c, err);
}

int source_open(struct source *s, struct preprocess *batch, struct err *err)
{
    s->text = preprocess_next(batch, s->file, err);
    if (!s->text)
        return -EINVAL;
    prune(s->text);
    return parse(s, err);
}

void source_close(struct source *s)
{
    at_fini(&s->at);
    free(s->text);
    if (s->unit)
        clang_disposeTranslationUnit(s->unit);
    if (s->index)
        clang_disposeIndex(s->index);
    for (int i = 0; i < s->apart_count; i++)
        free(s->apart[i]);
    free(s->apart);
    free(s->label);
    *s = (struct source){ 0 };
}

/* ---- places and texts ---- */

static const char *kept(const char *name)
{
    static char **names;
    static int count, room;
    for (int i = 0; i < count; i++)
        if (!strcmp(names[i], name))
            return names[i];
    ARRAY_GROW(names, count, room);
    return names[count++] = prose_make("%s", name);
}

static struct place presumed(CXSourceLocation l)
{
    CXString file;
    struct place p;
    clang_getPresumedLocation(l, &file, &p.line, &p.column);
    p.file = kept(clang_getCString(file));
    clang_disposeString(file);
    return p;
}

struct place source_place(CXCursor c)
{
    return presumed(clang_getRangeStart(clang_getCursorExtent(c)));
}

struct place source_end_place(CXCursor c)
{
    struct place p = presumed(clang_getRangeEnd(clang_getCursorExtent(c)));
    p.column -= p.column > 1;        /* the end lies behind the brace */
    return p;
}

static unsigned offset(CXSourceLocation l)
{
    unsigned o;
    clang_getExpansionLocation(l, NULL, NULL, NULL, &o);
    return o;
}

struct span source_span(CXCursor c)
{
    CXSourceRange extent = clang_getCursorExtent(c);
    return (struct span){ offset(clang_getRangeStart(extent)), offset(clang_getRangeEnd(extent)) };
}

unsigned source_begin(CXCursor c)
{
    return offset(clang_getRangeStart(clang_getCursorExtent(c)));
}

unsigned source_end(CXCursor c)
{
    return offset(clang_getRangeEnd(clang_getCursorExtent(c)));
}

/* Behind the string or character constant that begins here. */
static unsigned behind_quotes(const char *text, unsigned i, unsigned end)
{
    char quote = text[i++];
    while (i < end && text[i] != quote)
        i += text[i] == '\\' ? 2 : 1;
    return i + 1 < end ? i + 1 : end;
}

/* Line marks of the preprocessor are left out, and white space outside of strings becomes one blank. */
char *source_between(const struct source *s, unsigned start, unsigned end)
{
    struct prose out = { 0 };
    bool blank = false;
    for (unsigned i = start; i < end; i++) {
        char c = s->text[i];
        if (c == '"' || c == '\'') {
            unsigned behind = behind_quotes(s->text, i, end);
            prose_add(&out, "%s%.*s", blank ? " " : "", (int)(behind - i), s->text + i);
            blank = false;
            i = behind - 1;
        } else if (c == '#' && i && s->text[i - 1] == '\n') {
            while (i + 1 < end && s->text[i + 1] != '\n')
                i++;
        } else if (isspace((unsigned char)c)) {
            blank = out.length > 0;
        } else {
            if (blank)
                prose_bytes(&out, " ", 1);
            blank = false;
            prose_bytes(&out, &c, 1);
        }
    }
    return prose_take(&out);
}

char *source_text(const struct source *s, CXCursor c)
{
    struct span all = source_span(c);
    return source_between(s, all.begin, all.end);
}

bool source_has_statements(const struct source *s, CXCursor c)
{
    struct span all = source_span(c);
    for (unsigned i = all.begin; i < all.end; i++)
        if (s->text[i] == '(') {
            unsigned next = i + 1 + (unsigned)strspn(s->text + i + 1, " \t\n");
            if (next < all.end && (s->text[next] == '{' || s->text[next] == '#'))        /* a line mark may lie between */
                return true;
        }
    return false;
}

static int by_text(const void *a, const void *b) { return strcmp(a, *(char *const *)b); }

char *source_name(const struct source *s, CXCursor declaration)
{
    CXString spelling = clang_getCursorSpelling(declaration);
    const char *name = clang_getCString(spelling);
    bool apart = clang_getCursorLinkage(declaration) == CXLinkage_Internal && s->apart_count
               && bsearch(name, s->apart, (size_t)s->apart_count, sizeof *s->apart, by_text);
    char *text = apart ? prose_make("%s:%s", s->label, name) : prose_make("%s", name);
    clang_disposeString(spelling);
    return text;
}

static enum CXChildVisitResult collect(CXCursor c, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct cursors *list = data;
    ARRAY_GROW(list->items, list->count, list->room);
    list->items[list->count++] = c;
    return CXChildVisit_Continue;
}

struct cursors source_children(CXCursor c)
{
    struct cursors list = { 0 };
    clang_visitChildren(c, collect, &list);
    return list;
}
