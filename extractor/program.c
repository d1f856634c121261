/* SPDX-License-Identifier: MIT */
#include "extractor/program.h"

#include "base/memory.h"
#include "extractor/changes.h"
#include "extractor/default_map.h"
#include "extractor/lower.h"

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

struct map_entry *program_entry(struct program *p, const char *text)
{
    struct map_entry *e = map_statement(&p->harness->map, text);
    return e ? e : map_statement(&p->defaults, text);
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
    const char *field = field_name(p, name, number), *each = (v ? v->per_thread : global->per_thread) ? "[me]" : "";
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

/* ---- fates ---- */

static void account(struct program *p, int function, int node, enum fate fate, const char *how)
{
    struct model *m = p->model;
    ARRAY_GROW(m->accounts, m->account_count, m->account_room);
    m->accounts[m->account_count++] = (struct account){ &p->machines->functions[function], node, fate, how ? prose_make("%s", how) : NULL };
}

static enum fate fate_of(const struct lower *l)
{
    return l->followed ? FATE_FOLLOWED : l->mapped ? FATE_MAPPED : FATE_KEPT;
}

/* ---- what the map says of a statement ---- */

/* Is there a call that the model can do: of the program's own function, through a pointer, or of one that a map names? What that skips has no value: it
 * counts as the whole of a statement only. */
static bool is_known(struct program *p, const struct tree *t, bool whole)
{
    bool direct = !strcmp(t->parts[0]->op, "fun");
    char *text = tree_text(t);
    const struct map_entry *e = program_entry(p, text);
    free(text);
    return !direct || program_function(p, t->parts[0]->name) >= 0 || !strncmp(t->parts[0]->name, "__builtin_", 10)
        || (e && (whole || strcmp(e->right, "skip")));
}

static bool has_call(struct program *p, const struct tree *t, bool whole)
{
    if (!strcmp(t->op, "call") && is_known(p, t, whole))
        return true;
    for (int i = 0; i < t->count; i++)
        if (has_call(p, t->parts[i], false))
            return true;
    return false;
}

bool program_can_keep(struct program *p, const struct tree *t)
{
    if (!strcmp(t->op, "raw") || (!strcmp(t->op, "call") && !is_known(p, t, false)))
        return false;
    for (int i = 0; i < t->count; i++)
        if (!program_can_keep(p, t->parts[i]))
            return false;
    return true;
}

/* About nothing but data: left out, where that is asked for. */
static bool is_data(struct program *p, const struct node *n)
{
    return p->harness->unmapped == UNMAPPED_ABSTRACT && n->kind != NODE_RETURN && n->tree && strcmp(n->tree->op, "none")
        && !has_call(p, n->tree, n->kind == NODE_DO);
}

bool program_may_leave_out(struct program *p, const struct node *n)
{
    struct map *map = &p->harness->map;
    return is_data(p, n) && (!n->text || (!map_statement(map, n->text) && !map_condition(map, n->text, true) && !map_condition(map, n->text, false)));
}

/* Not named by the map, and nothing of the model sees it. */
static bool is_left_out(const struct lower *l, const struct node *n)
{
    return is_data(l->p, n) && !l->p->stays[l->function][l->node];
}

/* A right side of the harness's map for the statement as a whole. True: that is what it becomes. */
static bool by_map(struct lower *l, const struct node *n)
{
    struct map_entry *e = n->text ? map_statement(&l->p->harness->map, n->text) : NULL;
    if (!e || !strcmp(e->right, "keep") || (n->tree && !strcmp(n->tree->op, "call")))
        return false;
    struct operands none = { .name = NULL, .result = "", .names = true };
    e->used++;
    if (strcmp(e->right, "skip") && strcmp(e->right, "true"))
        lower_operation(l, e->right, &none);
    account(l->p, l->function, l->node, FATE_MAPPED, e->right);
    return true;
}

static bool is_named_keep(struct program *p, const struct node *n)
{
    struct map_entry *e = n->text ? map_statement(&p->harness->map, n->text) : NULL;
    bool keep = e && !strcmp(e->right, "keep");
    if (keep)
        e->used++;
    return keep;
}

/* ---- nodes ---- */

static void lead_to(struct program *p, int from, int function, int node, int to)
{
    struct act *last = p->count > from ? &p->acts[p->count - 1] : NULL;
    if (last && last->kind == ACT_STOP)
        return;
    if (!last || last->kind == ACT_TEST || last->kind == ACT_GO)
        last = program_act(p, ACT_GO, function, node);
    last->next = to;
}

static void statement(struct lower *l, const struct node *n)
{
    if (by_map(l, n))
        return;
    if (is_left_out(l, n) && !is_named_keep(l->p, n)) {
        account(l->p, l->function, l->node, FATE_LEFT_OUT, NULL);
        return;
    }
    if (n->tree && !strcmp(n->tree->op, "none"))
        lower_code(l, "(void)0;");               /* for (;;) is a step, so that a loop has one */
    else if (n->tree)
        lower_effect(l, n->tree);
    lower_clear(l);
    lower_flush(l);
    account(l->p, l->function, l->node, n->tree && !strcmp(n->tree->op, "none") ? FATE_CONTROL : fate_of(l), NULL);
}

/* What one side of a condition becomes: NULL: the other side's negation; "": may hold. */
static const char *side(struct lower *l, const struct node *n, bool holds, struct map_entry **found)
{
    struct map_entry *e = n->text ? map_condition(&l->p->harness->map, n->text, holds) : NULL;
    *found = e;
    if (!e || !strcmp(e->right, "keep"))
        return NULL;
    e->used++;
    if (!strcmp(e->right, "true") || !strcmp(e->right, "skip"))
        return "1";
    if (!strcmp(e->right, "false"))
        return "0";
    const char *open = strchr(e->right, '{'), *close = strrchr(e->right, '}');
    if (strncmp(e->right, "c_expr", 6) || !open || !close) {
        program_stop(l->p, &n->place, n->text, "of a condition the right side is true, false, keep or c_expr { C }");
        return "1";
    }
    struct operands none = { .result = "", .names = true };
    char *inside = prose_make("%.*s", (int)(close - open - 1), open + 1), *text = lower_operand_text(l, inside, &none, 0);
    const char *kept = program_text(l->p, "%s", text);
    free(inside);
    free(text);
    return kept;
}

/* The feature that a condition is; -1: it is none. *holds: it is on when the condition holds. */
static int feature_of(const struct program *p, const char *text, bool *holds)
{
    const struct harness *h = p->harness;
    char *literal = map_literal(text, holds);
    int found = -1;
    for (int i = 0; i < h->features.count && found < 0; i++) {
        bool positive;
        char *condition = map_literal(h->features.items[i].condition, &positive);
        if (!strcmp(condition, literal)) {
            found = i;
            *holds = *holds == positive;
        }
        free(condition);
    }
    free(literal);
    return found;
}

static void choose(struct lower *l, const struct node *n, const char *yes, const char *no)
{
    struct act *a = program_act(l->p, ACT_ANY, l->function, l->node);
    a->guard = yes;
    a->choices = no;
    a->next = NODE_ACT(n->next);
    a->otherwise = NODE_ACT(n->otherwise);
}

/* Is it a feature? A property says which it wants; without that the condition goes both ways. */
static bool by_feature(struct lower *l, const struct node *n)
{
    bool holds;
    int which = n->text ? feature_of(l->p, n->text, &holds) : -1;
    if (which < 0)
        return false;
    l->p->harness->features.items[which].used++;
    choose(l, n, program_text(l->p, "vs_%s[%d]", holds ? "on" : "off", which), program_text(l->p, "vs_%s[%d]", holds ? "off" : "on", which));
    account(l->p, l->function, l->node, FATE_MAPPED, l->p->harness->features.items[which].name);
    return true;
}

static void condition(struct lower *l, const struct node *n)
{
    if (by_feature(l, n))
        return;
    struct map_entry *on, *off;
    const char *yes = side(l, n, true, &on), *no = side(l, n, false, &off);
    bool keep = (on && !strcmp(on->right, "keep")) || (off && !strcmp(off->right, "keep"));
    if (yes || no) {
        choose(l, n, yes ? yes : "1", no ? no : "1");
        account(l->p, l->function, l->node, yes && no ? FATE_MAPPED : FATE_LEFT_OUT, yes && no ? NULL : yes ? "when it does not hold" : "when it holds");
        return;
    }
    for (int i = 0; i < 2; i++)
        if ((i ? off : on) && keep)
            (i ? off : on)->used++;
    if (is_left_out(l, n) && !keep) {
        choose(l, n, "1", "1");
        account(l->p, l->function, l->node, FATE_LEFT_OUT, NULL);
        return;
    }
    const char *value = lower_safe(l, lower_value(l, n->tree), "_Bool");
    lower_flush(l);
    struct act *a = program_act(l->p, ACT_TEST, l->function, l->node);
    a->code = value;
    a->next = NODE_ACT(n->next);
    a->otherwise = NODE_ACT(n->otherwise);
    account(l->p, l->function, l->node, fate_of(l), NULL);
}

static void many_ways(struct lower *l, const struct node *n)
{
    bool left_out = is_left_out(l, n) && !is_named_keep(l->p, n);
    const char *type = n->tree->type, *value = left_out ? NULL : lower_safe(l, lower_value(l, n->tree), type);
    lower_flush(l);
    struct act *a = program_act(l->p, ACT_SWITCH, l->function, l->node);
    for (int i = 0; i < n->way_count; i++) {
        const struct way *w = &n->ways[i];
        const char *test = w->fallback ? NULL : left_out ? "1"
                         : w->low == w->high ? program_text(l->p, "(%s) == (%s)%lldLL", value, type, w->low)
                         : program_text(l->p, "(%s) >= (%s)%lldLL && (%s) <= (%s)%lldLL", value, type, w->low, value, type, w->high);
        a = &l->p->acts[l->p->count - 1];
        ARRAY_GROW(a->ways, a->way_count, a->way_room);
        a->ways[a->way_count++] = (struct act_way){ test, NODE_ACT(w->to) };
    }
    if (left_out)
        a->ways[a->way_count - 1].test = "1";
    account(l->p, l->function, l->node, left_out ? FATE_LEFT_OUT : fate_of(l), NULL);
}

static void leave(struct lower *l, const struct node *n)
{
    bool nothing = !strcmp(l->p->machines->functions[l->function].type, "void");
    if (n->tree) {
        const char *value = lower_value(l, n->tree);
        if (!nothing && *value)
            lower_code(l, "f->result = %s;", value);
    }
    lower_flush(l);
    struct act *a = program_act(l->p, ACT_GO, l->function, l->node);
    a->next = l->p->frames[l->function].exit;
    account(l->p, l->function, l->node, n->tree ? fate_of(l) : FATE_CONTROL, NULL);
}

static void one_node(struct program *p, int function, int node)
{
    const struct node *n = &p->machines->functions[function].nodes[node];
    struct lower l;
    int from = p->frames[function].first[node] = p->count;
    lower_start(&l, p, function, node);
    switch (n->kind) {
    case NODE_DO:
        statement(&l, n);
        lower_flush(&l);
        lead_to(p, from, function, node, NODE_ACT(n->next));
        break;
    case NODE_IF:     condition(&l, n); break;
    case NODE_SWITCH: many_ways(&l, n); break;
    case NODE_RETURN: leave(&l, n); break;
    default:
        if (n->next <= node)
            program_act(p, ACT_DO, function, node)->code = "(void)0;";
        lead_to(p, from, function, node, NODE_ACT(n->next));
        account(p, function, node, FATE_CONTROL, NULL);
    }
    lower_fini(&l);
}

/* ---- functions ---- */

static void reach(const struct function *f, int node, bool *reached)
{
    if (node < 0 || reached[node])
        return;
    const struct node *n = &f->nodes[node];
    reached[node] = true;
    reach(f, n->otherwise, reached);
    for (int i = 0; i < n->way_count; i++)
        reach(f, n->ways[i].to, reached);
    reach(f, n->next, reached);
}

/* The value of a thread is what its function returns; main's is the status of the process. */
static void put_exit(struct program *p, int function)
{
    const char *type = p->machines->functions[function].type;
    bool is_main = !strcmp(p->machines->functions[function].name, "main");
    bool number = !strncmp(type, "struct", 6) || !strncmp(type, "union", 5) || strstr(type, "double") || strstr(type, "float") ? false : true;
    bool has_value = strcmp(type, "void") && (strchr(type, '*') || number);
    p->frames[function].exit = p->count;
    struct act *a = program_act(p, ACT_RETURN, function, -1);
    a->code = program_text(p, "%s%s vs_pop(me);", has_value ? "if (((struct vs_head *)f)->below < 0) " : "", !has_value ? ""
                           : is_main ? "vs_world.t[me].choice = f->result;" : "vs_world.t[me].value = (void *)(long)f->result;");
}

static void one_function(struct program *p, int function)
{
    const struct function *f = &p->machines->functions[function];
    struct frame_of *frame = &p->frames[function];
    bool *reached = memory_get((size_t)f->count + 1);
    int from = p->count;
    frame->first = memory_get(((size_t)f->count + 1) * sizeof *frame->first);
    put_exit(p, function);
    reach(f, f->entry, reached);
    for (int n = 0; n < f->count && !p->bad; n++)
        if (reached[n])
            one_node(p, function, n);
        else
            account(p, function, n, FATE_DEAD, NULL);
    for (int i = from; i < p->count; i++) {      /* nodes are known now */
        struct act *a = &p->acts[i];
        a->next = a->next <= NODE_ACT(0) ? frame->first[-3 - a->next] : a->next == NEXT_ACT ? i + 1 : a->next;
        a->otherwise = a->otherwise <= NODE_ACT(0) ? frame->first[-3 - a->otherwise] : a->otherwise;
        for (int w = 0; w < a->way_count; w++)
            a->ways[w].to = frame->first[-3 - a->ways[w].to];
    }
    frame->entry = frame->first[f->entry];
    free(reached);
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

static const struct tree *calls(const struct program *p, const struct tree *t, int callee)
{
    if (!strcmp(t->op, "call") && !strcmp(t->parts[0]->op, "fun") && program_function(p, t->parts[0]->name) == callee)
        return t;
    for (int i = 0; i < t->count; i++) {
        const struct tree *found = calls(p, t->parts[i], callee);
        if (found)
            return found;
    }
    return NULL;
}

/* Recursion without a bound is an error: the first call on a way that leads back. */
static bool leads_back(struct program *p, int from, int to, bool *seen)
{
    const struct function *f = &p->machines->functions[from];
    for (int callee = 0; callee < p->machines->count; callee++)
        for (int n = 0; n < f->count; n++) {
            if (!f->nodes[n].tree || !calls(p, f->nodes[n].tree, callee))
                continue;
            bool closes = callee == to;
            if (!closes && !seen[callee]) {
                seen[callee] = true;
                closes = leads_back(p, callee, to, seen);
            }
            if (closes) {
                if (!p->bad)
                    fail(p->err, "%s:%d:%d: %s calls itself, and how often is not bounded; --recursion N follows calls that are nested up to "
                         "N deep", f->nodes[n].place.file, f->nodes[n].place.line, f->nodes[n].place.column, p->machines->functions[to].name);
                return p->bad = true;
            }
            break;
        }
    return false;
}

static void refuse_recursion(struct program *p)
{
    for (int f = 0; f < p->machines->count && !p->bad && !p->harness->recursion; f++) {
        bool *seen = memory_get((size_t)p->machines->count + 1);
        if (p->frames[f].used)
            leads_back(p, f, f, seen);
        free(seen);
    }
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
            one_function(&p, f);
        else
            for (int n = 0; n < m->functions[f].count; n++)
                account(&p, f, n, FATE_DEAD, NULL);
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
