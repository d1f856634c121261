/* SPDX-License-Identifier: MIT */
#include "extractor/clang/tree.h"

#include "base/memory.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- variables ---- */

const char *variables_name(struct variables *v, CXCursor declaration)
{
    CXCursor c = clang_getCanonicalCursor(declaration);
    for (int i = 0; i < v->count; i++)
        if (clang_equalCursors(v->items[i].declared, c))
            return v->items[i].name;
    CXString name = clang_getCursorSpelling(c);
    int same = 0;
    for (int i = 0; i < v->count; i++)
        same += !strcmp(v->items[i].base, clang_getCString(name));
    ARRAY_GROW(v->items, v->count, v->room);
    struct variable *new = &v->items[v->count++];
    new->declared = c;
    new->base = prose_make("%s", clang_getCString(name));
    new->name = same ? prose_make("%s~%d", new->base, same + 1) : prose_make("%s", new->base);
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
    *v = (struct variables){ 0 };
}

/* ---- pieces ---- */

void tree_quote(struct prose *out, const char *text)
{
    prose_bytes(out, "\"", 1);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            prose_bytes(out, "\\", 1);
        if (*text == '\n')
            prose_bytes(out, "\\n", 2);
        else
            prose_bytes(out, text, 1);
    }
    prose_bytes(out, "\"", 1);
}

void tree_type(struct prose *out, CXType type)
{
    CXString name = clang_getTypeSpelling(clang_getCanonicalType(type));
    tree_quote(out, clang_getCString(name));
    clang_disposeString(name);
}

struct writer { struct prose *out; const struct source *source; struct variables *variables; };

static void put(struct writer *, CXCursor);

static void open(struct writer *w, const char *kind, CXCursor c)
{
    prose_add(w->out, "(%s ", kind);
    tree_type(w->out, clang_getCursorType(c));
}

static void all(struct writer *w, const char *kind, CXCursor c, const struct cursors *parts)
{
    open(w, kind, c);
    for (int i = 0; i < parts->count; i++) {
        prose_add(w->out, " ");
        put(w, parts->items[i]);
    }
    prose_add(w->out, ")");
}

static void raw(struct writer *w, CXCursor c)
{
    char *text = source_text(w->source, c);
    open(w, "raw", c);
    prose_add(w->out, " ");
    tree_quote(w->out, text);
    prose_add(w->out, ")");
    free(text);
}

/* What stands between two offsets without white space: an operator. */
static char *operator_between(struct writer *w, unsigned start, unsigned end)
{
    char *text = source_between(w->source, start, end), *to = text;
    for (char *from = text; *from; from++)
        if (!isspace((unsigned char)*from))
            *to++ = *from;
    *to = '\0';
    return text;
}

static bool number(struct writer *w, CXCursor c, const char *name)
{
    CXEvalResult value = clang_Cursor_Evaluate(c);
    bool is = value && clang_EvalResult_getKind(value) == CXEval_Int;
    if (is) {
        open(w, "int", c);
        if (clang_EvalResult_isUnsignedInt(value))
            prose_add(w->out, " %llu", clang_EvalResult_getAsUnsigned(value));
        else
            prose_add(w->out, " %lld", clang_EvalResult_getAsLongLong(value));
        prose_add(w->out, "%s%s)", name ? " " : "", name ? name : "");
    }
    if (value)
        clang_EvalResult_dispose(value);
    return is;
}

/* ---- kinds ---- */

static void reference(struct writer *w, CXCursor c)
{
    CXCursor to = clang_getCursorReferenced(c);
    CXString name = clang_getCursorSpelling(to);
    switch (clang_getCursorKind(to)) {
    case CXCursor_EnumConstantDecl:
        open(w, "int", c);
        prose_add(w->out, " %lld %s)", clang_getEnumConstantDeclValue(to), clang_getCString(name));
        break;
    case CXCursor_VarDecl:
    case CXCursor_ParmDecl:
        open(w, "var", c);
        prose_add(w->out, " %s)", variables_name(w->variables, to));
        break;
    case CXCursor_FunctionDecl:
        open(w, "fun", c);
        prose_add(w->out, " %s)", clang_getCString(name));
        break;
    default:
        raw(w, c);
    }
    clang_disposeString(name);
}

static void binary(struct writer *w, CXCursor c, const struct cursors *parts)
{
    if (parts->count != 2) {
        raw(w, c);
        return;
    }
    char *operator = operator_between(w, source_end(parts->items[0]), source_start(parts->items[1]));
    all(w, operator, c, parts);
    free(operator);
}

static void unary(struct writer *w, CXCursor c, const struct cursors *parts)
{
    if (parts->count != 1) {
        raw(w, c);
        return;
    }
    bool behind = source_start(c) == source_start(parts->items[0]);
    char *operator = behind ? operator_between(w, source_end(parts->items[0]), source_end(c))
                            : operator_between(w, source_start(c), source_start(parts->items[0]));
    char *kind = prose_make("%s%s", behind ? "post" : "pre", operator);
    all(w, kind, c, parts);
    free(kind);
    free(operator);
}

static void member(struct writer *w, CXCursor c, const struct cursors *parts)
{
    CXString field = clang_getCursorSpelling(c);
    if (parts->count < 1) {
        raw(w, c);
    } else {
        CXType base = clang_getCanonicalType(clang_getCursorType(parts->items[0]));
        open(w, base.kind == CXType_Pointer ? "->" : ".", c);
        prose_add(w->out, " ");
        put(w, parts->items[0]);
        prose_add(w->out, " %s)", clang_getCString(field));
    }
    clang_disposeString(field);
}

static void last_of(struct writer *w, const char *kind, CXCursor c, const struct cursors *parts)
{
    if (!parts->count) {
        raw(w, c);
        return;
    }
    struct cursors last = { .items = &parts->items[parts->count - 1], .count = 1 };
    all(w, kind, c, &last);
}

static void literal(struct writer *w, const char *kind, CXCursor c)
{
    char *text = source_text(w->source, c);
    open(w, kind, c);
    prose_add(w->out, " ");
    tree_quote(w->out, text);
    prose_add(w->out, ")");
    free(text);
}

static bool covers_same(CXCursor a, CXCursor b)
{
    return source_start(a) == source_start(b) && source_end(a) == source_end(b);
}

static void with_parts(struct writer *w, CXCursor c, const struct cursors *parts)
{
    switch (clang_getCursorKind(c)) {
    case CXCursor_UnexposedExpr:     /* an implicit conversion covers the same text; what does not is something else, as va_arg */
    case CXCursor_ParenExpr:
        if (parts->count == 1 && (clang_getCursorKind(c) == CXCursor_ParenExpr || covers_same(c, parts->items[0])))
            put(w, parts->items[0]);
        else if (!number(w, c, NULL))
            raw(w, c);
        break;
    case CXCursor_BinaryOperator:
    case CXCursor_CompoundAssignOperator: binary(w, c, parts); break;
    case CXCursor_UnaryOperator:          unary(w, c, parts); break;
    case CXCursor_ConditionalOperator:    all(w, "?", c, parts); break;
    case CXCursor_CallExpr:               all(w, "call", c, parts); break;
    case CXCursor_ArraySubscriptExpr:     all(w, "[]", c, parts); break;
    case CXCursor_MemberRefExpr:          member(w, c, parts); break;
    case CXCursor_CStyleCastExpr:         last_of(w, "cast", c, parts); break;
    case CXCursor_DeclRefExpr:            reference(w, c); break;
    case CXCursor_StringLiteral:          literal(w, "str", c); break;
    case CXCursor_FloatingLiteral:        literal(w, "float", c); break;
    default:
        if (!number(w, c, NULL))
            raw(w, c);
    }
}

static void put(struct writer *w, CXCursor c)
{
    struct cursors parts = source_children(c);
    with_parts(w, c, &parts);
    free(parts.items);
}

void tree_put(struct prose *out, const struct source *s, struct variables *v, CXCursor expression)
{
    struct writer w = { out, s, v };
    put(&w, expression);
}
