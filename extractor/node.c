/* SPDX-License-Identifier: MIT */
#include "extractor/node.h"

#include "base/memory.h"
#include "extractor/changes.h"
#include "extractor/expression.h"
#include "extractor/fields.h"
#include "extractor/guard.h"
#include "extractor/look.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct spot { struct maker *k; int instance, index; const struct function *f; const struct node *n; struct origin origin; char *label; };

static bool *silence(const struct maker *k, const struct function *f)
{
    return k->silent[f - k->machines->functions];
}

/* Does control come back to this node without a step of the model? Spin does not like such a ring. */
static bool in_silent_ring(const struct spot *a)
{
    const bool *silent = silence(a->k, a->f);
    int node = a->n->next;
    for (int steps = 0; node >= 0 && node != a->index && silent[node] && steps <= a->f->count; steps++)
        node = a->f->nodes[node].next;
    return node == a->index;
}

static void go(const struct spot *a, const char *doing, int to)
{
    bool *silent = &silence(a->k, a->f)[a->index];
    a->k->names.changed |= !*doing && !*silent;
    *silent |= !*doing;
    char *there = maker_label(a->instance, to);
    maker_put(a->k, a->origin, "%s: %s%sgoto %s;", a->label, doing, *doing ? "; " : "", there);
    free(there);
}

static void account(const struct spot *a, enum fate fate, const char *how)
{
    maker_account(a->k, a->f, a->index, fate, how);
}

static void put_if(const struct spot *a)
{
    enum fate yes, no;
    char *on = guard_of(a->k, a->instance, a->n, a->n->text, a->n->tree, true, &yes);
    char *off = guard_of(a->k, a->instance, a->n, a->n->text, a->n->tree, false, &no);
    char *then = maker_label(a->instance, a->n->next), *otherwise = maker_label(a->instance, a->n->otherwise);
    maker_put(a->k, a->origin, "%s: if :: ((%s) && 1) -> goto %s :: ((%s) && 2) -> goto %s fi;", a->label, on, then, off, otherwise);
    bool in_part = yes == FATE_LEFT_OUT && no == FATE_LEFT_OUT && (strcmp(on, "1") || strcmp(off, "1"));
    account(a, yes > no ? yes : no, in_part ? "in part" : yes == no ? on : yes == FATE_LEFT_OUT ? "when it holds"
            : no == FATE_LEFT_OUT ? "when it does not hold" : on);
    free(on);
    free(off);
    free(then);
    free(otherwise);
}

/* The value that a switch is over, if it is in the model; NULL: it is not. */
static char *switched(const struct spot *a, enum fate *fate)
{
    struct map_entry *e = map_statement(&a->k->harness->map, a->n->text);
    *fate = FATE_KEPT;
    if (e) {
        e->used++;
        *fate = FATE_MAPPED;
        char *right = map_right(e, a->n->text, false);
        char *value = strcmp(right, "keep") ? maker_user_text(a->k, a->instance, right) : maker_kept_expression(a->k, a->instance, a->n, a->n->tree);
        free(right);
        return value;
    }
    if (maker_keeps_all(a->k) || (!a->instance && look_only(a->n->tree, maker_machine(a->k)->event, maker_machine(a->k)->state)))
        return maker_kept_expression(a->k, a->instance, a->n, a->n->tree);
    *fate = FATE_LEFT_OUT;
    return NULL;
}

static char *is_way(const char *value, const struct way *w)
{
    return w->low == w->high ? prose_make("%s==%lld", value, w->low) : prose_make("(%s>=%lld&&%s<=%lld)", value, w->low, value, w->high);
}

static char *way_guard(const struct spot *a, const char *value, int which, bool *open)
{
    const struct way *w = &a->n->ways[which];
    struct prose out = { 0 };
    if (value && !w->fallback)
        return is_way(value, w);
    for (int i = 0; value && i < a->n->way_count; i++) {
        if (a->n->ways[i].fallback)
            continue;
        char *one = is_way(value, &a->n->ways[i]);
        prose_add(&out, "%s%s", out.length ? "||" : "!(", one);
        free(one);
    }
    prose_add(&out, value && out.length ? ")" : "1");
    if (value)
        return prose_take(&out);
    prose_fini(&out);
    char *text = w->name ? prose_make("%s==%s", a->n->text, w->name) : prose_make("%s==%lld", a->n->text, w->low);
    enum fate fate = FATE_MAPPED;
    char *found = w->fallback ? prose_make("1") : guard_of(a->k, a->instance, a->n, text, NULL, true, &fate);
    *open |= fate == FATE_LEFT_OUT;
    free(text);
    return found;
}

/* A variable of the routine as embedded C has it, or what stands for none; gives. In *alive: Promela that is true and has the variable in it, or Spin
 * would take it for one that nobody needs any more, and make it 0. */
static char *in_c(struct maker *k, const char *variable, struct prose *alive)
{
    const char *name = variable ? maker_look_up(k, vocabulary_used, 0, variable) : NULL, *index = name ? strstr(name, "[me]") : NULL;
    if (!name)
        return prose_make("(-2147483647-1)");
    prose_add(alive, " && %s==%s", name, name);
    if (!vocabulary_shared(&k->names, k->machine, name))
        return prose_make("Pmachine_%s->%s", maker_machine(k)->name, name);
    return index ? prose_make("now.%.*s[Pmachine_%s->me]", (int)(index - name), name, maker_machine(k)->name) : prose_make("now.%s", name);
}

/* No case for this event in this state: the C goes on behind the switch, and the check for it says so, or notes it (receptions.h). */
static void put_unspecified(const struct spot *a, const struct way *w)
{
    struct origin origin = a->origin;
    struct prose alive = { 0 };
    origin.kind = ORIGIN_UNSPECIFIED;
    char *to = maker_label(a->instance, w->to), *state = in_c(a->k, maker_machine(a->k)->state, &alive), *event = in_c(a->k, maker_machine(a->k)->event, &alive);
    maker_put(a->k, origin, "%su: assert(!(c_expr { (vs_unmet(%d,%s,%s)) }%s)); goto %s;", a->label, a->k->model->line_count, state, event,
        alive.text ? alive.text : "", to);
    prose_fini(&alive);
    free(to);
    free(state);
    free(event);
}

static void put_switch(const struct spot *a)
{
    enum fate fate;
    struct prose line = { 0 };
    char *value = switched(a, &fate);
    const struct way *last = &a->n->ways[a->n->way_count - 1];
    bool unspecified = value && !a->instance && maker_machine(a->k)->event && last->none && look_mentions(a->n->tree, maker_machine(a->k)->event);
    bool open = false;               /* is there a case that the map does not name? */
    prose_add(&line, "%s: if", a->label);
    for (int i = 0; i < a->n->way_count; i++) {
        char *when = way_guard(a, value, i, &open), *to = maker_label(a->instance, a->n->ways[i].to);
        prose_add(&line, " :: ((%s) && %d) -> goto %s", when, i + 1, unspecified && &a->n->ways[i] == last ? "" : to);
        if (unspecified && &a->n->ways[i] == last)
            prose_add(&line, "%su", a->label);
        free(when);
        free(to);
    }
    maker_put(a->k, a->origin, "%s fi;", line.text);
    if (unspecified)
        put_unspecified(a, last);
    account(a, fate == FATE_LEFT_OUT && !open ? FATE_MAPPED : fate, value);
    prose_fini(&line);
    free(value);
}

/* ---- calls ---- */

static const struct tree *call_in(const struct tree *t, const struct tree **result)
{
    *result = NULL;
    if (!strcmp(t->op, "cast") && t->count == 1)
        t = t->parts[0];
    if (!strcmp(t->op, "=") && t->count == 2) {
        *result = t->parts[0];
        t = t->parts[1];
    }
    return !strcmp(t->op, "call") && t->count && !strcmp(t->parts[0]->op, "fun") ? t : NULL;
}

static bool recursive(struct maker *k, int instance, const struct function *f, const struct node *n)
{
    for (int i = instance; i >= 0; i = k->instances[i].caller)
        if (k->instances[i].function == f) {
            struct err why;
            fail(&why, "%s calls itself, and how often is not bounded", f->name);
            maker_stop(k, n, n->text, &why);
            return true;
        }
    return false;
}

/* As a value of another type. `room` has the place of the operand. */
static struct tree converted(const struct tree *value, const char *type, struct tree *room[1])
{
    room[0] = (struct tree *)value;
    return (struct tree){ .op = (char *)"cast", .type = (char *)type, .parts = room, .count = 1 };
}

static void pass_arguments(const struct spot *a, const struct function *f, const struct tree *call, int instance, struct prose *doing)
{
    int parameters = function_parameters(f);
    for (int i = 0; i < parameters && i + 1 < call->count; i++) {
        const char *name = vocabulary_used(&a->k->names, a->k->machine, instance, f, f->variables.items[i].name);
        if (!name)
            continue;
        struct tree *room[1], passed = converted(call->parts[i + 1], f->variables.items[i].type, room);
        char *value = maker_kept_expression(a->k, a->instance, a->n, &passed);
        prose_add(doing, "%s%s = %s", doing->length ? "; " : "", name, value);
        free(value);
    }
}

static bool follow(const struct spot *a)
{
    const struct tree *result, *call = call_in(a->n->tree, &result);
    const struct function *f = call ? machines_function(a->k->machines, call->parts[0]->name) : NULL;
    struct maker *k = a->k;
    if (!f || recursive(k, a->instance, f, a->n))
        return false;
    ARRAY_GROW(k->instances, k->count, k->room);
    int new = k->count++;
    k->instances[new] = (struct instance){ f, a->instance, maker_label(a->instance, a->n->next), result, call };
    struct prose doing = { 0 };
    pass_arguments(a, f, call, new, &doing);
    char *entry = maker_label(new, f->entry);
    maker_put(k, a->origin, "%s: %s%sgoto %s;", a->label, doing.text ? doing.text : "", doing.length ? "; " : "", entry);
    account(a, FATE_FOLLOWED, f->name);
    prose_fini(&doing);
    free(entry);
    return true;
}

/* The routine is done with its event. What properties see of that changes in one step; what does not last is forgotten, so that states
 * which differ in it alone are one. */
static void put_end(const struct spot *a)
{
    struct maker *k = a->k;
    struct context c = { k, 0 };
    const char *event = maker_machine(k)->event ? vocabulary_watched(&k->names, k->machine, maker_machine(k)->event) : NULL;
    char *control = vocabulary_control(&k->names, k->machine), *forgotten = vocabulary_forget(&k->names, k->machine);
    struct prose doing = { 0 };
    if (event)
        prose_add(&doing, "%s = -1; ", event);
    if (control)
        prose_add(&doing, "%s = %s; ", control, maker_name(&c, maker_machine(k)->state));
    prose_add(&doing, "%s", forgotten);
    bool several = doing.length && strchr(doing.text, ';') != strrchr(doing.text, ';');
    maker_put(k, a->origin, several ? "%s: skip; d_step { %s} goto waits;" : "%s: %sgoto waits;", a->label, doing.text);
    prose_fini(&doing);
    free(control);
    free(forgotten);
}

static void put_return(const struct spot *a)
{
    struct maker *k = a->k;
    const struct instance *i = &k->instances[a->instance];
    account(a, FATE_CONTROL, NULL);
    if (!i->back) {
        put_end(a);
        return;
    }
    struct prose doing = { 0 };
    const struct tree *to_whom = i->result && !strcmp(i->result->op, "[]") ? i->result->parts[0] : i->result;
    bool wanted = to_whom && a->n->tree && (maker_keeps_all(k)
        || (!strcmp(to_whom->op, "var") && maker_look_up(k, vocabulary_used, i->caller, to_whom->name)));
    if (wanted) {
        struct tree *room[2], given = converted(a->n->tree, i->function->type, room), taken = converted(&given, i->result->type, room + 1);
        char *to = maker_kept_expression(k, i->caller, a->n, i->result), *value = maker_kept_expression(k, a->instance, a->n, &taken);
        prose_add(&doing, "%s = %s; ", to, value);
        free(to);
        free(value);
    }
    maker_put(k, a->origin, "%s: %sgoto %s;", a->label, doing.text ? doing.text : "", i->back);
    prose_fini(&doing);
}

/* ---- statements ---- */

static bool sets_state(const struct spot *a)
{
    const struct tree *t = a->n->tree;
    const char *state = a->instance ? NULL : maker_machine(a->k)->state;
    return state && !strcmp(t->op, "=") && !strcmp(t->parts[0]->op, "var") && !strcmp(t->parts[0]->name, state)
        && look_only(t->parts[1], maker_machine(a->k)->event, state);
}

static void put_kept(const struct spot *a, enum fate fate)
{
    char *doing = maker_kept_statement(a->k, a->instance, a->n);
    go(a, doing, a->n->next);
    account(a, fate, doing);
    free(doing);
}

static void put_mapped(const struct spot *a, struct map_entry *e)
{
    e->used++;
    if (!strcmp(e->right, "keep")) {
        put_kept(a, FATE_MAPPED);
        return;
    }
    bool nothing = !strcmp(e->right, "skip") || !strcmp(e->right, "true");
    char *right = map_right(e, a->n->text, false), *doing = nothing ? prose_make("%s", "") : maker_user_text(a->k, a->instance, right);
    go(a, doing, a->n->next);
    account(a, FATE_MAPPED, right);
    free(doing);
    free(right);
}

/* VS_assert(x), if x is in the model. */
static bool put_assertion(const struct spot *a)
{
    const struct tree *result, *call = call_in(a->n->tree, &result);
    if (!call || strcmp(call->parts[0]->name, "VS_assert_at") || call->count < 2)
        return false;
    if (!maker_keeps_all(a->k) && (a->instance || !look_only(call->parts[1], maker_machine(a->k)->event, maker_machine(a->k)->state)))
        return false;
    char *condition = maker_kept_expression(a->k, a->instance, a->n, call->parts[1]), *doing = prose_make("assert(%s)", condition);
    go(a, doing, a->n->next);
    account(a, FATE_KEPT, doing);
    free(condition);
    free(doing);
    return true;
}

/* Where an assertion fails, unless whether it holds is left out: then nobody knows. abort() is one that never holds. */
static bool put_failure(const struct spot *a)
{
    enum fate fate = FATE_KEPT;
    for (int i = 0; i < a->f->count && !maker_keeps_all(a->k); i++) {
        const struct node *n = &a->f->nodes[i];
        if (n->kind == NODE_IF && (n->next == a->index || n->otherwise == a->index) && fate != FATE_LEFT_OUT)
            free(guard_of(a->k, a->instance, n, n->text, n->tree, n->next == a->index, &fate));
    }
    if (fate == FATE_LEFT_OUT)
        return false;
    go(a, "assert(0)", a->n->next);
    account(a, FATE_KEPT, "assert(0)");
    return true;
}

static void put_do(const struct spot *a)
{
    struct map_entry *e = map_statement(&a->k->harness->map, a->n->text);
    if (e) {
        put_mapped(a, e);
    } else if (!strcmp(a->n->tree->op, "none")) {
        go(a, "skip; skip", a->n->next);         /* two: Spin refuses a step from a place to itself */
        account(a, FATE_CONTROL, NULL);
    } else if (put_assertion(a) || (node_fails(a->n) && put_failure(a))) {
        return;
    } else if (sets_state(a) || (maker_keeps_all(a->k) && !call_in(a->n->tree, &(const struct tree *){ NULL }))) {
        put_kept(a, FATE_KEPT);
    } else if (changes_read(a->k, a->f, a->n->tree) && maker_can_keep(a->k, a->instance, a->n)) {
        put_kept(a, FATE_KEPT);
    } else if (!follow(a)) {
        if (maker_keeps_all(a->k))
            put_kept(a, FATE_KEPT);
        else
            go(a, "", a->n->next);
        account(a, FATE_LEFT_OUT, NULL);
    }
}

static void put_node(struct maker *k, int instance, int index)
{
    const struct function *f = k->instances[instance].function;
    struct spot a = { k, instance, index, f, &f->nodes[index], { ORIGIN_NODE, k->machine, f, index }, maker_label(instance, index) };
    switch (a.n->kind) {
    case NODE_DO:     put_do(&a); break;
    case NODE_IF:     put_if(&a); break;
    case NODE_SWITCH: put_switch(&a); break;
    case NODE_RETURN: put_return(&a); break;
    default:
        go(&a, in_silent_ring(&a) ? "skip; skip" : "", a.n->next);
        account(&a, FATE_CONTROL, NULL);
    }
    free(a.label);
}

static void mark_reached(const struct function *f, int node, bool *reached)
{
    while (node >= 0 && !reached[node]) {
        const struct node *n = &f->nodes[node];
        reached[node] = true;
        if (n->otherwise >= 0)
            mark_reached(f, n->otherwise, reached);
        for (int i = 0; i < n->way_count; i++)
            mark_reached(f, n->ways[i].to, reached);
        node = n->next;
    }
}

void node_put_all(struct maker *k, int instance)
{
    assert(instance < k->count);
    const struct function *f = k->instances[instance].function;
    bool *reached = memory_get((size_t)f->count * sizeof *reached);
    mark_reached(f, f->entry, reached);
    for (int i = 0; i < f->count && !k->bad; i++)
        if (reached[i])
            put_node(k, instance, i);
        else
            maker_account(k, f, i, FATE_DEAD, NULL);
    free(reached);
}
