/* SPDX-License-Identifier: MIT */
#include "extractor/fields.h"

#include "base/memory.h"
#include "base/prose.h"

#include <stdlib.h>
#include <string.h>

bool fields_is(const char *variable)
{
    return strstr(variable, "->") != NULL;
}

/* ---- the trees ---- */

static bool is_pointer(const struct function *f, const char *name)
{
    const struct variable_of *v = function_variable(f, name);
    return v && v->parameter && !fields_is(name) && v->type[strlen(v->type) - 1] == '*';
}

static bool is_named(const struct tree *t, const char *name)
{
    return !strcmp(t->op, "var") && !strcmp(t->name, name);
}

/* Is it assigned to, or its address taken? */
static bool moves(const struct tree *t, const char *pointer)
{
    size_t length = strlen(t->op);
    bool compares = !strcmp(t->op, "==") || !strcmp(t->op, "!=") || !strcmp(t->op, "<=") || !strcmp(t->op, ">=");
    bool changes = (t->op[length - 1] == '=' && !compares) || strstr(t->op, "++") || strstr(t->op, "--") || !strcmp(t->op, "pre&");
    if (changes && t->count && is_named(t->parts[0], pointer))
        return true;
    for (int i = 0; i < t->count; i++)
        if (moves(t->parts[i], pointer))
            return true;
    return false;
}

static bool stays(const struct function *f, const char *pointer)
{
    for (int i = 0; i < f->count; i++)
        if (f->nodes[i].tree && moves(f->nodes[i].tree, pointer))
            return false;
    return true;
}

static void add(struct function *f, const char *name, const char *type, struct place_in place)
{
    if (function_variable(f, name))
        return;
    ARRAY_GROW(f->variables.items, f->variables.count, f->variables.room);
    f->variables.items[f->variables.count++] = (struct variable_of){ .name = prose_make("%s", name), .type = prose_make("%s", type),
        .place = { .file = prose_make("%s", place.file), .line = place.line, .column = place.column }, .is_static = true };
}

/* (-> x state) becomes (var x->state), and (. (var x->timer) kind) becomes (var x->timer.kind). */
static void fold(const struct machines *m, struct function *f, struct tree *t, struct place_in place)
{
    for (int i = 0; i < t->count; i++)
        fold(m, f, t->parts[i], place);
    bool arrow = !strcmp(t->op, "->"), dot = !strcmp(t->op, ".");
    if (!(arrow || dot) || t->count != 1 || strcmp(t->parts[0]->op, "var"))
        return;
    const char *of = t->parts[0]->name;
    if (machines_is_joined(m, t->name))          /* it is no variable of its own */
        return;
    if (arrow ? !is_pointer(f, of) || !stays(f, of) : !fields_is(of))
        return;
    char *name = prose_make("%s%s%s", of, t->op, t->name), *op = prose_make("var");
    free(t->name);
    free(t->op);
    tree_free(t->parts[0]);
    t->count = 0;
    t->name = name;
    t->op = op;
    add(f, name, t->type, place);
}

/* ---- callers have what those have whom they call ---- */

enum { DEEPEST = 400 };              /* letters of a field's name */

char *fields_of_caller(const struct function *callee, const struct tree *call, const char *variable)
{
    size_t length = strcspn(variable, "-");
    for (int i = 0; i < function_parameters(callee) && i + 1 < call->count; i++) {
        const struct tree *given = call->parts[i + 1];
        const char *name = callee->variables.items[i].name;
        if (strlen(name) != length || strncmp(name, variable, length))
            continue;
        if (!strcmp(given->op, "var") && !fields_is(given->name))
            return prose_make("%s%s", given->name, variable + length);
        if (!strcmp(given->op, "pre&") && given->count && !strcmp(given->parts[0]->op, "var") && fields_is(given->parts[0]->name))
            return prose_make("%s.%s", given->parts[0]->name, variable + length + 2);
    }
    return NULL;
}

static bool lend(struct machines *m, struct function *f, const struct tree *t)
{
    bool more = false;
    for (int i = 0; i < t->count; i++)
        more |= lend(m, f, t->parts[i]);
    const struct function *callee = !strcmp(t->op, "call") && t->count && t->parts[0]->name ? machines_function(m, t->parts[0]->name) : NULL;
    for (int i = 0; callee && callee != f && i < callee->variables.count; i++) {
        const struct variable_of *v = &callee->variables.items[i];
        char *name = fields_is(v->name) ? fields_of_caller(callee, t, v->name) : NULL;
        char *pointer = name ? prose_make("%.*s", (int)strcspn(name, "-"), name) : NULL;
        bool deep = name && strlen(name) > DEEPEST;              /* functions that call each other with &x->part, for ever */
        if (name && !deep && is_pointer(f, pointer) && stays(f, pointer) && !function_variable(f, name)) {
            add(f, name, v->type, f->place);
            more = true;
        }
        free(pointer);
        free(name);
    }
    return more;
}

static void begin_in_first_state(struct function *f)
{
    for (int i = 0; f->state_count && i < f->count; i++) {
        const struct tree *t = f->nodes[i].kind == NODE_SWITCH ? f->nodes[i].tree : NULL;
        for (int v = 0; t && !strcmp(t->op, "var") && fields_is(t->name) && v < f->variables.count; v++)
            if (!strcmp(f->variables.items[v].name, t->name) && !f->variables.items[v].value) {
                struct tree *one = memory_get(sizeof *one);
                *one = (struct tree){ .op = prose_make("int"), .type = prose_make("int"), .value = 1 };
                f->variables.items[v].value = one;
                return;
            }
    }
}

void fields_find(struct machines *m)
{
    for (int i = 0; i < m->count; i++)
        for (int n = 0; n < m->functions[i].count; n++)
            if (m->functions[i].nodes[n].tree)
                fold(m, &m->functions[i], m->functions[i].nodes[n].tree, m->functions[i].nodes[n].place);
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < m->count; i++)
            for (int n = 0; n < m->functions[i].count; n++)
                if (m->functions[i].nodes[n].tree)
                    more |= lend(m, &m->functions[i], m->functions[i].nodes[n].tree);
    }
    for (int i = 0; i < m->count; i++)
        begin_in_first_state(&m->functions[i]);
}

const struct variable_of *fields_called(const struct function *f, const char *name)
{
    const struct variable_of *found = NULL;
    for (int i = 0; i < f->variables.count; i++) {
        const char *arrow = strstr(f->variables.items[i].name, "->");
        if (!arrow || strcmp(arrow + 2, name))
            continue;
        if (found)
            return NULL;
        found = &f->variables.items[i];
    }
    return found;
}
