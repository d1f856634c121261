/* SPDX-License-Identifier: MIT */
#include "extractor/promela.h"

#include "base/memory.h"
#include "extractor/changes.h"
#include "extractor/expression.h"
#include "extractor/fields.h"
#include "extractor/look.h"
#include "extractor/vocabulary.h"
#include "base/prose.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define X(name, word, help) word,
const char *const fate_words[] = { FATES(X) };
#undef X

/* A function where it is called: its labels and variables are its own. Number 0 is the machine's routine. */
struct instance {
    const struct function *function;
    int                    caller;           /* instance, or -1 */
    char                  *back;             /* label where it returns to; NULL: the routine itself */
    const struct tree     *result;           /* what its value goes to, in the caller's names; NULL: nowhere */
    const struct tree     *call;             /* NULL: the routine itself */
};

struct maker {
    const struct machines *machines;
    struct harness        *harness;
    struct model          *model;
    struct vocabulary           names;            /* variables, and which of them are used */
    struct err            *err;
    bool                   bad;
    struct prose           out;
    int                    machine;          /* the one that is being written */
    struct instance       *instances;
    int                    count, room;
    bool                 **silent;           /* of each function and node: somewhere it is no step of the model, but a goto */
};

struct context { struct maker *maker; int instance; };

static struct harness_machine *of(const struct maker *k)
{
    return &k->harness->machines.items[k->machine];
}

/* ---- lines ---- */

static void put(struct maker *k, struct origin origin, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void put(struct maker *k, struct origin origin, const char *format, ...)
{
    size_t from = k->out.length;
    va_list args;
    va_start(args, format);
    prose_add_list(&k->out, format, args);
    va_end(args);
    prose_add(&k->out, "\n");
    struct model *m = k->model;
    for (size_t i = from; i < k->out.length; i++) {
        if (k->out.text[i] != '\n')
            continue;
        ARRAY_GROW(m->origins, m->line_count, m->line_room);
        m->origins[m->line_count++] = origin;
    }
}

static struct origin nowhere(void)
{
    return (struct origin){ .kind = ORIGIN_NONE };
}

static void stop(struct maker *k, const struct node *n, const char *text, const struct err *why)
{
    if (!k->bad)
        fail(k->err, "%s:%d:%d: '%s' cannot be carried over: %s; name it in the map", n->place.file, n->place.line, n->place.column,
             text, why->text);
    k->bad = true;
}

/* ---- fates ---- */

static void account(struct maker *k, const struct function *f, int node, enum fate fate, const char *how)
{
    struct model *m = k->model;
    for (int i = 0; i < m->account_count; i++) {
        struct account *a = &m->accounts[i];
        if (a->function != f || a->node != node)
            continue;
        if (fate == FATE_LEFT_OUT)
            a->fate = fate;
        return;
    }
    ARRAY_GROW(m->accounts, m->account_count, m->account_room);
    m->accounts[m->account_count++] = (struct account){ f, node, fate, how ? prose_make("%s", how) : NULL };
}

/* ---- names ---- */

/* A field behind a pointer is the routine's own: its name there, or NULL; gives. */
static char *field_of_routine(const struct maker *k, int instance, const char *variable)
{
    char *name = prose_make("%s", variable);
    for (; name && instance > 0; instance = k->instances[instance].caller) {
        char *above = fields_of_caller(k->instances[instance].function, k->instances[instance].call, name);
        free(name);
        name = above;
    }
    return name;
}

typedef const char *lookup(struct vocabulary *, int machine, int instance, const struct function *, const char *variable);

static const char *look_up(struct maker *k, lookup *how, int instance, const char *variable)
{
    char *field = fields_is(variable) ? field_of_routine(k, instance, variable) : NULL;
    if (fields_is(variable))
        instance = 0;
    const char *name = fields_is(variable) && !field ? NULL : how(&k->names, k->machine, instance, k->instances[instance].function,
                                                                  field ? field : variable);
    free(field);
    return name;
}

static const char *name_of(void *arg, const char *variable)
{
    struct context *c = arg;
    return look_up(c->maker, vocabulary_use, c->instance, variable);
}

/* A user's Promela, whose assertions can be switched off: assert(x) becomes assert(c_expr { vs_ignore } || (x)). */
static char *with_switch(const char *text)
{
    struct prose out = { 0 };
    int depth = 0, opened[64], nested = 0;
    for (const char *from = text; *text; text++) {
        bool begins = !strncmp(text, "assert", 6) && (text == from || !(isalnum((unsigned char)text[-1]) || text[-1] == '_'));
        size_t bracket = begins ? 6 + strspn(text + 6, " ") : 0;
        if (begins && text[bracket] == '(' && nested < 64) {
            prose_add(&out, "assert(c_expr { vs_ignore } || (");
            opened[nested++] = ++depth;
            text += bracket;
            continue;
        }
        depth += *text == '(';
        if (*text == ')' && nested && opened[nested - 1] == depth) {
            prose_add(&out, ")");
            nested--;
        }
        depth -= *text == ')';
        prose_bytes(&out, text, 1);
    }
    return prose_take(&out);
}

static size_t word_length(const char *text)
{
    return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
}

/* A word, or a field of the function: x->timer.kind; of several of these the longest. */
static size_t variable_length(const struct function *f, const char *text)
{
    size_t length = word_length(text), best = length;
    while (length && (!strncmp(text + length, "->", 2) || (text[length] == '.' && best > 0))) {
        size_t more = length + (text[length] == '.' ? 1 : 2);
        if (!word_length(text + more))
            break;
        length = more + word_length(text + more);
        char *name = prose_make("%.*s", (int)length, text);
        if (function_variable(f, name))
            best = length;
        free(name);
    }
    return best;
}

/* A user's Promela, with the machine's variables by their names in the model. */
static char *user_text(struct maker *k, int instance, const char *text)
{
    struct prose out = { 0 };
    struct context c = { k, instance };
    while (*text) {
        const struct function *f = k->instances[instance].function;
        size_t length = variable_length(f, text);
        char *word = prose_make("%.*s", (int)length, text);
        bool known = length && !isdigit((unsigned char)*word) && (function_variable(f, word) || vocabulary_global(&k->names, word));
        const char *name = known ? name_of(&c, word) : NULL;
        if (length)
            prose_add(&out, "%s", name ? name : word);
        else
            prose_bytes(&out, text, length = 1);
        text += length;
        free(word);
    }
    char *renamed = prose_take(&out), *whole = with_switch(renamed);
    free(renamed);
    return whole;
}

static char *label(int instance, int node)
{
    return prose_make("L%d_%d", instance, node + 1);
}

/* ---- carrying over ---- */

static char *kept_expression(struct maker *k, int instance, const struct node *n, const struct tree *t)
{
    struct context c = { k, instance };
    struct naming naming = { name_of, &c };
    struct prose out = { 0 };
    struct err why;
    if (!expression_put(&out, t, &naming, &why))
        stop(k, n, n->text, &why);
    return prose_take(&out);
}

static char *kept_statement(struct maker *k, int instance, const struct node *n)
{
    struct context c = { k, instance };
    struct naming naming = { name_of, &c };
    struct prose out = { 0 };
    struct err why;
    if (!expression_statement(&out, n->tree, &naming, &why))
        stop(k, n, n->text, &why);
    return prose_take(&out);
}

/* ---- conditions ---- */

static int feature_of(const struct maker *k, const char *text, bool *holds)
{
    char *literal = map_literal(text, holds);
    int found = -1;
    for (int i = 0; i < k->harness->features.count; i++) {
        bool positive;
        char *condition = map_literal(k->harness->features.items[i].condition, &positive);
        if (!strcmp(condition, literal)) {
            found = i;
            *holds = *holds == positive;
        }
        free(condition);
    }
    free(literal);
    return found;
}

static char *by_entry(struct maker *k, int instance, const struct node *n, const struct map_entry *e, const char *text, const struct tree *t,
                      bool holds)
{
    if (!strcmp(e->right, "true") || !strcmp(e->right, "skip"))
        return prose_make("1");
    if (!strcmp(e->right, "false"))
        return prose_make("0");
    if (strcmp(e->right, "keep")) {
        char *right = map_right(e, text, true), *own = user_text(k, instance, right);
        free(right);
        return own;
    }
    char *kept = kept_expression(k, instance, n, t), *guard = prose_make("%s(%s)", holds ? "" : "!", kept);
    free(kept);
    return guard;
}

static bool keeps_all(const struct maker *k)
{
    return k->harness->unmapped == UNMAPPED_KEEP;
}

static char *guard(struct maker *, int instance, const struct node *, const char *text, const struct tree *, bool holds, enum fate *);

/* a && b, a || b: of each part by itself, for each may be named or be a feature. NULL: it is neither. */
static char *guard_of_parts(struct maker *k, int instance, const struct node *n, const char *text, const struct tree *t, bool holds,
                            enum fate *fate)
{
    bool positive;
    char *literal = map_literal(text, &positive), *both = NULL;
    while (!strcmp(t->op, "pre!") && t->count == 1)
        t = t->parts[0];
    size_t at = t->count == 2 && (!strcmp(t->op, "&&") || !strcmp(t->op, "||")) ? map_split(literal, t->op) : 0;
    if (at) {
        enum fate first, second;
        bool want = positive == holds;
        char *left = prose_make("%.*s", (int)at, literal);
        char *one = guard(k, instance, n, left, t->parts[0], want, &first);
        char *other = guard(k, instance, n, literal + at + 2, t->parts[1], want, &second);
        bool open = !strcmp(one, "1") && !strcmp(other, "1");
        both = open ? prose_make("1") : prose_make("(%s)%s(%s)", one, (*t->op == '&') == want ? "&&" : "||", other);
        *fate = first > second ? first : second;
        free(left);
        free(one);
        free(other);
    }
    free(literal);
    return both;
}

/* The guard of one side of a condition; *fate says by what. `text` is the condition, t its tree or NULL. */
static char *guard(struct maker *k, int instance, const struct node *n, const char *text, const struct tree *t, bool holds, enum fate *fate)
{
    bool positive;
    int feature = feature_of(k, text, &positive);
    struct map_entry *e = map_condition(&k->harness->map, text, holds), *other = map_condition(&k->harness->map, text, !holds);
    *fate = FATE_MAPPED;
    if (feature >= 0)
        k->harness->features.items[feature].used++;
    if (feature >= 0)
        return prose_make("c_expr { vs_%s[%d] }", positive == holds ? "on" : "off", feature);
    if (e) {
        e->used++;
        return by_entry(k, instance, n, e, text, t, holds);
    }
    if (other && !strcmp(other->right, "keep"))
        return by_entry(k, instance, n, other, text, t, holds);
    if (t && (keeps_all(k) || (!instance && look_only(t, of(k)->event, of(k)->state)) || look_only(t, NULL, NULL))) {
        struct map_entry keep = { .right = (char *)"keep" };
        *fate = FATE_KEPT;
        return by_entry(k, instance, n, &keep, text, t, holds);
    }
    char *parts = t ? guard_of_parts(k, instance, n, text, t, holds, fate) : NULL;
    if (parts)
        return parts;
    *fate = FATE_LEFT_OUT;
    return prose_make("1");
}

/* ---- nodes ---- */

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
    char *there = label(a->instance, to);
    put(a->k, a->origin, "%s: %s%sgoto %s;", a->label, doing, *doing ? "; " : "", there);
    free(there);
}

static void settled(const struct spot *a, enum fate fate, const char *how)
{
    account(a->k, a->f, a->index, fate, how);
}

static void put_if(const struct spot *a)
{
    enum fate yes, no;
    char *on = guard(a->k, a->instance, a->n, a->n->text, a->n->tree, true, &yes);
    char *off = guard(a->k, a->instance, a->n, a->n->text, a->n->tree, false, &no);
    char *then = label(a->instance, a->n->next), *otherwise = label(a->instance, a->n->otherwise);
    put(a->k, a->origin, "%s: if :: ((%s) && 1) -> goto %s :: ((%s) && 2) -> goto %s fi;", a->label, on, then, off, otherwise);
    bool in_part = yes == FATE_LEFT_OUT && no == FATE_LEFT_OUT && (strcmp(on, "1") || strcmp(off, "1"));
    settled(a, yes > no ? yes : no, in_part ? "in part" : yes == no ? on : yes == FATE_LEFT_OUT ? "when it holds"
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
        char *value = strcmp(right, "keep") ? user_text(a->k, a->instance, right) : kept_expression(a->k, a->instance, a->n, a->n->tree);
        free(right);
        return value;
    }
    if (keeps_all(a->k) || (!a->instance && look_only(a->n->tree, of(a->k)->event, of(a->k)->state)))
        return kept_expression(a->k, a->instance, a->n, a->n->tree);
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
    char *found = w->fallback ? prose_make("1") : guard(a->k, a->instance, a->n, text, NULL, true, &fate);
    *open |= fate == FATE_LEFT_OUT;
    free(text);
    return found;
}

/* A variable of the routine as embedded C has it, or what stands for none; gives. In *alive: Promela that is true and has the variable in it, or Spin
 * would take it for one that nobody needs any more, and make it 0. */
static char *in_c(struct maker *k, const char *variable, struct prose *alive)
{
    const char *name = variable ? look_up(k, vocabulary_used, 0, variable) : NULL, *index = name ? strstr(name, "[me]") : NULL;
    if (!name)
        return prose_make("(-2147483647-1)");
    prose_add(alive, " && %s==%s", name, name);
    if (!vocabulary_shared(&k->names, k->machine, name))
        return prose_make("Pmachine_%s->%s", of(k)->name, name);
    return index ? prose_make("now.%.*s[Pmachine_%s->me]", (int)(index - name), name, of(k)->name) : prose_make("now.%s", name);
}

/* No case for this event in this state: the C goes on behind the switch, and the check for it says so, or notes it (receptions.h). */
static void put_unspecified(const struct spot *a, const struct way *w)
{
    struct origin origin = a->origin;
    struct prose alive = { 0 };
    origin.kind = ORIGIN_UNSPECIFIED;
    char *to = label(a->instance, w->to), *state = in_c(a->k, of(a->k)->state, &alive), *event = in_c(a->k, of(a->k)->event, &alive);
    put(a->k, origin, "%su: assert(!(c_expr { (vs_unmet(%d,%s,%s)) }%s)); goto %s;", a->label, a->k->model->line_count, state, event,
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
    bool unspecified = value && !a->instance && of(a->k)->event && last->none && look_mentions(a->n->tree, of(a->k)->event);
    bool open = false;               /* is there a case that the map does not name? */
    prose_add(&line, "%s: if", a->label);
    for (int i = 0; i < a->n->way_count; i++) {
        char *when = way_guard(a, value, i, &open), *to = label(a->instance, a->n->ways[i].to);
        prose_add(&line, " :: ((%s) && %d) -> goto %s", when, i + 1, unspecified && &a->n->ways[i] == last ? "" : to);
        if (unspecified && &a->n->ways[i] == last)
            prose_add(&line, "%su", a->label);
        free(when);
        free(to);
    }
    put(a->k, a->origin, "%s fi;", line.text);
    if (unspecified)
        put_unspecified(a, last);
    settled(a, fate == FATE_LEFT_OUT && !open ? FATE_MAPPED : fate, value);
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
            stop(k, n, n->text, &why);
            return true;
        }
    return false;
}

static void pass_arguments(const struct spot *a, const struct function *f, const struct tree *call, int instance, struct prose *doing)
{
    int parameters = function_parameters(f);
    for (int i = 0; i < parameters && i + 1 < call->count; i++) {
        const char *name = vocabulary_used(&a->k->names, a->k->machine, instance, f, f->variables.items[i].name);
        if (!name)
            continue;
        char *value = kept_expression(a->k, a->instance, a->n, call->parts[i + 1]);
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
    k->instances[new] = (struct instance){ f, a->instance, label(a->instance, a->n->next), result, call };
    struct prose doing = { 0 };
    pass_arguments(a, f, call, new, &doing);
    char *entry = label(new, f->entry);
    put(k, a->origin, "%s: %s%sgoto %s;", a->label, doing.text ? doing.text : "", doing.length ? "; " : "", entry);
    settled(a, FATE_FOLLOWED, f->name);
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
    const char *event = of(k)->event ? vocabulary_watched(&k->names, k->machine, of(k)->event) : NULL;
    char *control = vocabulary_control(&k->names, k->machine), *forgotten = vocabulary_forget(&k->names, k->machine);
    struct prose doing = { 0 };
    if (event)
        prose_add(&doing, "%s = -1; ", event);
    if (control)
        prose_add(&doing, "%s = %s; ", control, name_of(&c, of(k)->state));
    prose_add(&doing, "%s", forgotten);
    bool several = doing.length && strchr(doing.text, ';') != strrchr(doing.text, ';');
    put(k, a->origin, several ? "%s: skip; d_step { %s} goto waits;" : "%s: %sgoto waits;", a->label, doing.text);
    prose_fini(&doing);
    free(control);
    free(forgotten);
}

static void put_return(const struct spot *a)
{
    struct maker *k = a->k;
    const struct instance *i = &k->instances[a->instance];
    settled(a, FATE_CONTROL, NULL);
    if (!i->back) {
        put_end(a);
        return;
    }
    struct prose doing = { 0 };
    bool wanted = i->result && a->n->tree && !strcmp(i->result->op, "var")
        && (keeps_all(k) || look_up(k, vocabulary_used, i->caller, i->result->name));
    if (wanted) {
        char *to = kept_expression(k, i->caller, a->n, i->result), *value = kept_expression(k, a->instance, a->n, a->n->tree);
        prose_add(&doing, "%s = %s; ", to, value);
        free(to);
        free(value);
    }
    put(k, a->origin, "%s: %sgoto %s;", a->label, doing.text ? doing.text : "", i->back);
    prose_fini(&doing);
}

/* ---- statements ---- */

static bool sets_state(const struct spot *a)
{
    const struct tree *t = a->n->tree;
    const char *state = a->instance ? NULL : of(a->k)->state;
    return state && !strcmp(t->op, "=") && !strcmp(t->parts[0]->op, "var") && !strcmp(t->parts[0]->name, state)
        && look_only(t->parts[1], of(a->k)->event, state);
}

static void put_kept(const struct spot *a, enum fate fate)
{
    char *doing = kept_statement(a->k, a->instance, a->n);
    go(a, doing, a->n->next);
    settled(a, fate, doing);
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
    char *right = map_right(e, a->n->text, false), *doing = nothing ? prose_make("%s", "") : user_text(a->k, a->instance, right);
    go(a, doing, a->n->next);
    settled(a, FATE_MAPPED, right);
    free(doing);
    free(right);
}

static void put_do(const struct spot *a)
{
    struct map_entry *e = map_statement(&a->k->harness->map, a->n->text);
    if (e) {
        put_mapped(a, e);
    } else if (!strcmp(a->n->tree->op, "none")) {
        go(a, "skip; skip", a->n->next);         /* two: Spin refuses a step from a place to itself */
        settled(a, FATE_CONTROL, NULL);
    } else if (sets_state(a) || (keeps_all(a->k) && !call_in(a->n->tree, &(const struct tree *){ NULL }))) {
        put_kept(a, FATE_KEPT);
    } else if (!follow(a)) {
        if (keeps_all(a->k))
            put_kept(a, FATE_KEPT);
        else
            go(a, "", a->n->next);
        settled(a, FATE_LEFT_OUT, NULL);
    }
}

static void put_node(struct maker *k, int instance, int index)
{
    const struct function *f = k->instances[instance].function;
    struct spot a = { k, instance, index, f, &f->nodes[index], { ORIGIN_NODE, k->machine, f, index }, label(instance, index) };
    switch (a.n->kind) {
    case NODE_DO:     put_do(&a); break;
    case NODE_IF:     put_if(&a); break;
    case NODE_SWITCH: put_switch(&a); break;
    case NODE_RETURN: put_return(&a); break;
    default:
        go(&a, in_silent_ring(&a) ? "skip; skip" : "", a.n->next);
        settled(&a, FATE_CONTROL, NULL);
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

static void put_instance(struct maker *k, int instance)
{
    const struct function *f = k->instances[instance].function;
    bool *reached = memory_get((size_t)f->count * sizeof *reached);
    mark_reached(f, f->entry, reached);
    for (int i = 0; i < f->count && !k->bad; i++)
        if (reached[i])
            put_node(k, instance, i);
        else
            account(k, f, i, FATE_DEAD, NULL);
    free(reached);
}

/* ---- machines ---- */

static const struct function *routine(const struct maker *k)
{
    return machines_function(k->machines, of(k)->function);
}

static char *channel(const struct harness_machine *m, const char *index)
{
    return m->count > 1 ? prose_make("%s_in[%s]", m->name, index) : prose_make("%s_in", m->name);
}

static bool in_message(const struct variable_of *v)
{
    int length;
    return expression_type(v->type, &length) && !length;
}

static void put_wait(struct maker *k, const struct function *f)
{
    struct context c = { k, 0 };
    struct prose fields = { 0 };
    for (int i = 0; i < function_parameters(f); i++)
        if (in_message(&f->variables.items[i])) {
            const char *name = f->variables.items[i].name;
            bool used = (of(k)->event && !strcmp(name, of(k)->event)) || vocabulary_used(&k->names, k->machine, 0, f, name);
            prose_add(&fields, "%s%s", fields.length ? "," : "", used ? name_of(&c, name) : "_");
        }
    char *in = channel(of(k), "me"), *entry = label(0, f->entry);
    put(k, nowhere(), "waits:");
    put(k, (struct origin){ ORIGIN_WAIT, k->machine, f, 0 }, "end_waits: progress_waits: %s?%s; goto %s;", in,
        fields.length ? fields.text : "_", entry);
    prose_fini(&fields);
    free(in);
    free(entry);
}

static void put_machine(struct maker *k)
{
    const struct function *f = routine(k);
    for (int i = 0; i < k->count; i++)
        free(k->instances[i].back);
    k->count = 0;
    ARRAY_GROW(k->instances, k->count, k->room);
    k->instances[k->count++] = (struct instance){ .function = f, .caller = -1 };
    put(k, nowhere(), "proctype machine_%s(byte me)\n{", of(k)->name);
    char *declared = vocabulary_declare(&k->names, k->machine);
    if (*declared)
        put(k, nowhere(), "%s", declared);
    free(declared);
    put_wait(k, f);
    for (int i = 0; i < k->count && !k->bad; i++)
        put_instance(k, i);
    put(k, nowhere(), "}");
}

static void put_channel(struct maker *k)
{
    struct prose fields = { 0 };
    const struct function *f = routine(k);
    for (int i = 0; i < function_parameters(f); i++)
        if (in_message(&f->variables.items[i]))
            prose_add(&fields, "%sint", fields.length ? ", " : "");
    char count[16];
    snprintf(count, sizeof count, "%d", of(k)->count);
    char *name = channel(of(k), count);
    put(k, nowhere(), "chan %s = [%d] of { %s };", name, of(k)->queue, fields.length ? fields.text : "bit");
    prose_fini(&fields);
    free(name);
}

static void put_init(struct maker *k)
{
    put(k, nowhere(), "init\n{\n    atomic {");
    for (k->machine = 0; k->machine < k->harness->machines.count; k->machine++)
        for (int i = 0; i < of(k)->count; i++)
            put(k, nowhere(), "        run machine_%s(%d);", of(k)->name, i);
    put(k, nowhere(), "    }\n}");
}

/* A header that several sources include. */
static bool known_before(const struct machines *m, int constant)
{
    for (int i = 0; i < constant; i++)
        if (!strcmp(m->constants[i].name, m->constants[constant].name))
            return true;
    return false;
}

static void put_constants(struct maker *k)
{
    for (int i = 0; i < k->machines->constant_count; i++)
        if (!vocabulary_reserved(k->machines->constants[i].name) && !known_before(k->machines, i))
            put(k, nowhere(), "#define %s %lld", k->machines->constants[i].name, k->machines->constants[i].value);
}

static void put_all(struct maker *k)
{
    const struct harness *h = k->harness;
    put(k, nowhere(), "/* Made by verisoft extract. Change the sources, the map or the drivers, not this. */");
    put_constants(k);
    put(k, nowhere(), "c_decl { extern int vs_ignore, vs_on[], vs_off[]; extern int vs_unmet(int line, int state, int event); };");
    for (k->machine = 0; k->machine < h->machines.count; k->machine++)
        put_channel(k);
    char *channels = promela_links(k->machines, h, true);
    if (*channels)
        put(k, nowhere(), "%s", channels);
    free(channels);
    char *globals = vocabulary_declare(&k->names, -1);
    if (*globals)
        put(k, nowhere(), "%s", globals);
    free(globals);
    if (h->declarations)
        put(k, nowhere(), "%s", h->declarations);
    for (k->machine = 0; k->machine < h->machines.count && !k->bad; k->machine++)
        put_machine(k);
    char *links = promela_links(k->machines, h, false);
    char *driver = h->drivers ? prose_make("%s%s", links, h->drivers) : h->links.count ? prose_make("%s", links)
                 : promela_default_driver(k->machines, h);
    free(links);
    char *switched_driver = with_switch(driver);
    put(k, (struct origin){ .kind = ORIGIN_DRIVER }, "%s", switched_driver);
    free(switched_driver);
    free(driver);
    put_init(k);
}

/* ---- again, until no more variables turn out to be used ---- */

static void begin(struct maker *k)
{
    struct model *m = k->model;
    for (int i = 0; i < m->account_count; i++)
        free(m->accounts[i].how);
    for (int i = 0; i < k->harness->map.count; i++)
        k->harness->map.items[i].used = 0;
    m->account_count = 0;
    m->line_count = 0;
    prose_fini(&k->out);
    put(k, nowhere(), "%s", "");     /* line 0, which there is not */
    prose_fini(&k->out);
}

static void warn_of_changes(struct maker *k)
{
    for (int i = 0; i < k->model->account_count; i++) {
        const struct account *a = &k->model->accounts[i];
        const struct node *n = &a->function->nodes[a->node];
        bool field = false;
        const char *name = a->fate == FATE_LEFT_OUT && n->kind == NODE_DO && n->tree ? changes_what(n->tree, &field) : NULL;
        if (name && !field && vocabulary_used_anywhere(&k->names, a->function, name))
            changes_warn(k->model, n, name);
    }
}

static int find_parts(struct maker *k)
{
    for (k->machine = 0; k->machine < k->harness->machines.count; k->machine++) {
        struct harness_machine *m = of(k);
        const struct function *f = routine(k);
        if (!f)
            return fail(k->err, "%s:%d: machine %s: no function %s is defined in the sources", k->harness->file, m->line, m->name,
                        m->function);
        const char *event = look_event(f), *state = look_state(k->machines, f);
        if (m->event && !function_variable(f, m->event))
            return fail(k->err, "%s:%d: machine %s: %s has no parameter %s", k->harness->file, m->line, m->name, f->name, m->event);
        if (!m->event && event)
            m->event = prose_make("%s", event);
        if (!m->state && state)
            m->state = prose_make("%s", state);
    }
    return 0;
}

int promela_make(struct model *model, const struct machines *machines, struct harness *h, struct err *err)
{
    struct maker k = { .machines = machines, .harness = h, .model = model, .err = err };
    *model = (struct model){ 0 };
    if (!h->machines.count)
        return fail(err, "%s: the harness names no machine; write machine NAME function FUNCTION", h->file);
    k.silent = memory_get(((size_t)machines->count + 1) * sizeof *k.silent);
    for (int i = 0; i < machines->count; i++)
        k.silent[i] = memory_get((size_t)machines->functions[i].count * sizeof **k.silent);
    int bad = find_parts(&k);
    if (!bad)
        bad = vocabulary_start(&k.names, machines, h, err);
    while (!bad) {
        k.names.changed = false;
        begin(&k);
        put_all(&k);
        bad = k.bad ? -1 : 0;
        if (!k.names.changed)
            break;
    }
    if (!bad) {
        warn_of_changes(&k);
        vocabulary_tell(&k.names, model);
    }
    model->text = prose_take(&k.out);
    for (int i = 0; i < k.count; i++)
        free(k.instances[i].back);
    free(k.instances);
    for (int i = 0; i < machines->count; i++)
        free(k.silent[i]);
    free(k.silent);
    vocabulary_fini(&k.names);
    return bad;
}

void promela_fini(struct model *m)
{
    for (int i = 0; i < m->account_count; i++)
        free(m->accounts[i].how);
    for (int i = 0; i < m->warning_count; i++)
        free(m->warnings[i]);
    for (int i = 0; i < m->name_count; i++) {
        free(m->names[i].name);
        free(m->names[i].meaning);
    }
    free(m->names);
    free(m->warnings);
    free(m->accounts);
    free(m->origins);
    free(m->text);
    for (int i = 0; i < m->act_count; i++)
        free(m->acts[i].name);
    free(m->acts);
    free(m->c);
    free(m->header);
    *m = (struct model){ 0 };
}
