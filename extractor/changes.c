/* SPDX-License-Identifier: MIT */
#include "extractor/changes.h"

#include "base/memory.h"
#include "base/prose.h"

#include <string.h>

static bool is(const struct tree *t, const char *op)
{
    return !strcmp(t->op, op);
}

static bool is_field(const struct tree *t)
{
    return is(t, ".") || is(t, "->");
}

const char *changes_what(const struct tree *t, bool *field)
{
    size_t length = strlen(t->op);
    bool changes = strstr(t->op, "++") || strstr(t->op, "--")
        || (t->op[length - 1] == '=' && !is(t, "==") && !is(t, "!=") && !is(t, "<=") && !is(t, ">="));
    if (!changes || !t->count)
        return NULL;
    const struct tree *to = t->parts[0];
    while (is(to, "[]") && to->count)
        to = to->parts[0];
    *field = is_field(to);
    return *field || is(to, "var") ? to->name : NULL;
}

void changes_warn(struct model *m, const struct node *n, const char *what)
{
    ARRAY_GROW(m->warnings, m->warning_count, m->warning_room);
    m->warnings[m->warning_count++] = prose_make("%s:%d: '%s' is left out, but %s is in the model and keeps its old value; name it in the map",
                                                 n->place.file, n->place.line, n->text, what);
}

static bool mentions(const struct tree *t, const char *name, bool field)
{
    if (!t)
        return false;
    if (t->name && !strcmp(t->name, name) && (field ? is_field(t) : is(t, "var")))
        return true;
    for (int i = 0; i < t->count; i++)
        if (mentions(t->parts[i], name, field))
            return true;
    return false;
}

/* Is it in something that the model does: in the same function, or anywhere, if it is not of one function alone? */
static bool is_in_model(const struct model *m, const struct function *f, const char *name, bool field)
{
    const struct variable_of *own = field ? NULL : function_variable(f, name);
    for (int i = 0; i < m->account_count; i++) {
        const struct account *a = &m->accounts[i];
        if (a->fate != FATE_LEFT_OUT && a->fate != FATE_DEAD && a->fate != FATE_CONTROL && (!own || a->function == f)
            && mentions(a->function->nodes[a->node].tree, name, field))
            return true;
    }
    return false;
}

void changes_warn_program(struct model *m)
{
    for (int i = 0; i < m->account_count; i++) {
        const struct account *a = &m->accounts[i];
        const struct node *n = &a->function->nodes[a->node];
        bool field = false;
        const char *name = a->fate == FATE_LEFT_OUT && n->kind == NODE_DO && n->tree ? changes_what(n->tree, &field) : NULL;
        if (name && is_in_model(m, a->function, name, field))
            changes_warn(m, n, plain_name(name));
    }
}
