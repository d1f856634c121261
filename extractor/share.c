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

static void mark(struct program *p, int function, const char *name)
{
    const struct variables_of *local = &p->machines->functions[function].variables, *global = &p->machines->globals;
    for (int i = 0; i < local->count; i++)
        if (!strcmp(local->items[i].name, name)) {
            p->shared[function][i] = true;
            return;
        }
    for (int i = 0; i < global->count; i++)
        if (!strcmp(global->items[i].name, name))
            p->shared[p->machines->count][i] = true;
}

static bool is_global(const struct program *p, int function, const char *name)
{
    return !function_variable(&p->machines->functions[function], name);
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

static void walk(struct program *p, int function, const struct tree *t)
{
    const struct tree *changed = t->count && changes(t->op) ? root(t->parts[0]) : NULL;
    const struct tree *taken = !strcmp(t->op, "pre&") && t->count ? root(t->parts[0]) : NULL;
    if (changed && (is_global(p, function, changed->name) || function_variable(&p->machines->functions[function], changed->name)->is_static))
        mark(p, function, changed->name);
    if (taken)
        mark(p, function, taken->name);
    if (!strcmp(t->op, "fun") && program_function(p, t->name) >= 0)
        p->frames[program_function(p, t->name)].address = true;
    bool whole = (!strcmp(t->op, "=") && t->count == 2) || !strcmp(t->op, "pre&");       /* its array, if it is one, does not decay */
    for (int i = 0; i < t->count; i++) {
        const struct tree *part = t->parts[i], *array = ctype_is_array(part->type) ? root(part) : NULL;
        bool in_place = !strcmp(t->op, ".") || (!strcmp(t->op, "[]") && !i) || (whole && !i);
        if (array && !in_place)
            mark(p, function, array->name);
        if (strcmp(t->op, "call") || i || strcmp(part->op, "fun"))
            walk(p, function, part);
    }
}

void program_share(struct program *p)
{
    const struct machines *m = p->machines;
    p->shared = memory_get(((size_t)m->count + 1) * sizeof *p->shared);
    for (int f = 0; f <= m->count; f++)
        p->shared[f] = memory_get((size_t)(f < m->count ? m->functions[f].variables.count : m->globals.count) + 1);
    for (int f = 0; f < m->count; f++)
        for (int n = 0; n < m->functions[f].count; n++)
            if (m->functions[f].nodes[n].tree)
                walk(p, f, m->functions[f].nodes[n].tree);
    for (int g = 0; m->count && g < m->globals.count; g++)           /* an address in an initialiser */
        if (m->globals.items[g].value)
            walk(p, 0, m->globals.items[g].value);
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
            return p->shared[m->count][i] && !m->globals.items[i].per_thread;
    return true;
}
