/* Which variables others can see: what is global and written to, what lasts, and what has its address taken.
 * SPDX-License-Identifier: MIT */
#include "extractor/program.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* The variable that an lvalue is a part of; NULL: it is reached through a pointer. */
static const struct tree *root(const struct tree *t)
{
    while (t && (!strcmp(t->op, ".") || !strcmp(t->op, "cast") || (!strcmp(t->op, "[]") && ctype_is_array(t->parts[0]->type))))
        t = t->count ? t->parts[0] : NULL;
    return t && !strcmp(t->op, "var") ? t : NULL;
}

static const struct variables_of *locals(const struct program *p, int function)
{
    static const struct variables_of none;
    return function < p->machines->count ? &p->machines->functions[function].variables : &none;
}

enum use { CHANGED, ADDRESSED };

/* Others see a change of what they have, too; and they may see what has its address taken, whosever it is. */
static bool is_seen(const struct variable_of *v, bool lasts, enum use use)
{
    return use == ADDRESSED || (lasts && !v->per_thread);
}

static void mark(struct program *p, int function, const char *name, enum use use)
{
    const struct variables_of *local = locals(p, function), *global = &p->machines->globals;
    for (int i = 0; i < local->count; i++)
        if (!strcmp(local->items[i].name, name)) {
            p->shared[function][i] |= is_seen(&local->items[i], local->items[i].is_static, use);
            return;
        }
    for (int i = 0; i < global->count; i++)
        if (!strcmp(global->items[i].name, name))
            p->shared[p->machines->count][i] |= is_seen(&global->items[i], true, use);
}

static bool changes(const char *op)
{
    size_t length = strlen(op);
    static const char *const not[] = { "==", "!=", "<=", ">=" };
    for (size_t i = 0; i < sizeof not / sizeof *not; i++)
        if (!strcmp(op, not[i]))
            return false;
    return op[length - 1] == '=' || !strcmp(op, "pre++") || !strcmp(op, "pre--") || !strcmp(op, "post++") || !strcmp(op, "post--");
}

/* An array that is used as a value is its address. */
static void decay(struct program *p, int function, const struct tree *t)
{
    const struct tree *array = ctype_is_array(t->type) ? root(t) : NULL;
    if (array)
        mark(p, function, array->name, ADDRESSED);
}

static void walk(struct program *p, int function, const struct tree *t)
{
    const struct tree *changed = t->count && changes(t->op) ? root(t->parts[0]) : NULL;
    const struct tree *taken = !strcmp(t->op, "pre&") && t->count ? root(t->parts[0]) : NULL;
    if (changed)
        mark(p, function, changed->name, CHANGED);
    if (taken)
        mark(p, function, taken->name, ADDRESSED);
    if (!strcmp(t->op, "fun") && program_function(p, t->name) >= 0)
        p->frames[program_function(p, t->name)].address = true;
    bool whole = (!strcmp(t->op, "=") && t->count == 2) || !strcmp(t->op, "pre&");       /* its array, if it is one, does not decay */
    for (int i = 0; i < t->count; i++) {
        const struct tree *part = t->parts[i];
        bool in_place = !strcmp(t->op, ".") || (!strcmp(t->op, "[]") && !i) || (whole && !i);
        if (!in_place)
            decay(p, function, part);
        if (strcmp(t->op, "call") || i || strcmp(part->op, "fun"))
            walk(p, function, part);
    }
}

static void walk_value(struct program *p, int function, const struct tree *t)
{
    if (!t)
        return;
    decay(p, function, t);
    walk(p, function, t);
}

/* `function`: as many as there are: outside of all. */
static void walk_first_values(struct program *p, int function, const struct variables_of *variables)
{
    for (int i = 0; i < variables->count; i++)
        walk_value(p, function, variables->items[i].value);
}

void program_share(struct program *p)
{
    const struct machines *m = p->machines;
    p->shared = memory_get(((size_t)m->count + 1) * sizeof *p->shared);
    for (int f = 0; f <= m->count; f++)
        p->shared[f] = memory_get((size_t)(f < m->count ? m->functions[f].variables.count : m->globals.count) + 1);
    for (int f = 0; f < m->count; f++) {
        walk_first_values(p, f, &m->functions[f].variables);
        for (int n = 0; n < m->functions[f].count; n++)
            walk_value(p, f, m->functions[f].nodes[n].tree);
    }
    walk_first_values(p, m->count, &m->globals);
}

bool program_is_shared(const struct program *p, int function, const char *name)
{
    const struct machines *m = p->machines;
    const struct variables_of *local = function >= 0 ? &m->functions[function].variables : NULL;
    for (int i = 0; local && i < local->count; i++)
        if (!strcmp(local->items[i].name, name))
            return p->shared[function][i];
    for (int i = 0; i < m->globals.count; i++)
        if (!strcmp(m->globals.items[i].name, name))
            return p->shared[m->count][i];
    return true;
}
