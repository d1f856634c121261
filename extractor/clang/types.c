/* SPDX-License-Identifier: MIT */
#include "extractor/clang/types.h"

#include <search.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- headers ---- */

/* "/usr/include/x86_64-linux-gnu/sys/types.h" is <sys/types.h>, "/usr/lib/llvm-14/lib/clang/14.0.6/include/stdatomic.h" <stdatomic.h>. */
static const char *header_name(const char *path)
{
    const char *found = NULL;
    for (const char *at = path; (at = strstr(at, "/include/")); at++)
        found = at + 9;
    if (!found)
        return path;
    const char *slash = strchr(found, '/');
    bool machine = slash && memchr(found, '-', (size_t)(slash - found)) && strstr(found, "linux") && strstr(found, "linux") < slash;
    return machine ? slash + 1 : found;
}

/* One of the compiler's own, of which another compiler's may include other headers. */
static bool is_compilers(const char *path) { return strstr(path, "/clang/") != NULL; }

static bool is_for_programs(const char *path)
{
    const char *name = header_name(path);
    return !strchr(name, '/') && strncmp(name, "__", 2);
}

/* Line marks are: # 1 "/usr/include/pthread.h" 1 3. A 1 enters a file, 2 comes back, 3 is the system's. Told is which of the system's files the program
 * includes, and what of them the compiler's own include: a header that is there already is not entered again. */
void types_includes(struct prose *out, const struct source *s)
{
    int depth = 0, own = 0;          /* of the system's files; of the compiler's own among them, from the outermost on */
    char *last = prose_make("%s", "");           /* the compiler's own may be in front of the system's, and have its name */
    for (const char *at = s->text; at; at = strchr(at, '\n'), at += at != NULL) {
        if (strncmp(at, "# ", 2))
            continue;
        const char *open = strchr(at, '"'), *close = open ? strchr(open + 1, '"') : NULL, *end = strchr(at, '\n');
        if (!close || !end || close > end)
            continue;
        bool enters = close[1] && close[2] == '1', leaves = close[1] && close[2] == '2';
        bool system = memchr(close, '3', (size_t)(end - close)) != NULL;
        char *path = prose_make("%.*s", (int)(close - open - 1), open + 1);
        if (enters && system) {
            char *line = prose_make("include \"%s\"\n", header_name(path));
            if ((!depth || (depth == own && is_for_programs(path))) && strcmp(line, last))
                prose_add(out, "%s", line);
            free(last);
            last = line;
            own += depth == own && is_compilers(path);
            depth++;
        } else if (enters && depth)
            depth++;
        else if (leaves && depth && --depth < own)
            own = depth;
        free(path);
    }
    free(last);
}

/* ---- types ---- */

static int by_text(const void *a, const void *b) { return strcmp(a, b); }

bool types_is_new(const char *line)
{
    static void *lines;
    char *key = prose_make("%s", line), **there = tsearch(key, &lines, by_text);
    bool new = !there || *there == key;
    if (!new)
        free(key);
    return new;
}

static bool defines_type(CXCursor c)
{
    enum CXCursorKind kind = clang_getCursorKind(c);
    return kind == CXCursor_TypedefDecl || kind == CXCursor_StructDecl || kind == CXCursor_UnionDecl || kind == CXCursor_EnumDecl;
}

/* What a declaration is of, behind pointers and arrays. */
static CXType type_behind(CXCursor c)
{
    CXType type = clang_getCanonicalType(clang_getCursorType(c));
    while (type.kind == CXType_Pointer || type.kind == CXType_ConstantArray)
        type = clang_getCanonicalType(type.kind == CXType_Pointer ? clang_getPointeeType(type) : clang_getArrayElementType(type));
    return type;
}

/* typedef struct { ... } *handle; has no name for what is behind the pointer: it is told by itself, and the typedef by its name. */
static bool is_nameless(CXCursor c)
{
    return strstr(tree_spelling(type_behind(c)), "vs_anon_") != NULL;
}

/* "enum { A, B }" with its tag. Gives. */
static char *with_tag(const char *text, const char *tag)
{
    const char *open = strchr(text, '{'), *word = open ? strstr(text, "enum") : NULL;
    return word && word < open ? prose_make("%.*s %s%s", (int)(word + 4 - text), text, tag, word + 4) : prose_make("%s", text);
}

static void put_type(struct prose *out, const struct source *s, CXCursor c, const char *what)
{
    CXType of = type_behind(c);
    const char *name = tree_spelling(of), *tag = tree_is_untagged(of) ? strstr(name, TREE_TAG) : NULL, *nameless = strstr(name, "vs_anon_");
    char *plain = source_text(s, c), *text = tag ? with_tag(plain, tag) : prose_make("%s", plain), *close = strrchr(text, '}');
    bool is_typedef = clang_getCursorKind(c) == CXCursor_TypedefDecl;
    char *whole = !nameless ? prose_make("%s;", text) : !is_typedef ? prose_make("typedef %s %s;", text, nameless)
                : close ? prose_make("typedef %s%s;", nameless, close + 1) : prose_make("%s;", text);
    free(plain);
    if (strcmp(what, "type") || types_is_new(whole)) {
        prose_add(out, "%s ", what);
        tree_quote(out, whole);
        prose_add(out, "\n");
    }
    free(text);
    free(whole);
}

/* Of several declarations that begin at one place (typedef struct { ... } a, *b;) the longest typedef says all; a struct that is defined
 * with variables behind it is told alone. A typedef comes behind what it has in it. */
static bool is_told_by_another(const struct cursors *all, int which)
{
    unsigned begin = source_begin(all->items[which]), end = source_end(all->items[which]);
    for (int i = which + 1; i < all->count && source_begin(all->items[i]) < end; i++) {
        CXCursor other = all->items[i];
        unsigned from = source_begin(other), to = source_end(other);
        bool names = !is_nameless(other) || !clang_equalCursors(clang_getTypeDeclaration(type_behind(other)), all->items[which]);
        if (names && clang_getCursorKind(other) == CXCursor_TypedefDecl && from <= begin && to >= end && (from < begin || to > end))
            return true;
    }
    return false;
}

void types_put(struct prose *out, const struct source *s, const struct cursors *all, const char *what)
{
    for (int i = 0; i < all->count; i++) {
        CXCursor c = all->items[i];
        if (defines_type(c) && !clang_Location_isInSystemHeader(clang_getCursorLocation(c)) && !is_told_by_another(all, i))
            put_type(out, s, c, what);
    }
}
