/* SPDX-License-Identifier: MIT */
#include "extractor/look.h"

#include "extractor/expression.h"

#include <string.h>

static bool is_variable(const struct tree *t, const char *name)
{
    return !strcmp(t->op, "var") && !strcmp(t->name, name);
}

bool look_mentions(const struct tree *t, const char *variable)
{
    bool found = t && is_variable(t, variable);
    for (int i = 0; t && i < t->count; i++)
        found |= look_mentions(t->parts[i], variable);
    return found;
}

bool look_only(const struct tree *t, const char *a, const char *b)
{
    size_t length = strlen(t->op);
    bool compares = !strcmp(t->op, "==") || !strcmp(t->op, "!=") || !strcmp(t->op, "<=") || !strcmp(t->op, ">=");
    if (!strcmp(t->op, "call") || !strcmp(t->op, "raw") || !strcmp(t->op, "none") || !strcmp(t->op, "str") || !strcmp(t->op, "fun")
        || (t->op[length - 1] == '=' && !compares) || strstr(t->op, "++") || strstr(t->op, "--"))
        return false;
    if (!strcmp(t->op, "var"))
        return (a && !strcmp(t->name, a)) || (b && !strcmp(t->name, b));
    for (int i = 0; i < t->count; i++)
        if (!look_only(t->parts[i], a, b))
            return false;
    return true;
}

/* ---- the state ---- */

static bool lasts(const struct machines *m, const struct function *f, const char *name)
{
    const struct variable_of *v = function_variable(f, name);
    if (v)
        return v->is_static;
    for (int i = 0; i < m->globals.count; i++)
        if (!strcmp(m->globals.items[i].name, name))
            return true;
    return false;
}

static bool is_assigned(const struct function *f, const char *name)
{
    for (int i = 0; i < f->count; i++) {
        const struct tree *t = f->nodes[i].tree;
        if (f->nodes[i].kind == NODE_DO && t && !strcmp(t->op, "=") && is_variable(t->parts[0], name))
            return true;
    }
    return false;
}

const char *look_state(const struct machines *m, const struct function *f)
{
    for (int i = 0; i < f->count; i++) {
        const struct node *n = &f->nodes[i];
        if (n->kind == NODE_SWITCH && n->tree && !strcmp(n->tree->op, "var") && lasts(m, f, n->tree->name)
            && (f->state_count || is_assigned(f, n->tree->name)))
            return n->tree->name;
    }
    return NULL;
}

const char *look_state_name(const struct function *f, const char *state, long long number)
{
    for (int i = 0; i < f->state_count; i++)
        if (f->states[i].number == number)
            return f->states[i].name;
    for (int i = 0; state && !f->state_count && i < f->count; i++)
        if (f->nodes[i].kind == NODE_SWITCH && f->nodes[i].tree && is_variable(f->nodes[i].tree, state))
            for (int w = 0; w < f->nodes[i].way_count; w++)
                if (!f->nodes[i].ways[w].fallback && f->nodes[i].ways[w].low == number)
                    return f->nodes[i].ways[w].name;
    return NULL;
}

bool look_state_number(const struct function *f, const char *state, const char *name, long long *number)
{
    for (int i = 0; i < f->state_count; i++)
        if (!strcmp(f->states[i].name, name)) {
            *number = f->states[i].number;
            return true;
        }
    for (int i = 0; state && i < f->count; i++)
        if (f->nodes[i].kind == NODE_SWITCH && f->nodes[i].tree && is_variable(f->nodes[i].tree, state))
            for (int w = 0; w < f->nodes[i].way_count; w++)
                if (f->nodes[i].ways[w].name && !strcmp(f->nodes[i].ways[w].name, name)) {
                    *number = f->nodes[i].ways[w].low;
                    return true;
                }
    return false;
}

/* ---- the event ---- */

typedef void finder(void *, long long, const char *);

static void compared(const struct tree *t, const char *event, finder *found, void *arg)
{
    if (!t)
        return;
    bool compares = t->count == 2 && (!strcmp(t->op, "==") || !strcmp(t->op, "!="));
    for (int side = 0; compares && side < 2; side++) {
        long long value;
        if (is_variable(t->parts[side], event) && expression_constant(t->parts[1 - side], &value))
            found(arg, value, t->parts[1 - side]->name);
    }
    for (int i = 0; i < t->count; i++)
        compared(t->parts[i], event, found, arg);
}

void look_events(const struct function *f, const char *event, finder *found, void *arg)
{
    for (int i = 0; event && i < f->count; i++) {
        const struct node *n = &f->nodes[i];
        compared(n->tree, event, found, arg);
        if (n->kind != NODE_SWITCH || !n->tree || !is_variable(n->tree, event))
            continue;
        for (int w = 0; w < n->way_count; w++)
            for (long long v = n->ways[w].low; !n->ways[w].fallback && v <= n->ways[w].high && v < n->ways[w].low + 256; v++)
                found(arg, v, v == n->ways[w].low ? n->ways[w].name : NULL);
    }
}

static void count_one(void *count, long long value, const char *name)
{
    (void)value, (void)name;
    ++*(int *)count;
}

const char *look_event(const struct function *f)
{
    const char *best = NULL;
    int most = 0, length;
    for (int i = 0; i < function_parameters(f); i++) {
        const struct variable_of *v = &f->variables.items[i];
        int count = 0;
        if (!expression_type(v->type, &length) || length)
            continue;
        look_events(f, v->name, count_one, &count);
        if (count > most) {
            most = count;
            best = v->name;
        }
    }
    return best;
}
