/* SPDX-License-Identifier: MIT */
#include "extractor/program.h"

#include "base/memory.h"
#include "extractor/changes.h"
#include "extractor/default_map.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- pieces ---- */

const char *program_text(struct program *p, const char *format, ...)
{
    struct prose out = { 0 };
    va_list args;
    va_start(args, format);
    prose_add_list(&out, format, args);
    va_end(args);
    ARRAY_GROW(p->texts, p->text_count, p->text_room);
    return p->texts[p->text_count++] = prose_take(&out);
}

const char **program_list(struct program *p, int count)
{
    ARRAY_GROW(p->texts, p->text_count, p->text_room);
    const char **list = memory_get(((size_t)count + 1) * sizeof *list);
    p->texts[p->text_count++] = (char *)list;
    return list;
}

void program_stop(struct program *p, const struct place_in *at, const char *text, const char *why)
{
    if (!p->bad)
        fail(p->err, "%s:%d:%d: '%s' cannot be carried over: %s; name it in the map", at->file, at->line, at->column, text, why);
    p->bad = true;
}

struct act *program_act(struct program *p, enum act_kind kind, int function, int node)
{
    ARRAY_GROW(p->acts, p->count, p->room);
    p->acts[p->count] = (struct act){ .kind = kind, .function = function, .node = node, .next = NEXT_ACT, .otherwise = NO_ACT, .called = -1 };
    return &p->acts[p->count++];
}

int program_function(const struct program *p, const char *name)
{
    const struct function *f = machines_function(p->machines, name);
    return f ? (int)(f - p->machines->functions) : -1;
}

static const char builtin[] = "__builtin_";

/* What the compiler does itself, also when it is called by its other name. */
bool program_is_builtin(const char *name) { return !strncmp(name, builtin, sizeof builtin - 1); }

struct map_entry *program_entry(struct program *p, const char *text)
{
    struct map_entry *e = map_statement(&p->harness->map, text);
    e = e ? e : map_statement(&p->defaults, text);
    return !e && program_is_builtin(text) ? program_entry(p, text + sizeof builtin - 1) : e;
}

/* x is v_x, "x~2" w2_x, and "b.c:x", the seventh global, g6_x: no two of them are one. */
static const char *field_name(struct program *p, const char *name, int number)
{
    const char *shadow = strchr(name, '~');
    if (shadow)
        return program_text(p, "w%s_%.*s", shadow + 1, (int)(shadow - name), name);
    return strchr(name, ':') ? program_text(p, "g%d_%s", number, plain_name(name)) : program_text(p, "v_%s", name);
}

/* What lasts is global. */
const char *program_variable(struct program *p, int function, const char *name)
{
    const struct machines *m = p->machines;
    const struct variable_of *v = function >= 0 ? function_variable(&m->functions[function], name) : NULL, *global = NULL;
    int number = 0;
    for (int i = 0; i < m->globals.count; i++)
        if (!strcmp(m->globals.items[i].name, name)) {
            global = &m->globals.items[i];
            number = i;
        }
    if (!v && !global)
        return NULL;
    const char *field = field_name(p, name, number), *each = (v ? v->per_thread : global->per_thread) ? "[VS_MY]" : "";
    return v && !v->is_static ? program_text(p, "f->%s%s", field, each)
         : v ? program_text(p, "vs_here.g.s%d_%s%s", function, field, each) : program_text(p, "vs_here.g.%s%s", field, each);
}

bool program_is_many(struct program *p, const char *word)
{
    const struct variable_of *first = NULL;
    for (int i = 0; i < p->machines->globals.count; i++) {
        const struct variable_of *v = &p->machines->globals.items[i];
        if (strcmp(plain_name(v->name), word))
            continue;
        if (first && strcmp(first->name, v->name)) {
            if (!p->bad)
                fail(p->err, "%s: '%s' is %s:%d:%d, or %s:%d:%d: more than one source has it, so that neither map nor symbol can name it; call one of them "
                     "something else", p->harness->file, word, first->place.file, first->place.line, first->place.column, v->place.file, v->place.line,
                     v->place.column);
            return p->bad = true;
        }
        first = v;
    }
    return false;
}

/* ---- is it a program? ---- */

static bool is_concurrent(const struct tree *t)
{
    static const char *const names[] = { "pthread_", "thrd_", "mtx_", "sem_", "VS_", "fork", "get_bounded_queue", "semget" };
    for (size_t i = 0; !strcmp(t->op, "fun") && i < sizeof names / sizeof *names; i++)
        if (!strncmp(t->name, names[i], strlen(names[i])))
            return true;
    for (int i = 0; i < t->count; i++)
        if (is_concurrent(t->parts[i]))
            return true;
    return false;
}

bool program_is(const struct machines *m)
{
    if (!machines_function(m, "main"))
        return false;
    for (int f = 0; f < m->count; f++)
        for (int n = 0; n < m->functions[f].count; n++)
            if (m->functions[f].nodes[n].tree && is_concurrent(m->functions[f].nodes[n].tree))
                return true;
    return false;
}

/* ---- which functions ---- */

static void use(struct program *p, int function);

static void use_tree(struct program *p, const struct tree *t)
{
    int which = !strcmp(t->op, "fun") ? program_function(p, t->name) : -1;
    if (which >= 0)
        use(p, which);
    for (int i = 0; i < t->count; i++)
        use_tree(p, t->parts[i]);
}

static void use(struct program *p, int function)
{
    const struct function *f = &p->machines->functions[function];
    if (p->frames[function].used)
        return;
    p->frames[function].used = true;
    for (int n = 0; n < f->count; n++)
        if (f->nodes[n].tree)
            use_tree(p, f->nodes[n].tree);
}

/* Who calls whom, and where first: by caller, and by callee. */
struct call  { int caller, callee, node; };
struct graph { struct call *calls; int count, room; int *first; };       /* first: of each caller's calls, and of one more */

static void add_calls(const struct program *p, struct graph *g, const struct tree *t, int caller, int node)
{
    int callee = !strcmp(t->op, "call") && !strcmp(t->parts[0]->op, "fun") ? program_function(p, t->parts[0]->name) : -1;
    if (callee >= 0) {
        ARRAY_GROW(g->calls, g->count, g->room);
        g->calls[g->count++] = (struct call){ caller, callee, node };
    }
    for (int i = 0; i < t->count; i++)
        add_calls(p, g, t->parts[i], caller, node);
}

static int in_order(const void *a, const void *b)
{
    const struct call *x = a, *y = b;
    return x->caller != y->caller ? x->caller - y->caller : x->callee != y->callee ? x->callee - y->callee : x->node - y->node;
}

static struct graph make_graph(const struct program *p)
{
    struct graph g = { .first = memory_get(((size_t)p->machines->count + 1) * sizeof *g.first) };
    for (int f = 0; f < p->machines->count; f++)
        for (int n = 0; n < p->machines->functions[f].count; n++)
            if (p->machines->functions[f].nodes[n].tree)
                add_calls(p, &g, p->machines->functions[f].nodes[n].tree, f, n);
    if (g.count)
        qsort(g.calls, (size_t)g.count, sizeof *g.calls, in_order);
    for (int f = 0, at = 0; f <= p->machines->count; f++) {
        while (at < g.count && g.calls[at].caller < f)
            at++;
        g.first[f] = at;
    }
    return g;
}

/* Recursion without a bound is an error: the first call on a way that leads back. */
static bool leads_back(struct program *p, const struct graph *g, int from, int to, bool *seen)
{
    for (int i = g->first[from]; i < g->first[from + 1]; i++) {
        const struct call *c = &g->calls[i];
        bool closes = c->callee == to;
        if (!closes && !seen[c->callee]) {
            seen[c->callee] = true;
            closes = leads_back(p, g, c->callee, to, seen);
        }
        if (!closes)
            continue;
        const struct place_in *at = &p->machines->functions[from].nodes[c->node].place;
        if (!p->bad)
            fail(p->err, "%s:%d:%d: %s calls itself, and how often is not bounded; --recursion N follows calls that are nested up to N deep", at->file,
                 at->line, at->column, p->machines->functions[to].name);
        return p->bad = true;
    }
    return false;
}

static void refuse_recursion(struct program *p)
{
    struct graph g = make_graph(p);
    for (int f = 0; f < p->machines->count && !p->bad && !p->harness->recursion; f++) {
        bool *seen = memory_get((size_t)p->machines->count + 1);
        if (p->frames[f].used)
            leads_back(p, &g, f, f, seen);
        free(seen);
    }
    free(g.calls);
    free(g.first);
}

static bool mentions(const struct tree *t, const char *function)
{
    if (!strcmp(t->op, "fun") && !strcmp(t->name, function))
        return true;
    for (int i = 0; i < t->count; i++)
        if (mentions(t->parts[i], function))
            return true;
    return false;
}

/* By the functions of the system; or by a map of one's own, of which all is believed. */
static bool makes_threads(const struct program *p)
{
    for (int i = 0; i < p->harness->map.count; i++)
        if (strstr(p->harness->map.items[i].right, "vs_spawn") || strstr(p->harness->map.items[i].right, "vs_create"))
            return true;
    for (int f = 0; f < p->machines->count; f++)
        for (int n = 0; p->frames[f].used && n < p->machines->functions[f].count; n++) {
            const struct tree *t = p->machines->functions[f].nodes[n].tree;
            if (t && (mentions(t, "pthread_create") || mentions(t, "thrd_create")))
                return true;
        }
    return false;
}

/* ---- all ---- */

static void put_ends(struct program *p)
{
    struct act *a = program_act(p, ACT_DO, -1, -1);              /* 0: the end of a thread */
    a->code = "vs_thread_end(me, vs_world.t[me].value);";
    a->yields = a->operation = true;
    a->name = "end of the thread";
    a->next = 1;
    program_act(p, ACT_STOP, -1, -1);
    a = program_act(p, ACT_DO, -1, -1);                          /* 2: that of main */
    a->code = "vs_exit(me, vs_world.t[me].choice);";
    a->yields = a->operation = true;
    a->name = "exit";
    a->next = 1;
}

static void note_needs(struct program *p)
{
    for (int i = 0; i < p->count; i++) {
        const char *parts[] = { p->acts[i].code, p->acts[i].guard, p->acts[i].choices };
        for (int k = 0; k < 3; k++) {
            p->allocates |= parts[k] && (strstr(parts[k], "vs_malloc(") || strstr(parts[k], "vs_realloc(") || strstr(parts[k], "vs_free("));
            p->forks |= parts[k] && strstr(parts[k], "vs_fork(");
            p->queues |= parts[k] && strstr(parts[k], "vs_queue_");
            p->semaphores |= parts[k] && (strstr(parts[k], "vs_semaphore(") || strstr(parts[k], "vs_semget("));
        }
    }
}

/* What a harness says of event machines means nothing here. */
static int refuse_machines(const struct harness *h, struct err *err)
{
    const char *what = h->machines.count ? "machine" : h->values.count ? "values" : h->links.count ? "link" : NULL;
    int line = h->machines.count ? h->machines.items[0].line : h->values.count ? h->values.items[0].line : h->links.count ? h->links.items[0].line : 0;
    return what ? fail(err, "%s:%d: %s: this is the harness of a program, whose threads and processes are found by themselves; take this line out, or, "
                       "for event machines, the line `program`", h->file, line, what) : 0;
}

static void refuse_features(struct program *p)
{
    for (int i = 0; i < p->harness->features.count && !p->bad; i++) {
        const struct feature *f = &p->harness->features.items[i];
        if (!f->used)
            p->bad = fail(p->err, "%s:%d: feature %s: no condition of the program is '%s'; of a program it must be the whole condition of an if or a loop, as the "
                          "source has it", p->harness->file, f->line, f->name, f->condition);
    }
}

static void fini(struct program *p)
{
    for (int f = 0; f <= p->machines->count; f++) {
        if (p->shared)
            free(p->shared[f]);
        if (p->stays)
            free(p->stays[f]);
        free(p->frames[f].first);
        free(p->frames[f].temps);
        free(p->frames[f].lasting);
    }
    for (int i = 0; i < p->count; i++)
        free(p->acts[i].ways);
    for (int i = 0; i < p->text_count; i++)
        free(p->texts[i]);
    free(p->shared);
    free(p->stays);
    free(p->frames);
    free(p->acts);
    free(p->texts);
    map_fini(&p->defaults);
}

int program_make(struct model *model, const struct machines *m, struct harness *h, struct err *err)
{
    struct program p = { .machines = m, .harness = h, .model = model, .err = err, .atomic = h->atomic };
    int main_function = program_function(&p, "main");
    *model = (struct model){ 0 };
    int bad = refuse_machines(h, err);
    if (bad)
        return bad;
    if (main_function < 0)
        return fail(err, "%s: there is no main(): a program with threads or processes begins there", h->file);
    p.frames = memory_get(((size_t)m->count + 1) * sizeof *p.frames);
    p.bad = map_read(&p.defaults, "the default map", 1, default_map, err);
    program_share(&p);
    put_ends(&p);
    use(&p, main_function);
    for (int g = 0; g < m->globals.count; g++)
        if (m->globals.items[g].value)
            use_tree(&p, m->globals.items[g].value);
    p.alone = !makes_threads(&p);
    refuse_recursion(&p);
    for (int f = 0; f < m->count && !p.bad; f++)
        if (m->functions[f].unasked)
            program_stop(&p, &m->functions[f].place, m->functions[f].name, "it runs before main(), or after it");
    changes_stay(&p);
    for (int f = 0; f < m->count && !p.bad; f++)
        if (p.frames[f].used)
            program_flow(&p, f);
        else
            for (int n = 0; n < m->functions[f].count; n++)
                program_account(&p, f, n, FATE_DEAD, NULL);
    refuse_features(&p);
    note_needs(&p);
    if (!p.bad) {
        model->c = program_c(&p);
        model->header = program_header(&p);
        program_promela(&p);
    }
    bad = p.bad ? -EINVAL : 0;
    fini(&p);
    return bad;
}
