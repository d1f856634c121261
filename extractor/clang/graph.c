/* SPDX-License-Identifier: MIT */
#include "extractor/clang/graph.h"

#include "base/memory.h"
#include "extractor/clang/types.h"

#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { NOWHERE = -1 };

struct way { char *when; int to; };              /* of a switch: "[3=ack]" */

struct node {
    const char  *kind;               /* NULL: only points on, to `next` */
    struct place place;
    char        *text, *tree;        /* owned; NULL: none */
    int          next, otherwise;    /* node numbers, or NOWHERE */
    struct way  *ways;
    int          way_count, way_room;
};

struct label { char *name; int node; };

struct graph {
    const struct source *source;
    struct variables     variables;
    struct node         *nodes;
    int                  count, room;
    struct label        *labels;
    int                  label_count, label_room;
    int                  breaks, continues;      /* where they lead */
    int                  switched;               /* the switch node around, or NOWHERE */
    int                  otherwise;              /* the default of it */
    struct prose         locals;                 /* lines of declarations */
};

/* ---- nodes ---- */

static int add(struct graph *g, const char *kind, CXCursor at, char *text, int next)
{
    ARRAY_GROW(g->nodes, g->count, g->room);
    g->nodes[g->count] = (struct node){ .kind = kind, .place = source_place(at), .text = text, .next = next, .otherwise = NOWHERE };
    return g->count++;
}

static void give_tree(struct graph *g, int node, CXCursor expression)
{
    struct prose tree = { 0 };
    tree_put(&tree, g->source, &g->variables, expression);
    g->nodes[node].tree = prose_take(&tree);
}

static int hoist(struct graph *, CXCursor expression, int next);

/* Is it done with, once its statement expressions stand in the flow? That is what assert() is. */
static bool is_empty(const char *tree)
{
    static const char *const empty[] = { "(none \"void\")", "(pre__extension__ \"void\" (none \"void\"))" };
    static const char head[] = "(, \"void\" (cast \"void\" (int ";
    const char *rest = strncmp(tree, head, strlen(head)) ? NULL : strchr(tree, ')');
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++)
        if (!strcmp(tree, empty[i]) || (rest && !strncmp(rest, ")) ", 3) && !strncmp(rest + 3, empty[i], strlen(empty[i]))))
            return true;
    return false;
}

static int evaluate(struct graph *g, CXCursor expression, int next)
{
    struct prose tree = { 0 };
    tree_put(&tree, g->source, &g->variables, expression);
    if (is_empty(tree.text)) {
        prose_fini(&tree);
        return hoist(g, expression, next);
    }
    int node = add(g, "do", expression, source_text(g->source, expression), next);
    g->nodes[node].tree = prose_take(&tree);
    return hoist(g, expression, node);
}

static int condition(struct graph *g, CXCursor expression, int yes, int no)
{
    int node = add(g, "if", expression, source_text(g->source, expression), yes);
    g->nodes[node].otherwise = no;
    give_tree(g, node, expression);
    return hoist(g, expression, node);
}

static int pointer(struct graph *g, CXCursor at)
{
    return add(g, NULL, at, NULL, NOWHERE);
}

static int label_node(struct graph *g, const char *name, CXCursor at)
{
    for (int i = 0; i < g->label_count; i++)
        if (!strcmp(g->labels[i].name, name))
            return g->labels[i].node;
    ARRAY_GROW(g->labels, g->label_count, g->label_room);
    g->labels[g->label_count++] = (struct label){ prose_make("%s", name), pointer(g, at) };
    return g->labels[g->label_count - 1].node;
}

/* ---- declarations ---- */

static void put_place(struct prose *out, struct place p)
{
    tree_quote(out, p.file);
    prose_add(out, ":%u:%u", p.line, p.column);
}

static void declare(struct graph *g, struct prose *out, const char *what, CXCursor c, bool with_value)
{
    CXCursor value = with_value ? clang_Cursor_getVarDeclInitializer(c) : clang_getNullCursor();
    prose_add(out, "%s %s ", what, variables_name(&g->variables, g->source, c));
    tree_type(out, clang_getCursorType(c));
    prose_add(out, " ");
    put_place(out, source_place(c));
    if (clang_getCursorTLSKind(c) != CXTLS_None)
        prose_add(out, " thread");
    if (!clang_Cursor_isNull(value)) {
        char *text = source_text(g->source, value);
        prose_add(out, " ");
        tree_quote(out, text);
        prose_add(out, " ");
        tree_put(out, g->source, &g->variables, value);
        free(text);
    }
    prose_add(out, "\n");
}

/* Attributes by which something is done that no statement says. */
static bool has_attribute(const struct source *s, CXCursor c, const char *name)
{
    struct cursors parts = source_children(c);
    bool found = false;
    for (int i = 0; i < parts.count; i++) {
        enum CXCursorKind kind = clang_getCursorKind(parts.items[i]);
        char *text = kind >= CXCursor_FirstAttr && kind <= CXCursor_LastAttr ? source_text(s, parts.items[i]) : NULL;
        found |= text && strstr(text, name);
        free(text);
    }
    free(parts.items);
    return found;
}

/* An initialiser runs where it stands, as an assignment; that of a static variable does not run. */
static int variable(struct graph *g, CXCursor c, int next)
{
    enum CX_StorageClass storage = clang_Cursor_getStorageClass(c);
    CXCursor value = clang_Cursor_getVarDeclInitializer(c);
    if (storage == CX_SC_Extern)
        return next;
    declare(g, &g->locals, storage == CX_SC_Static ? "  static" : "  local", c, storage == CX_SC_Static);
    bool vla = clang_getCanonicalType(clang_getCursorType(c)).kind == CXType_VariableArray, cleanup = has_attribute(g->source, c, "cleanup");
    if (storage == CX_SC_Static || (clang_Cursor_isNull(value) && !vla && !cleanup))
        return next;
    if (vla || cleanup) {
        int made = add(g, "do", c, source_text(g->source, c), next);
        g->nodes[made].tree = prose_make("(raw \"void\" \"\")");
        return made;
    }
    CXString name = clang_getCursorSpelling(c);
    char *text = source_text(g->source, value);
    int node = add(g, "do", c, prose_make("%s = %s", clang_getCString(name), text), next);
    struct prose tree = { 0 };
    prose_add(&tree, "(= ");
    tree_type(&tree, clang_getCursorType(c));
    prose_add(&tree, " (var ");
    tree_type(&tree, clang_getCursorType(c));
    prose_add(&tree, " %s) ", variables_name(&g->variables, g->source, c));
    tree_put(&tree, g->source, &g->variables, value);
    prose_add(&tree, ")");
    g->nodes[node].tree = prose_take(&tree);
    clang_disposeString(name);
    free(text);
    return hoist(g, value, node);
}

static int declarations(struct graph *g, CXCursor c, int next)
{
    struct cursors parts = source_children(c);
    for (int i = 0; i < parts.count; i++)        /* in order, so that a shadowed name has the higher number */
        if (clang_getCursorKind(parts.items[i]) == CXCursor_VarDecl)
            variables_name(&g->variables, g->source, parts.items[i]);
    for (int i = parts.count - 1; i >= 0; i--)
        if (clang_getCursorKind(parts.items[i]) == CXCursor_VarDecl)
            next = variable(g, parts.items[i], next);
    types_put(&g->locals, g->source, &parts, "  type");
    free(parts.items);
    return next;
}

/* ---- statements ---- */

static int statement(struct graph *, CXCursor, int next);

/* Where a statement expression ({ ... }) in an expression may or may not be evaluated, it stays there, and cannot be carried over. */
static bool surely_evaluated(const struct graph *g, CXCursor whole, const struct cursors *parts, int which)
{
    enum CXCursorKind kind = clang_getCursorKind(whole);
    if (kind == CXCursor_ConditionalOperator || kind == CXCursor_UnaryExpr)
        return false;
    if (kind != CXCursor_BinaryOperator || !which || parts->count != 2)
        return true;
    char *operator = source_between(g->source, source_end(parts->items[0]), source_begin(parts->items[1]));
    bool sure = !strstr(operator, "&&") && !strstr(operator, "||");
    free(operator);
    return sure;
}

static int inner_statements(struct graph *g, CXCursor block, int next)
{
    struct cursors parts = source_children(block);
    int last = parts.count - 1;
    if (last >= 0 && clang_isExpression(clang_getCursorKind(parts.items[last])))
        next = hoist(g, parts.items[last--], next);      /* the value: it is put where it is used */
    for (; last >= 0; last--)
        next = statement(g, parts.items[last], next);
    free(parts.items);
    return next;
}

/* The statements of the statement expressions in an expression go before it; gives where that begins. */
static int hoist(struct graph *g, CXCursor expression, int next)
{
    struct cursors parts = source_children(expression);
    if (clang_getCursorKind(expression) == CXCursor_StmtExpr && parts.count)
        next = inner_statements(g, parts.items[0], next);
    else
        for (int i = parts.count - 1; i >= 0; i--)
            if (surely_evaluated(g, expression, &parts, i))
                next = hoist(g, parts.items[i], next);
    free(parts.items);
    return next;
}

static int sequence(struct graph *g, const struct cursors *parts, int next)
{
    for (int i = parts->count - 1; i >= 0; i--)
        next = statement(g, parts->items[i], next);
    return next;
}

static int choice(struct graph *g, const struct cursors *parts, int next)
{
    int no = parts->count > 2 ? statement(g, parts->items[2], next) : next;
    int yes = statement(g, parts->items[1], next);
    return condition(g, parts->items[0], yes, no);
}

static int looped(struct graph *g, CXCursor body, int next, int breaks, int continues)
{
    int old_breaks = g->breaks, old_continues = g->continues;
    g->breaks = breaks;
    g->continues = continues;
    int entry = statement(g, body, next);
    g->breaks = old_breaks;
    g->continues = old_continues;
    return entry;
}

static int while_loop(struct graph *g, CXCursor c, const struct cursors *parts, int next)
{
    int head = pointer(g, c);
    int body = looped(g, parts->items[1], head, next, head);
    int test = condition(g, parts->items[0], body, next);
    g->nodes[head].next = test;
    return head;
}

static int do_loop(struct graph *g, CXCursor c, const struct cursors *parts, int next)
{
    int head = pointer(g, c), test = condition(g, parts->items[1], head, next);
    int body = looped(g, parts->items[0], test, next, test);     /* the nodes may move meanwhile */
    g->nodes[head].next = body;
    return head;
}

/* Which of the three parts of a for is this? They may be missing, so it is told by the semicolons. */
static int for_part(const struct graph *g, CXCursor loop, CXCursor part)
{
    int semicolons = 0;
    for (unsigned i = source_begin(loop), depth = 0; i < source_begin(part); i++) {
        char c = g->source->text[i];
        depth += c == '(' || c == '{' || c == '[';
        depth -= c == ')' || c == '}' || c == ']';
        if (c == '"' || c == '\'')
            for (char quote = c; g->source->text[++i] != quote;)
                i += g->source->text[i] == '\\';
        semicolons += c == ';' && depth == 1;
    }
    return semicolons;
}

static int for_loop(struct graph *g, CXCursor c, const struct cursors *parts, int next)
{
    CXCursor part[3] = { clang_getNullCursor(), clang_getNullCursor(), clang_getNullCursor() };
    CXCursor body = parts->items[parts->count - 1];
    for (int i = 0; i + 1 < parts->count; i++) {
        int which = for_part(g, c, parts->items[i]);
        /* A declaration's extent holds its own semicolon. */
        part[which > 2 ? 2 : which] = parts->items[i];
    }
    int head = pointer(g, c);
    int again = clang_Cursor_isNull(part[2]) ? head : evaluate(g, part[2], head);
    int entry = looped(g, body, again, next, again);
    if (clang_Cursor_isNull(part[1])) {
        int again_and_again = add(g, "do", c, prose_make("for (;;)"), entry);
        g->nodes[again_and_again].tree = prose_make("(none \"void\")");
        g->nodes[head].next = again_and_again;
    } else {
        int test = condition(g, part[1], entry, next);
        g->nodes[head].next = test;
    }
    return clang_Cursor_isNull(part[0]) ? head : statement(g, part[0], head);
}

static int many_ways(struct graph *g, CXCursor c, const struct cursors *parts, int next)
{
    int breaks = g->breaks, switched = g->switched, otherwise = g->otherwise;
    int node = add(g, "switch", c, source_text(g->source, parts->items[0]), NOWHERE);
    give_tree(g, node, parts->items[0]);
    int entry = hoist(g, parts->items[0], node);
    g->breaks = next;
    g->switched = node;
    g->otherwise = NOWHERE;
    statement(g, parts->items[1], next);
    bool none = g->otherwise == NOWHERE;
    struct node *n = &g->nodes[node];
    ARRAY_GROW(n->ways, n->way_count, n->way_room);
    n->ways[n->way_count++] = (struct way){ prose_make(none ? "[none]" : "[default]"), none ? next : g->otherwise };
    g->breaks = breaks;
    g->switched = switched;
    g->otherwise = otherwise;
    return entry;
}

static long long value_of(CXCursor c)
{
    CXEvalResult value = clang_Cursor_Evaluate(c);
    long long number = value ? clang_EvalResult_getAsLongLong(value) : 0;
    if (value)
        clang_EvalResult_dispose(value);
    return number;
}

static int case_label(struct graph *g, const struct cursors *parts, int next)
{
    int entry = statement(g, parts->items[parts->count - 1], next);
    char *low = source_text(g->source, parts->items[0]);
    struct node *n = &g->nodes[g->switched];
    ARRAY_GROW(n->ways, n->way_count, n->way_room);
    struct way *w = &n->ways[n->way_count++];
    w->to = entry;
    w->when = parts->count > 2 ? prose_make("[%lld..%lld]", value_of(parts->items[0]), value_of(parts->items[1]))
            : !isdigit((unsigned char)*low) && strspn(low, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_") == strlen(low)
            ? prose_make("[%lld=%s]", value_of(parts->items[0]), low) : prose_make("[%lld]", value_of(parts->items[0]));
    free(low);
    return entry;
}

static int label(struct graph *g, CXCursor c, const struct cursors *parts, int next)
{
    CXString name = clang_getCursorSpelling(c);
    int here = label_node(g, clang_getCString(name), c);
    int entry = parts->count ? statement(g, parts->items[parts->count - 1], next) : next;
    g->nodes[here].next = entry;
    clang_disposeString(name);
    return here;
}

static int jump(struct graph *g, CXCursor c, const struct cursors *parts)
{
    CXString name = clang_getCursorSpelling(parts->items[0]);
    char *text = prose_make("%s", clang_getCString(name));
    clang_disposeString(name);
    int to = label_node(g, text, c);
    return add(g, "goto", c, text, to);
}

static int leave(struct graph *g, CXCursor c, const struct cursors *parts)
{
    int node = add(g, "return", c, parts->count ? source_text(g->source, parts->items[0]) : NULL, NOWHERE);
    if (!parts->count)
        return node;
    give_tree(g, node, parts->items[0]);
    return hoist(g, parts->items[0], node);
}

static int unknown(struct graph *g, CXCursor c, int next)
{
    int node = add(g, "do", c, source_text(g->source, c), next);
    g->nodes[node].tree = prose_make("(raw \"void\" \"\")");
    return node;
}

static int with_parts(struct graph *g, CXCursor c, const struct cursors *parts, int next)
{
    enum CXCursorKind kind = clang_getCursorKind(c);
    switch (kind) {
    case CXCursor_CompoundStmt: return sequence(g, parts, next);
    case CXCursor_DeclStmt:     return declarations(g, c, next);
    case CXCursor_IfStmt:       return choice(g, parts, next);
    case CXCursor_WhileStmt:    return while_loop(g, c, parts, next);
    case CXCursor_DoStmt:       return do_loop(g, c, parts, next);
    case CXCursor_ForStmt:      return for_loop(g, c, parts, next);
    case CXCursor_SwitchStmt:   return many_ways(g, c, parts, next);
    case CXCursor_CaseStmt:     return case_label(g, parts, next);
    case CXCursor_LabelStmt:    return label(g, c, parts, next);
    case CXCursor_GotoStmt:     return jump(g, c, parts);
    case CXCursor_ReturnStmt:   return leave(g, c, parts);
    case CXCursor_BreakStmt:    return add(g, "break", c, NULL, g->breaks);
    case CXCursor_ContinueStmt: return add(g, "continue", c, NULL, g->continues);
    case CXCursor_NullStmt:     return next;
    case CXCursor_UnexposedAttr: return next;
    case CXCursor_UnexposedStmt:         /* one with an attribute: __attribute__((fallthrough)); */
        return parts->count ? statement(g, parts->items[parts->count - 1], next) : unknown(g, c, next);
    case CXCursor_DefaultStmt:
        return g->otherwise = statement(g, parts->items[parts->count - 1], next);
    default:
        return clang_isExpression(kind) ? evaluate(g, c, next) : unknown(g, c, next);
    }
}

static int statement(struct graph *g, CXCursor c, int next)
{
    struct cursors parts = source_children(c);
    int entry = with_parts(g, c, &parts, next);
    free(parts.items);
    return entry;
}

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
    put_place(out, n->place);
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
    int *order, count, end = add(g, "return", body, NULL, NOWHERE);
    g->nodes[end].place = source_end_place(body);
    int entry = statement(g, body, end);
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
    put_place(out, source_place(c));
    prose_add(out, clang_Cursor_getStorageClass(c) == CX_SC_Static ? " static" : "");
    prose_add(out, has_attribute(g->source, c, "constructor") || has_attribute(g->source, c, "destructor") ? " unasked\n" : "\n");
    for (int i = 0; i < parts->count; i++)
        if (clang_getCursorKind(parts->items[i]) == CXCursor_ParmDecl)
            declare(g, out, "  parameter", parts->items[i], false);
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
    for (int i = 0; i < parts.count; i++) {
        if (clang_getCursorKind(parts.items[i]) != CXCursor_EnumConstantDecl)
            continue;
        CXString name = clang_getCursorSpelling(parts.items[i]);
        prose_add(out, "constant %s %lld\n", clang_getCString(name), clang_getEnumConstantDeclValue(parts.items[i]));
        clang_disposeString(name);
    }
    free(parts.items);
}

static void one_variable(struct prose *out, const struct source *s, struct variables *globals, CXCursor c)
{
    struct graph g = { .source = s, .variables = *globals };
    if (clang_Cursor_getStorageClass(c) != CX_SC_Extern || clang_isCursorDefinition(c))
        declare(&g, out, "variable", c, true);
    *globals = g.variables;
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
        bool ours = !clang_Location_isInSystemHeader(clang_getCursorLocation(all.items[i]));
        if (kind == CXCursor_VarDecl)
            variables_name(globals, s, all.items[i]);
        if (ours && kind == CXCursor_EnumDecl)
            one_constant(out, all.items[i]);
        else if (ours && kind == CXCursor_VarDecl)
            one_variable(out, s, globals, all.items[i]);
    }
    for (int i = 0; i < all.count; i++)
        if (clang_getCursorKind(all.items[i]) == CXCursor_FunctionDecl
            && !clang_Location_isInSystemHeader(clang_getCursorLocation(all.items[i])))
            one_function(out, s, globals, all.items[i]);
    free(all.items);
}
