/* SPDX-License-Identifier: MIT */
#include "extractor/clang/tree.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

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

static bool is_array(CXType type)
{
    enum CXTypeKind kind = clang_getCanonicalType(type).kind;
    return kind == CXType_ConstantArray || kind == CXType_IncompleteArray || kind == CXType_VariableArray;
}

/* A parameter `int a[]` is a pointer, and so is a++; libclang tells the array that was written. Of an array itself are variables, parts and
 * constants alone. */
static bool is_pointer_told_as_array(const struct source *s, CXCursor c)
{
    switch (clang_getCursorKind(c)) {
    case CXCursor_ParmDecl:      return is_array(clang_getCursorType(c));
    case CXCursor_DeclRefExpr:   return clang_getCursorKind(clang_getCursorReferenced(c)) == CXCursor_ParmDecl && is_array(clang_getCursorType(c));
    case CXCursor_UnaryOperator: return s->text[source_begin(c)] != '*' && is_array(clang_getCursorType(c));
    case CXCursor_BinaryOperator:
    case CXCursor_CompoundAssignOperator:
    case CXCursor_ConditionalOperator:
    case CXCursor_CallExpr:
    case CXCursor_CStyleCastExpr: return is_array(clang_getCursorType(c));
    default:                     return false;
    }
}

/* "int[2]" has pointers "int (*)[2]", "void (*)(int)" "void (**)(int)", "char *" "char **". */
static void put_pointer_to(struct prose *out, const char *element)
{
    const char *star = strstr(element, "(*"), *bracket = strchr(element, '['), *at = star ? star + 2 : bracket ? bracket : strchr(element, '\0');
    char *text = prose_make("%.*s%s%s", (int)(at - element), element, star ? "*" : bracket ? " (*)" : at[-1] == '*' ? "*" : " *", at);
    tree_quote(out, text);
    free(text);
}

void tree_type_of(struct prose *out, const struct source *s, CXCursor c)
{
    CXType type = clang_getCursorType(c);
    if (!is_pointer_told_as_array(s, c)) {
        tree_type(out, type);
        return;
    }
    put_pointer_to(out, tree_spelling(clang_getArrayElementType(clang_getCanonicalType(type))));
}

struct writer { struct prose *out; const struct source *source; struct variables *variables; int conditional; };

static void put(struct writer *, CXCursor);

static void open(struct writer *w, const char *kind, CXCursor c)
{
    prose_add(w->out, "(%s ", kind);
    tree_type_of(w->out, w->source, c);
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
static char *operator_between(const struct writer *w, unsigned start, unsigned end)
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

static void function_name(struct writer *w, CXCursor function)
{
    char *name = source_name(w->source, function);
    prose_add(w->out, " %s)", name);
    free(name);
}

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
        prose_add(w->out, " %s)", variables_name(w->variables, w->source, to));
        break;
    case CXCursor_FunctionDecl:
        open(w, "fun", c);
        function_name(w, to);
        break;
    default:
        raw(w, c);
    }
    clang_disposeString(name);
}

bool tree_is_sequence(const struct source *s, CXCursor whole, const struct cursors *parts)
{
    if (clang_getCursorKind(whole) != CXCursor_BinaryOperator || parts->count != 2)
        return false;
    char *operator = source_between(s, source_end(parts->items[0]), source_begin(parts->items[1]));
    bool comma = strchr(operator, ',') != NULL;
    free(operator);
    return comma && source_has_statements(s, parts->items[1]);
}

static void binary(struct writer *w, CXCursor c, const struct cursors *parts)
{
    if (parts->count != 2) {
        raw(w, c);
        return;
    }
    if (!w->conditional && tree_is_sequence(w->source, c, parts)) {
        put(w, parts->items[1]);
        return;
    }
    char *operator = operator_between(w, source_end(parts->items[0]), source_begin(parts->items[1]));
    int maybe = !strcmp(operator, "&&") || !strcmp(operator, "||");
    open(w, operator, c);
    prose_add(w->out, " ");
    put(w, parts->items[0]);
    w->conditional += maybe;
    prose_add(w->out, " ");
    put(w, parts->items[1]);
    w->conditional -= maybe;
    prose_add(w->out, ")");
    free(operator);
}

static void unary(struct writer *w, CXCursor c, const struct cursors *parts)
{
    if (parts->count != 1) {
        raw(w, c);
        return;
    }
    bool behind = source_begin(c) == source_begin(parts->items[0]);
    char *operator = behind ? operator_between(w, source_end(parts->items[0]), source_end(c))
                            : operator_between(w, source_begin(c), source_begin(parts->items[0]));
    char *kind = prose_make("%s%s", behind ? "post" : "pre", operator);
    all(w, kind, c, parts);
    free(kind);
    free(operator);
}

/* Of a union, or of what has no name within one: others are the same memory. */
static bool is_joined(CXCursor field)
{
    CXCursor within = clang_getCursorSemanticParent(field);
    while (clang_getCursorKind(within) == CXCursor_StructDecl && clang_Cursor_isAnonymousRecordDecl(within))
        within = clang_getCursorSemanticParent(within);
    return clang_getCursorKind(within) == CXCursor_UnionDecl;
}

static void note_field(struct prose *notes, const char *what, const char *field)
{
    char *line = prose_make("%s \"%s\"\n", what, field);
    if (!notes->text || !strstr(notes->text, line))
        prose_add(notes, "%s", line);
    free(line);
}

/* x.inner, of a struct within a struct that have no name themselves, is a part of what has no name: that is not said in C. Newer versions of
 * libclang call it "union deep::(anonymous at x.c:4:7)". */
static bool has_no_name(CXCursor member)
{
    CXString field = clang_getCursorSpelling(member);
    const char *name = clang_getCString(field);
    bool none = clang_getCursorKind(member) == CXCursor_MemberRefExpr && (!*name || strchr(name, '('));
    clang_disposeString(field);
    return none;
}

static void member(struct writer *w, CXCursor c, const struct cursors *parts)
{
    if (parts->count && has_no_name(parts->items[0])) {
        struct cursors inner = source_children(parts->items[0]);
        member(w, c, &inner);
        free(inner.items);
        return;
    }
    CXString field = clang_getCursorSpelling(c);
    if (is_joined(clang_getCursorReferenced(c)))
        note_field(&w->variables->joined, "union", clang_getCString(field));
    if (clang_Cursor_isBitField(clang_getCursorReferenced(c)))
        note_field(&w->variables->bits, "bits", clang_getCString(field));
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

/* ---- what is a text with expressions in it ---- */

static void words(struct writer *w, unsigned start, unsigned end)
{
    char *text = source_between(w->source, start, end);
    prose_add(w->out, " (text \"\" ");
    tree_quote(w->out, text);
    prose_add(w->out, ")");
    free(text);
}

static void initialiser(struct writer *, CXCursor);

/* ".b = 3", "[1] = 3": what stands before the value is text. */
static bool designated(struct writer *w, CXCursor c, const struct cursors *parts)
{
    char first = w->source->text[source_begin(c)];
    if (clang_getCursorKind(c) != CXCursor_UnexposedExpr || (first != '.' && first != '[') || !parts->count)
        return false;
    CXCursor value = parts->items[0];
    for (int i = 1; i < parts->count; i++)
        if (source_begin(parts->items[i]) > source_begin(value))
            value = parts->items[i];
    words(w, source_begin(c), source_begin(value));
    initialiser(w, value);
    return true;
}

/* Where fields of what has no name are designated, libclang does not tell where their values stand. */
static bool strays(CXCursor list, const struct cursors *parts)
{
    struct span all = source_span(list);
    for (int i = 0; i < parts->count; i++)
        if (source_begin(parts->items[i]) <= all.begin || source_end(parts->items[i]) > all.end)
            return true;
    return false;
}

/* Then the whole is a text, as long as it names nothing but fields: variables and functions have other names in a model. */
static void list_as_text(struct writer *w, CXCursor c)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    char *text = source_text(w->source, c), *at = text;
    while ((at = strpbrk(at, letters)) && at[-1] == '.')         /* the first is the bracket */
        at += strspn(at, letters) + strspn(at + strspn(at, letters), "0123456789");
    bool plain = !at;
    free(text);
    if (plain) {
        words(w, source_begin(c), source_end(c));
    } else {
        prose_add(w->out, " ");
        raw(w, c);
    }
}

static void initialiser(struct writer *w, CXCursor c)
{
    struct cursors parts = source_children(c);
    unsigned at = source_begin(c);
    if (clang_getCursorKind(c) == CXCursor_InitListExpr && strays(c, &parts)) {
        list_as_text(w, c);
    } else if (clang_getCursorKind(c) == CXCursor_InitListExpr) {
        for (int i = 0; i < parts.count; i++) {
            words(w, at, source_begin(parts.items[i]));
            initialiser(w, parts.items[i]);
            at = source_end(parts.items[i]);
        }
        words(w, at, source_end(c));
    } else if (!designated(w, c, &parts)) {
        prose_add(w->out, " ");
        put(w, c);
    }
    free(parts.items);
}

/* A list in braces: pieces of text and, between them, expressions. */
static void list(struct writer *w, CXCursor c)
{
    open(w, "init", c);
    initialiser(w, c);
    prose_add(w->out, ")");
}

static int by_start(const void *a, const void *b)
{
    unsigned x = source_begin(*(const CXCursor *)a), y = source_begin(*(const CXCursor *)b);
    return x < y ? -1 : x > y;
}

/* An operation of C11's atomics, or one of gcc's, which has no name for libclang, or one for each size: its name is in the text. The older ones
 * (__sync_) are calls, of which what is called is the first part. */
static bool atomic(struct writer *w, CXCursor c, const struct cursors *parts)
{
    const char *text = w->source->text + source_begin(c);
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz_0123456789");
    bool older = !strncmp(text, "__sync_", 7) && clang_getCursorKind(c) == CXCursor_CallExpr;
    if ((strncmp(text, "__c11_atomic_", 13) && strncmp(text, "__atomic_", 9) && !older) || !parts->count)
        return false;
    qsort(parts->items, (size_t)parts->count, sizeof *parts->items, by_start);
    open(w, "atomic", c);
    prose_add(w->out, " %.*s", (int)length, text);
    for (int i = older; i < parts->count; i++) {
        prose_add(w->out, " ");
        put(w, parts->items[i]);
    }
    prose_add(w->out, ")");
    return true;
}

/* What the compiler knows of an expression, which is not evaluated: that it is no constant, or how large what it points to is. */
static bool unevaluated(struct writer *w, CXCursor c)
{
    const char *text = w->source->text + source_begin(c);
    bool constant = !strncmp(text, "__builtin_constant_p", 20);
    if (!constant && strncmp(text, "__builtin_object_size", 21) && strncmp(text, "__builtin_dynamic_object_size", 29))
        return false;
    if (number(w, c, NULL))
        return true;
    if (!constant) {
        raw(w, c);
        return true;
    }
    open(w, "int", c);
    prose_add(w->out, " 0)");
    return true;
}

/* x ?: y */
bool tree_is_or_else(const struct source *s, CXCursor whole, const struct cursors *parts)
{
    if (parts->count < 2 || source_begin(parts->items[0]) != source_begin(whole))
        return false;
    char *between = source_between(s, source_end(parts->items[0]), source_begin(parts->items[parts->count - 1])), *mark = strchr(between, '?');
    bool is = mark && mark == between + strspn(between, " )") && mark[1 + strspn(mark + 1, " ")] == ':' ;
    free(between);
    return is;
}

static bool or_else(struct writer *w, CXCursor c, const struct cursors *parts)
{
    if (!tree_is_or_else(w->source, c, parts))
        return false;
    open(w, "?:", c);
    prose_add(w->out, " ");
    put(w, parts->items[0]);
    prose_add(w->out, " ");
    w->conditional++;
    put(w, parts->items[parts->count - 1]);
    w->conditional--;
    prose_add(w->out, ")");
    return true;
}

/* ({ ...; value; }): what comes before the value was put into the flow. */
static void last_statement(struct writer *w, CXCursor c, const struct cursors *parts)
{
    struct cursors inner = parts->count ? source_children(parts->items[0]) : (struct cursors){ 0 };
    if (inner.count && clang_isExpression(clang_getCursorKind(inner.items[inner.count - 1]))) {
        put(w, inner.items[inner.count - 1]);
    } else {
        open(w, "none", c);
        prose_add(w->out, ")");
    }
    free(inner.items);
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
    struct span x = source_span(a), y = source_span(b);
    return x.begin == y.begin && x.end == y.end;
}

static void with_parts(struct writer *w, CXCursor c, const struct cursors *parts)
{
    switch (clang_getCursorKind(c)) {
    case CXCursor_UnexposedExpr:     /* an implicit conversion covers the same text; what does not is something else, as va_arg */
    case CXCursor_ParenExpr:
        if (parts->count == 1 && (clang_getCursorKind(c) == CXCursor_ParenExpr || covers_same(c, parts->items[0])))
            put(w, parts->items[0]);
        else if (!atomic(w, c, parts) && !or_else(w, c, parts) && !number(w, c, NULL))
            raw(w, c);
        break;
    case CXCursor_InitListExpr:           list(w, c); break;
    case CXCursor_CompoundLiteralExpr:    last_of(w, "literal", c, parts); break;
    case CXCursor_StmtExpr:               w->conditional ? raw(w, c) : last_statement(w, c, parts); break;
    case CXCursor_BinaryOperator:
    case CXCursor_CompoundAssignOperator: binary(w, c, parts); break;
    case CXCursor_UnaryOperator:          unary(w, c, parts); break;
    case CXCursor_ConditionalOperator:
        w->conditional++;
        all(w, "?", c, parts);
        w->conditional--;
        break;
    case CXCursor_CallExpr:
        if (!atomic(w, c, parts) && !unevaluated(w, c))
            all(w, "call", c, parts);
        break;
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
    struct writer w = { out, s, v, 0 };
    put(&w, expression);
}
