/* Names of variables, and types as C can say them: what a tree is written with.
 * SPDX-License-Identifier: MIT */
#include "extractor/clang/tree.h"

#include "base/memory.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

/* ---- variables ---- */

const char *variables_name(struct variables *v, const struct source *s, CXCursor declaration)
{
    CXCursor c = clang_getCanonicalCursor(declaration);
    for (int i = 0; i < v->count; i++)
        if (v->items[i].declared.data[0] == c.data[0] && clang_equalCursors(v->items[i].declared, c))
            return v->items[i].name;
    CXString name = clang_getCursorSpelling(c);
    int same = 0;
    for (int i = 0; i < v->count; i++)
        same += !strcmp(v->items[i].base, clang_getCString(name));
    ARRAY_GROW(v->items, v->count, v->room);
    struct variable *new = &v->items[v->count++];
    new->declared = c;
    new->base = prose_make("%s", clang_getCString(name));
    new->name = same ? prose_make("%s~%d", new->base, same + 1) : source_name(s, c);
    clang_disposeString(name);
    return new->name;
}

void variables_fini(struct variables *v)
{
    for (int i = 0; i < v->count; i++) {
        free(v->items[i].name);
        free(v->items[i].base);
    }
    free(v->items);
    prose_fini(&v->joined);
    prose_fini(&v->bits);
    *v = (struct variables){ 0 };
}

/* ---- types ---- */

/* "struct (unnamed at f.c:8:1)", the rest of which begins behind the bracket: a name for it that C can say, vs_anon_8_1. */
static const char *name_unnamed(struct prose *out, const char *bracket)
{
    static const char *const kinds[] = { "struct ", "union ", "enum " };
    const char *end = strchr(bracket, ')'), *column = end, *line;
    while (column && column > bracket && *column != ':')
        column--;
    for (line = column ? column - 1 : NULL; line && line > bracket && *line != ':';)
        line--;
    if (!line || line == bracket)
        return NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t length = strlen(kinds[i]);
        if (out->length >= length && !strcmp(out->text + out->length - length, kinds[i]))
            out->text[out->length -= length] = '\0';
    }
    prose_add(out, "vs_anon_%.*s_%.*s", (int)(column - line - 1), line + 1, (int)(end - column - 1), column + 1);
    return end + 1;
}

/* An enumeration of the program that has no tag, but perhaps the name of a typedef: it has one in what is written. */
bool tree_is_untagged(CXType type)
{
    CXType plain = clang_getCanonicalType(type);
    CXCursor c = clang_getTypeDeclaration(plain);
    CXString name = clang_getTypeSpelling(plain);
    const char *text = clang_getCString(name);
    bool tagged = plain.kind != CXType_Enum || (strstr(text, "enum ") && !strchr(text, '('));
    clang_disposeString(name);
    return !tagged && !clang_Location_isInSystemHeader(clang_getCursorLocation(c));
}

/* One that is defined within a struct and has no name at all cannot be named outside: it is the integer that it is compatible with. */
static bool is_inner(CXType type)
{
    CXCursor c = clang_getTypeDeclaration(clang_getCanonicalType(type));
    enum CXCursorKind parent = clang_getCursorKind(clang_getCursorSemanticParent(c));
    CXString name = clang_getTypeSpelling(clang_getCanonicalType(type));
    bool nameless = strchr(clang_getCString(name), '(') != NULL;
    clang_disposeString(name);
    return nameless && (parent == CXCursor_StructDecl || parent == CXCursor_UnionDecl);
}

static char *spell(CXType type)
{
    bool untagged = tree_is_untagged(type);
    if (untagged && is_inner(type))
        return spell(clang_getEnumDeclIntegerType(clang_getTypeDeclaration(clang_getCanonicalType(type))));
    CXString name = clang_getTypeSpelling(clang_getCanonicalType(type));
    struct prose out = { 0 };
    for (const char *at = clang_getCString(name); *at;) {
        const char *behind = !strncmp(at, "(unnamed", 8) || !strncmp(at, "(anonymous", 10) ? name_unnamed(&out, at) : NULL;
        if (!behind)
            prose_bytes(&out, at, 1);
        at = behind ? behind : at + 1;
    }
    clang_disposeString(name);
    if (untagged) {                  /* const st, st, vs_anon_8_1 */
        char *last = strrchr(out.text, ' '), *word = prose_make("%s", last ? last + 1 : out.text);
        int front = last ? (int)(last + 1 - out.text) : 0;
        char *whole = prose_make("%.*senum " TREE_TAG "%s", front, out.text, word);
        free(word);
        prose_fini(&out);
        return whole;
    }
    return prose_take(&out);
}

struct spelled { CXType type; char *name; };

static int by_type(const void *a, const void *b)
{
    return memcmp(((const struct spelled *)a)->type.data, ((const struct spelled *)b)->type.data, sizeof ((const struct spelled *)a)->type.data);
}

/* Every part of an expression has a type, and there are few types: each is spelled once. */
const char *tree_spelling(CXType type)
{
    static void *all;
    struct spelled key = { .type = type }, **there = tfind(&key, &all, by_type);
    if (there)
        return (*there)->name;
    struct spelled *new = memory_get(sizeof *new);
    *new = (struct spelled){ type, spell(type) };
    tsearch(new, &all, by_type);
    return new->name;
}

void tree_type(struct prose *out, CXType type)
{
    tree_quote(out, tree_spelling(type));
}
