/* SPDX-License-Identifier: MIT */
#include "extractor/clang/graph.h"

#include "base/memory.h"
#include "extractor/clang/flow.h"
#include "extractor/clang/types.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing ---- */

/* Past what only points on; a ring of such nodes cannot be: every loop has a node of its own. */
static int resolve(const struct graph *g, int node)
{
    for (int steps = 0; !g->nodes[node].kind; node = g->nodes[node].next) {
        assert(steps++ <= g->count);
        assert(g->nodes[node].next != NOWHERE);
    }
    return node;
}

static const struct graph *sorted;

static int by_place(const void *a, const void *b)
{
    const struct node *x = &sorted->nodes[*(const int *)a], *y = &sorted->nodes[*(const int *)b];
    int file = strcmp(x->place.file, y->place.file);
    if (file)
        return file;
    if (x->place.line != y->place.line)
        return x->place.line < y->place.line ? -1 : 1;
    if (x->place.column != y->place.column)
        return x->place.column < y->place.column ? -1 : 1;
    return *(const int *)a > *(const int *)b ? -1 : 1;
}

/* A number for each node that does something, in the order of the source, from 1. */
static int *number_nodes(const struct graph *g, int **order, int *count)
{
    int *numbers = memory_get(((size_t)g->count + 1) * sizeof *numbers);
    *order = memory_get(((size_t)g->count + 1) * sizeof **order);
    *count = 0;
    for (int i = 0; i < g->count; i++)
        if (g->nodes[i].kind)
            (*order)[(*count)++] = i;
    sorted = g;
    qsort(*order, (size_t)*count, sizeof **order, by_place);
    for (int i = 0; i < *count; i++)
        numbers[(*order)[i]] = i + 1;
    return numbers;
}

static void put_node(struct prose *out, const struct graph *g, const int *numbers, int i)
{
    const struct node *n = &g->nodes[i];
    prose_add(out, "  node %d %s ", numbers[i], n->kind);
    flow_place(out, n->place);
    if (n->text) {
        prose_add(out, " ");
        tree_quote(out, n->text);
    }
    if (n->tree)
        prose_add(out, " %s", n->tree);
    if (n->next != NOWHERE || n->way_count)
        prose_add(out, " ->");
    if (n->next != NOWHERE)
        prose_add(out, " %d", numbers[resolve(g, n->next)]);
    if (n->otherwise != NOWHERE)
        prose_add(out, " %d", numbers[resolve(g, n->otherwise)]);
    for (int w = n->way_count - 2; w >= 0; w--)  /* they were found backwards; the default is last */
        prose_add(out, " %s %d", n->ways[w].when, numbers[resolve(g, n->ways[w].to)]);
    if (n->way_count)
        prose_add(out, " %s %d", n->ways[n->way_count - 1].when, numbers[resolve(g, n->ways[n->way_count - 1].to)]);
    prose_add(out, "\n");
}

static void put_states(struct prose *out, const struct source *s, const char *function)
{
    for (int i = 0; i < s->at.count; i++)
        if (!strcmp(s->at.states[i].function, function)) {
            prose_add(out, "  state %s %d ", s->at.states[i].name, s->at.states[i].number);
            tree_quote(out, s->file);
            prose_add(out, ":%d:1\n", s->at.states[i].line);
        }
}

static void graph_fini(struct graph *g)
{
    for (int i = 0; i < g->count; i++) {
        free(g->nodes[i].text);
        free(g->nodes[i].tree);
        for (int w = 0; w < g->nodes[i].way_count; w++)
            free(g->nodes[i].ways[w].when);
        free(g->nodes[i].ways);
    }
    for (int i = 0; i < g->label_count; i++)
        free(g->labels[i].name);
    free(g->nodes);
    free(g->labels);
    prose_fini(&g->locals);
}

static void put_flow(struct prose *out, struct graph *g, CXCursor body)
{
    int *order, count, end = flow_add(g, "return", body, NULL, NOWHERE);
    g->nodes[end].place = source_end_place(body);
    int entry = flow_statement(g, body, end);
    int *numbers = number_nodes(g, &order, &count);
    prose_add(out, "%s  entry %d\n", g->locals.text ? g->locals.text : "", numbers[resolve(g, entry)]);
    for (int i = 0; i < count; i++)
        put_node(out, g, numbers, order[i]);
    free(order);
    free(numbers);
}

static void function(struct prose *out, struct graph *g, CXCursor c, CXCursor body, const struct cursors *parts)
{
    CXString name = clang_getCursorSpelling(c);
    char *called = source_name(g->source, c);
    prose_add(out, "function %s ", called);
    free(called);
    tree_type(out, clang_getCursorResultType(c));
    prose_add(out, " ");
    flow_place(out, source_place(c));
    prose_add(out, clang_Cursor_getStorageClass(c) == CX_SC_Static ? " static" : "");
    prose_add(out, flow_has_attribute(g->source, c, "constructor") || flow_has_attribute(g->source, c, "destructor") ? " unasked\n" : "\n");
    for (int i = 0; i < parts->count; i++)
        if (clang_getCursorKind(parts->items[i]) == CXCursor_ParmDecl)
            flow_declare(g, out, "  parameter", parts->items[i], false);
    put_states(out, g->source, clang_getCString(name));
    put_flow(out, g, body);
    prose_add(out, "end\n");
    clang_disposeString(name);
}

static void one_function(struct prose *out, const struct source *s, struct variables *globals, CXCursor c)
{
    struct cursors parts = source_children(c);
    if (parts.count && clang_getCursorKind(parts.items[parts.count - 1]) == CXCursor_CompoundStmt) {
        struct graph g = { .source = s, .variables = *globals, .breaks = NOWHERE, .continues = NOWHERE, .switched = NOWHERE };
        int before = globals->count;
        function(out, &g, c, parts.items[parts.count - 1], &parts);
        for (int i = before; i < g.variables.count; i++) {               /* locals: another function may have the same names */
            free(g.variables.items[i].name);
            free(g.variables.items[i].base);
        }
        *globals = g.variables;
        globals->count = before;
        graph_fini(&g);
    }
    free(parts.items);
}

static void one_constant(struct prose *out, CXCursor c)
{
    struct cursors parts = source_children(c);
    const char *type = tree_spelling(clang_getCursorType(c));
    bool told = !strncmp(type, "enum ", 5);
    for (int i = 0; i < parts.count; i++) {
        if (clang_getCursorKind(parts.items[i]) != CXCursor_EnumConstantDecl)
            continue;
        CXString name = clang_getCursorSpelling(parts.items[i]);
        char *line = prose_make("constant %s %lld%s%s%s\n", clang_getCString(name), clang_getEnumConstantDeclValue(parts.items[i]),
                                told ? " \"" : "", told ? type : "", told ? "\"" : "");
        prose_add(out, "%s", types_is_new(line) ? line : "");
        free(line);
        clang_disposeString(name);
    }
    free(parts.items);
}

/* Fields that have a name; those of a struct without one within it are among them, as C has them. */
static void put_fields(struct prose *out, const char *type, CXCursor c)
{
    struct cursors parts = source_children(c);
    for (int i = 0; i < parts.count; i++) {
        CXString name = clang_getCursorSpelling(parts.items[i]);
        enum CXCursorKind kind = clang_getCursorKind(parts.items[i]);
        if (kind == CXCursor_FieldDecl && *clang_getCString(name)) {
            prose_add(out, "field \"%s\" %s ", type, clang_getCString(name));
            tree_type(out, clang_getCursorType(parts.items[i]));
            prose_add(out, "\n");
        } else if ((kind == CXCursor_StructDecl || kind == CXCursor_UnionDecl) && clang_Cursor_isAnonymousRecordDecl(parts.items[i]))
            put_fields(out, type, parts.items[i]);
        clang_disposeString(name);
    }
    free(parts.items);
}

static void one_struct(struct prose *out, CXCursor c)
{
    const char *type = tree_spelling(clang_getCursorType(c));
    char *key = prose_make("fields of %s", type);
    if (clang_isCursorDefinition(c) && types_is_new(key))
        put_fields(out, type, c);
    free(key);
}

static void one_variable(struct prose *out, const struct source *s, struct variables *globals, CXCursor c)
{
    struct graph g = { .source = s, .variables = *globals };
    if (clang_Cursor_getStorageClass(c) != CX_SC_Extern || clang_isCursorDefinition(c))
        flow_declare(&g, out, "variable", c, true);
    *globals = g.variables;
}

static bool is_ours(CXCursor c)
{
    return !clang_Location_isInSystemHeader(clang_getCursorLocation(c));
}

void graph_file(struct prose *out, const struct source *s, struct variables *globals)
{
    struct cursors all = source_children(clang_getTranslationUnitCursor(s->unit));
    prose_add(out, "source ");
    tree_quote(out, s->file);
    prose_add(out, "\n");
    types_includes(out, s);
    types_put(out, s, &all, "type");
    for (int i = 0; i < all.count; i++) {        /* names of globals first, so that locals cannot take them */
        enum CXCursorKind kind = clang_getCursorKind(all.items[i]);
        if (kind == CXCursor_VarDecl)
            variables_name(globals, s, all.items[i]);
        if (kind == CXCursor_EnumDecl && is_ours(all.items[i]))
            one_constant(out, all.items[i]);
        else if ((kind == CXCursor_StructDecl || kind == CXCursor_UnionDecl) && is_ours(all.items[i]))
            one_struct(out, all.items[i]);
        else if (kind == CXCursor_VarDecl && is_ours(all.items[i]))
            one_variable(out, s, globals, all.items[i]);
    }
    for (int i = 0; i < all.count; i++)
        if (clang_getCursorKind(all.items[i]) == CXCursor_FunctionDecl && is_ours(all.items[i]))
            one_function(out, s, globals, all.items[i]);
    prose_add(out, "%s%s", globals->joined.text ? globals->joined.text : "", globals->bits.text ? globals->bits.text : "");
    free(all.items);
}
