/* SPDX-License-Identifier: MIT */
#include "extractor/program.h"

#include "base/memory.h"
#include "extractor/lower.h"

#include <stdlib.h>
#include <string.h>

/* ---- fates ---- */

void program_account(struct program *p, int function, int node, enum fate fate, const char *how)
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
    return !direct || program_function(p, t->parts[0]->name) >= 0 || (program_is_builtin(t->parts[0]->name) && strcmp(t->type, "void"))
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
    program_account(l->p, l->function, l->node, FATE_MAPPED, e->right);
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
        program_account(l->p, l->function, l->node, FATE_LEFT_OUT, NULL);
        return;
    }
    if (n->tree && !strcmp(n->tree->op, "none"))
        lower_code(l, "(void)0;");               /* for (;;) is a step, so that a loop has one */
    else if (n->tree)
        lower_effect(l, n->tree);
    lower_clear(l);
    lower_flush(l);
    program_account(l->p, l->function, l->node, n->tree && !strcmp(n->tree->op, "none") ? FATE_CONTROL : fate_of(l), NULL);
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
    char *between = prose_make("%.*s", (int)(close - open - 1), open + 1), *text = lower_operand_text(l, between, &none, 0);
    const char *kept = program_text(l->p, "%s", text);
    free(between);
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
    program_account(l->p, l->function, l->node, FATE_MAPPED, l->p->harness->features.items[which].name);
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
        program_account(l->p, l->function, l->node, yes && no ? FATE_MAPPED : FATE_LEFT_OUT, yes && no ? NULL : yes ? "when it does not hold" : "when it holds");
        return;
    }
    for (int i = 0; i < 2; i++)
        if ((i ? off : on) && keep)
            (i ? off : on)->used++;
    if (is_left_out(l, n) && !keep) {
        choose(l, n, "1", "1");
        program_account(l->p, l->function, l->node, FATE_LEFT_OUT, NULL);
        return;
    }
    const char *value = lower_safe(l, lower_value(l, n->tree), "_Bool");
    lower_flush(l);
    struct act *a = program_act(l->p, ACT_TEST, l->function, l->node);
    a->code = value;
    a->next = NODE_ACT(n->next);
    a->otherwise = NODE_ACT(n->otherwise);
    program_account(l->p, l->function, l->node, fate_of(l), NULL);
}

/* A case is of the type that the value is promoted to: 256 is no case of an unsigned char, and not 0. */
static const char *way_test(struct program *p, const char *value, const struct way *w)
{
    const char *type = program_text(p, "__typeof__(+(%s))", value);
    return w->low == w->high ? program_text(p, "(%s) == (%s)%lldLL", value, type, w->low)
         : program_text(p, "(%s) >= (%s)%lldLL && (%s) <= (%s)%lldLL", value, type, w->low, value, type, w->high);
}

static void many_ways(struct lower *l, const struct node *n)
{
    bool left_out = is_left_out(l, n) && !is_named_keep(l->p, n);
    const char *value = left_out ? NULL : lower_safe(l, lower_value(l, n->tree), n->tree->type);
    lower_flush(l);
    struct act *a = program_act(l->p, ACT_SWITCH, l->function, l->node);
    for (int i = 0; i < n->way_count; i++) {
        const struct way *w = &n->ways[i];
        const char *test = w->fallback ? NULL : left_out ? "1" : way_test(l->p, value, w);
        a = &l->p->acts[l->p->count - 1];
        ARRAY_GROW(a->ways, a->way_count, a->way_room);
        a->ways[a->way_count++] = (struct act_way){ test, NODE_ACT(w->to) };
    }
    if (left_out)
        a->ways[a->way_count - 1].test = "1";
    program_account(l->p, l->function, l->node, left_out ? FATE_LEFT_OUT : fate_of(l), NULL);
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
    program_account(l->p, l->function, l->node, n->tree ? fate_of(l) : FATE_CONTROL, NULL);
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
        program_account(p, function, node, FATE_CONTROL, NULL);
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
    bool has_value = ctype_is_integer(ctype_plain(p, type)) || strchr(type, '*');
    p->frames[function].exit = p->count;
    struct act *a = program_act(p, ACT_RETURN, function, -1);
    a->code = program_text(p, "%s%s vs_pop(me);", has_value ? "if (((struct vs_head *)f)->below < 0) " : "", !has_value ? ""
                           : is_main ? "vs_world.t[me].choice = f->result;" : "vs_world.t[me].value = (void *)(long)f->result;");
}

void program_flow(struct program *p, int function)
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
            program_account(p, function, n, FATE_DEAD, NULL);
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
