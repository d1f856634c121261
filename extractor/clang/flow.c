/* SPDX-License-Identifier: MIT */
#include "extractor/clang/flow.h"

#include "base/memory.h"
#include "extractor/clang/types.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- nodes ---- */

int flow_add(struct graph *g, const char *kind, CXCursor at, char *text, int next)
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
    return !strcmp(tree, "(none \"void\")") || !strcmp(tree, "(pre__extension__ \"void\" (none \"void\"))");
}

static int evaluate(struct graph *g, CXCursor expression, int next)
{
    struct prose tree = { 0 };
    tree_put(&tree, g->source, &g->variables, expression);
    if (is_empty(tree.text)) {
        prose_fini(&tree);
        return hoist(g, expression, next);
    }
    int node = flow_add(g, "do", expression, source_text(g->source, expression), next);
    g->nodes[node].tree = prose_take(&tree);
    return hoist(g, expression, node);
}

static int condition(struct graph *g, CXCursor expression, int yes, int no)
{
    int node = flow_add(g, "if", expression, source_text(g->source, expression), yes);
    g->nodes[node].otherwise = no;
    give_tree(g, node, expression);
    return hoist(g, expression, node);
}

static int pointer(struct graph *g, CXCursor at)
{
    return flow_add(g, NULL, at, NULL, NOWHERE);
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

void flow_place(struct prose *out, struct place p)
{
    tree_quote(out, p.file);
    prose_add(out, ":%u:%u", p.line, p.column);
}

void flow_declare(struct graph *g, struct prose *out, const char *what, CXCursor c, bool with_value)
{
    CXCursor value = with_value ? clang_Cursor_getVarDeclInitializer(c) : clang_getNullCursor();
    prose_add(out, "%s %s ", what, variables_name(&g->variables, g->source, c));
    tree_type_of(out, g->source, c);
    prose_add(out, " ");
    flow_place(out, source_place(c));
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

bool flow_has_attribute(const struct source *s, CXCursor c, const char *name)
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
    flow_declare(g, &g->locals, storage == CX_SC_Static ? "  static" : "  local", c, storage == CX_SC_Static);
    bool vla = clang_getCanonicalType(clang_getCursorType(c)).kind == CXType_VariableArray, cleanup = flow_has_attribute(g->source, c, "cleanup");
    if (storage == CX_SC_Static || (clang_Cursor_isNull(value) && !vla && !cleanup))
        return next;
    if (vla || cleanup) {
        int made = flow_add(g, "do", c, source_text(g->source, c), next);
        g->nodes[made].tree = prose_make("(raw \"void\" \"\")");
        return made;
    }
    CXString name = clang_getCursorSpelling(c);
    char *text = source_text(g->source, value);
    int node = flow_add(g, "do", c, prose_make("%s = %s", clang_getCString(name), text), next);
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

/* Where a statement expression ({ ... }) in an expression may or may not be evaluated, it stays there, and cannot be carried over. */
static bool surely_evaluated(const struct graph *g, CXCursor whole, const struct cursors *parts, int which)
{
    enum CXCursorKind kind = clang_getCursorKind(whole);
    if (kind == CXCursor_ConditionalOperator || kind == CXCursor_UnaryExpr || (which && tree_is_or_else(g->source, whole, parts)))
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
        next = flow_statement(g, parts.items[last], next);
    free(parts.items);
    return next;
}

/* The left side of a comma, of which the right one has statements: it comes before these. That of glibc's assert is a constant, and nothing. */
static int before_comma(struct graph *g, CXCursor left, int next)
{
    static const char nothing[] = "(cast \"void\" (int ";
    struct prose tree = { 0 };
    tree_put(&tree, g->source, &g->variables, left);
    bool is_nothing = !strncmp(tree.text, nothing, strlen(nothing));
    prose_fini(&tree);
    return is_nothing ? next : evaluate(g, left, next);
}

/* The statements of the statement expressions in an expression go before it; gives where that begins. */
static int hoist(struct graph *g, CXCursor expression, int next)
{
    if (!source_has_statements(g->source, expression))
        return next;
    struct cursors parts = source_children(expression);
    if (clang_getCursorKind(expression) == CXCursor_StmtExpr && parts.count)
        next = inner_statements(g, parts.items[0], next);
    else if (tree_is_sequence(g->source, expression, &parts))
        next = before_comma(g, parts.items[0], hoist(g, parts.items[1], next));
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
        next = flow_statement(g, parts->items[i], next);
    return next;
}

static int choice(struct graph *g, const struct cursors *parts, int next)
{
    int no = parts->count > 2 ? flow_statement(g, parts->items[2], next) : next;
    int yes = flow_statement(g, parts->items[1], next);
    return condition(g, parts->items[0], yes, no);
}

static int looped(struct graph *g, CXCursor body, int next, int breaks, int continues)
{
    int old_breaks = g->breaks, old_continues = g->continues;
    g->breaks = breaks;
    g->continues = continues;
    int entry = flow_statement(g, body, next);
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
        int again_and_again = flow_add(g, "do", c, prose_make("for (;;)"), entry);
        g->nodes[again_and_again].tree = prose_make("(none \"void\")");
        g->nodes[head].next = again_and_again;
    } else {
        int test = condition(g, part[1], entry, next);
        g->nodes[head].next = test;
    }
    return clang_Cursor_isNull(part[0]) ? head : flow_statement(g, part[0], head);
}

static int many_ways(struct graph *g, CXCursor c, const struct cursors *parts, int next)
{
    int breaks = g->breaks, switched = g->switched, otherwise = g->otherwise;
    int node = flow_add(g, "switch", c, source_text(g->source, parts->items[0]), NOWHERE);
    give_tree(g, node, parts->items[0]);
    int entry = hoist(g, parts->items[0], node);
    g->breaks = next;
    g->switched = node;
    g->otherwise = NOWHERE;
    flow_statement(g, parts->items[1], next);
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
    int entry = flow_statement(g, parts->items[parts->count - 1], next);
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
    int entry = parts->count ? flow_statement(g, parts->items[parts->count - 1], next) : next;
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
    return flow_add(g, "goto", c, text, to);
}

static int leave(struct graph *g, CXCursor c, const struct cursors *parts)
{
    int node = flow_add(g, "return", c, parts->count ? source_text(g->source, parts->items[0]) : NULL, NOWHERE);
    if (!parts->count)
        return node;
    give_tree(g, node, parts->items[0]);
    return hoist(g, parts->items[0], node);
}

static int unknown(struct graph *g, CXCursor c, int next)
{
    int node = flow_add(g, "do", c, source_text(g->source, c), next);
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
    case CXCursor_BreakStmt:    return flow_add(g, "break", c, NULL, g->breaks);
    case CXCursor_ContinueStmt: return flow_add(g, "continue", c, NULL, g->continues);
    case CXCursor_NullStmt:     return next;
    case CXCursor_UnexposedAttr: return next;
    case CXCursor_UnexposedStmt:         /* one with an attribute: __attribute__((fallthrough)); */
        return parts->count ? flow_statement(g, parts->items[parts->count - 1], next) : unknown(g, c, next);
    case CXCursor_DefaultStmt:
        return g->otherwise = flow_statement(g, parts->items[parts->count - 1], next);
    default:
        return clang_isExpression(kind) ? evaluate(g, c, next) : unknown(g, c, next);
    }
}

int flow_statement(struct graph *g, CXCursor c, int next)
{
    struct cursors parts = source_children(c);
    int entry = with_parts(g, c, &parts, next);
    free(parts.items);
    return entry;
}
