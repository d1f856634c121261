/* SPDX-License-Identifier: MIT */
#include "extractor/clang/apart.h"

#include "base/memory.h"
#include "base/prose.h"

#include <stdlib.h>
#include <string.h>

struct entry { char *name; int file; bool is_static, defined; struct place place; };
struct entries { struct entry *items; int count, room; };

/* ---- what stands outside of functions ---- */

static bool is_defined(CXCursor c)
{
    return clang_getCursorKind(c) == CXCursor_FunctionDecl ? clang_isCursorDefinition(c) != 0
                                                           : !clang_Cursor_isNull(clang_Cursor_getVarDeclInitializer(c));
}

/* What a header of the system has as static is the same for everybody. */
static void note(struct entries *all, const struct source *s, int file)
{
    struct cursors found = source_children(clang_getTranslationUnitCursor(s->unit));
    for (int i = 0; i < found.count; i++) {
        CXCursor c = found.items[i];
        enum CXCursorKind kind = clang_getCursorKind(c);
        if (kind != CXCursor_FunctionDecl && kind != CXCursor_VarDecl)
            continue;
        bool is_static = clang_getCursorLinkage(c) == CXLinkage_Internal;
        bool system = clang_Location_isInSystemHeader(clang_getCursorLocation(c)) != 0, defined = !system && is_defined(c);
        if (is_static && system)
            continue;
        CXString name = clang_getCursorSpelling(c);
        ARRAY_GROW(all->items, all->count, all->room);
        all->items[all->count++] = (struct entry){ prose_make("%s", clang_getCString(name)), file, is_static, defined,
                                                   defined ? source_place(c) : (struct place){ 0 } };
        clang_disposeString(name);
    }
    free(found.items);
}

static int by_name(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : x->file - y->file;
}

/* ---- what a source is called ---- */

static const char *base_of(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

/* Its name without folders, where no other source has the same. */
static char *label(const struct source *all, int count, int which)
{
    bool alone = true;
    for (int i = 0; i < count; i++)
        alone &= i == which || strcmp(base_of(all[i].file), base_of(all[which].file));
    char *text = prose_make("%s", alone ? base_of(all[which].file) : all[which].file);
    for (char *at = text; (at = strpbrk(at, " \t\n()\"[]:"));)           /* it is a part of a word */
        *at = '_';
    return text;
}

/* ---- groups of one name ---- */

static void set_apart(struct source *s, const char *name)
{
    if (s->apart_count && !strcmp(s->apart[s->apart_count - 1], name))
        return;
    ARRAY_GROW(s->apart, s->apart_count, s->apart_room);
    s->apart[s->apart_count++] = prose_make("%s", name);
}

static int look_at(struct source *sources, const struct entry *group, int count, struct err *err)
{
    const struct entry *first = NULL;            /* definition for all */
    for (int i = 0; i < count; i++) {
        const struct entry *e = &group[i];
        bool again = first && e->defined && !e->is_static && first->file != e->file;
        bool same = again && first->place.file == e->place.file && first->place.line == e->place.line && first->place.column == e->place.column;
        if (again && !same)                      /* what a header defines stands at one place */
            return fail(err, "%s:%u:%u: %s is defined here, and at %s:%u:%u; a program has one of them: leave one source out, or make one of them "
                        "static", e->place.file, e->place.line, e->place.column, e->name, first->place.file, first->place.line, first->place.column);
        if (e->defined && !e->is_static && !first)
            first = e;
        if (e->is_static && group[0].file != group[count - 1].file)
            set_apart(&sources[e->file], e->name);
    }
    return 0;
}

int apart_find(struct source *sources, int count, struct err *err)
{
    struct entries all = { 0 };
    int bad = 0;
    for (int i = 0; i < count; i++) {
        note(&all, &sources[i], i);
        sources[i].label = label(sources, count, i);
    }
    if (all.count)
        qsort(all.items, (size_t)all.count, sizeof *all.items, by_name);
    for (int from = 0, to; from < all.count && !bad; from = to) {
        for (to = from + 1; to < all.count && !strcmp(all.items[to].name, all.items[from].name);)
            to++;
        bad = look_at(sources, &all.items[from], to - from, err);
    }
    for (int i = 0; i < all.count; i++)
        free(all.items[i].name);
    free(all.items);
    return bad;
}
