/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "extractor/close.h"

#include "base/memory.h"
#include "base/prose.h"
#include "extractor/argument.h"
#include "extractor/spot.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* What is open: a variable of a function (NULL: a global), or what a function gives (variable NULL). By call: not its value, but what a function
 * gives that is known by it. */
struct open_one { const struct function *function; const char *variable; bool by_call; };
struct edit { size_t from, to; char *text; };            /* of the source: replaced by the text, which is owned */

struct close {
    const struct closing *c;
    struct open_one      *open;
    uint32_t              open_count, open_room;
    struct edit          *edits;
    uint32_t              edit_count, edit_room;
    struct prose          changes;
    bool                  grows;     /* something was found to be open in this round */
    struct err           *err;
    int                   failed;
};

/* ---- what is open ---- */

static bool is_input(const struct close *k, const char *name)
{
    for (int i = 0; i < k->c->input_count; i++)
        if (name && !strcmp(plain_name(name), k->c->inputs[i]))
            return true;
    return false;
}

static bool same(const char *a, const char *b) { return a == b || (a && b && !strcmp(a, b)); }

static const struct function *owner_of(const struct function *f, const char *variable)
{
    return f && function_variable(f, variable) ? f : NULL;
}

/* NULL: it is not. */
static struct open_one *find_open(const struct close *k, const struct function *f, const char *variable)
{
    const struct function *owner = variable ? owner_of(f, variable) : f;
    for (uint32_t i = 0; i < k->open_count; i++)
        if (k->open[i].function == owner && same(k->open[i].variable, variable))
            return &k->open[i];
    return NULL;
}

static bool is_open(const struct close *k, const struct function *f, const char *variable, bool value)
{
    const struct open_one *one = find_open(k, f, variable);
    return (variable && is_input(k, variable)) || (one && !(value && one->by_call));
}

static void open_as(struct close *k, const struct function *f, const char *variable, bool by_call)
{
    struct open_one *one = find_open(k, f, variable);
    if (is_open(k, f, variable, !by_call))
        return;
    k->grows = true;
    if (one) {
        one->by_call = by_call;
        return;
    }
    ARRAY_GROW(k->open, k->open_count, k->open_room);
    k->open[k->open_count++] = (struct open_one){ variable ? owner_of(f, variable) : f, variable, by_call };
}

static void open_up(struct close *k, const struct function *f, const char *variable) { open_as(k, f, variable, false); }

static const char *called(const struct tree *t)          /* by its name; NULL: it is no such call */
{
    return !strcmp(t->op, "call") && t->count && !strcmp(t->parts[0]->op, "fun") ? t->parts[0]->name : NULL;
}

/* Of assembly language, _Generic, va_arg and the like only the text is known: is something open in it? */
static bool is_open_in(const struct close *k, const struct function *f, const char *text)
{
    bool open = false;
    for (int i = 0; i < k->c->input_count; i++)
        open |= spot_mentions(text, k->c->inputs[i]);
    for (uint32_t i = 0; i < k->open_count; i++)
        open |= k->open[i].variable && (!k->open[i].function || k->open[i].function == f) && spot_mentions(text, plain_name(k->open[i].variable));
    return open;
}

/* Does the expression depend on the input: its value, or (not `value`) also what is called by it? */
static bool depends_so(const struct close *k, const struct function *f, const struct tree *t, bool value)
{
    if (!strcmp(t->op, "raw") && t->name && is_open_in(k, f, t->name))
        return true;
    if (!strcmp(t->op, "var"))
        return is_open(k, f, t->name, value);
    if (!strcmp(t->op, "fun") && machines_function(k->c->machines, t->name))     /* known by a pointer: what it gives, that pointer has */
        return !value && is_open(k, machines_function(k->c->machines, t->name), NULL, false);
    const char *name = called(t);
    const struct function *own = name ? machines_function(k->c->machines, name) : NULL;
    if (name && is_input(k, name))
        return true;
    if (own)
        return is_open(k, own, NULL, value);
    for (int i = 0; i < t->count; i++)
        if (depends_so(k, f, t->parts[i], value && strcmp(t->op, "call")))
            return true;
    return false;
}

static bool depends(const struct close *k, const struct function *f, const struct tree *t) { return depends_so(k, f, t, false); }

/* The variable gets that value. */
static void open_by(struct close *k, const struct function *owner, const char *variable, const struct function *f, const struct tree *value)
{
    if (depends(k, f, value))
        open_as(k, owner, variable, !depends_so(k, f, value, true));
}

/* ---- where it goes ---- */

static void refuse(struct close *k, const struct node *n, const char *why)
{
    if (!k->failed)
        k->failed = fail(k->err, "%s:%d: %s: cannot be closed: %s", n->place.file, n->place.line, n->text ? n->text : "", why);
}

static bool assigns(const struct tree *t)
{
    size_t length = strlen(t->op);
    static const char *const compare[] = { "==", "!=", "<=", ">=" };
    for (size_t i = 0; i < sizeof compare / sizeof *compare; i++)
        if (!strcmp(t->op, compare[i]))
            return false;
    return t->count == 2 && t->op[length - 1] == '=';
}

/* What an input function is given the address of comes from the environment, too. */
static void open_addresses(struct close *k, const struct function *f, const struct tree *call, const struct node *n)
{
    for (int i = 1; i < call->count; i++) {
        bool address;
        const char *variable = argument_addressed(call->parts[i], &address);
        if (!address || argument_is_text(call->parts[i]) || argument_read_only(call, i))
            continue;
        if (variable)
            open_up(k, f, variable);
        else
            refuse(k, n, "what the input goes to is behind a pointer");
    }
}

/* A function that no source has was given what is open: whatever else it is given the address of may have it from there, and who it may call. */
static void open_given(struct close *k, const struct function *f, const struct tree *call, const struct node *n)
{
    const struct function *own;
    for (int i = 1; i < call->count; i++) {
        const struct tree *a = call->parts[i];
        bool address;
        const char *variable = argument_addressed(a, &address);
        while (!strcmp(a->op, "cast") && a->count)
            a = a->parts[0];
        if (!strcmp(a->op, "fun") && (own = machines_function(k->c->machines, a->name)))
            for (int p = 0; p < function_parameters(own); p++)
                open_up(k, own, own->variables.items[p].name);
        else if (!address || argument_is_text(a) || !argument_written(call, i) || depends(k, f, a))
            continue;
        else if (variable)
            open_up(k, f, variable);
        else
            refuse(k, n, "what a function does with it, of which there is no source, may go behind a pointer");
    }
}

static bool is_assertion(const char *name)
{
    static const char *const names[] = { "VS_assert_at", "VS_assert", "VS_abort_at", "VS_abort", "__assert_fail" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

/* One of any number of arguments: the function comes to it by its va_list. */
static void open_list(struct close *k, const struct function *own)
{
    for (int i = 0; i < own->variables.count; i++)
        if (strstr(own->variables.items[i].type, "va_list"))
            open_up(k, own, own->variables.items[i].name);
}

/* va_start and va_end say nothing of what is in the list. */
static bool is_about_list(const char *name) { return name && (!strcmp(name, "__builtin_va_start") || !strcmp(name, "__builtin_va_end")); }

static void pass_arguments(struct close *k, const struct function *f, const struct tree *call, const struct node *n)
{
    const char *name = called(call);
    const struct function *own = name ? machines_function(k->c->machines, name) : NULL;
    for (int i = 1; i < call->count && name; i++) {
        if (is_about_list(name) || !depends(k, f, call->parts[i]))
            continue;
        if (own && i - 1 < function_parameters(own))
            open_by(k, own, own->variables.items[i - 1].name, f, call->parts[i]);
        else if (own)
            open_list(k, own);
        else if (is_assertion(name))
            refuse(k, n, "an assertion about the input");
        else if (!own)
            open_given(k, f, call, n);
    }
    if (!name && depends_so(k, f, call->parts[0], true))
        refuse(k, n, "which function is called depends on the input: write it as a switch");
    if (!name)
        for (int i = 1; i < call->count; i++)
            if (depends(k, f, call->parts[i]))
                refuse(k, n, "it is given to a function that is known by a pointer alone");
}

static bool steps(const struct tree *t) { return strstr(t->op, "++") || strstr(t->op, "--"); }

/* Is nothing done by it, but that the input is asked? */
static bool is_idle(const struct close *k, const struct tree *t)
{
    if ((!strcmp(t->op, "call") && !(called(t) && is_input(k, called(t)))) || assigns(t) || steps(t))
        return false;
    for (int i = 0; i < t->count; i++)
        if (!is_idle(k, t->parts[i]))
            return false;
    return true;
}

/* a && f(), a ? f() : g(): whether something is done depends on the input, and is no choice that could become a toss. */
static void follow_short(struct close *k, const struct function *f, const struct tree *t, const struct node *n)
{
    bool decides = !strcmp(t->op, "&&") || !strcmp(t->op, "||") || !strcmp(t->op, "?") || !strcmp(t->op, "?:");
    for (int i = 1; decides && i < t->count && depends(k, f, t->parts[0]); i++)
        if (!is_idle(k, t->parts[i]))
            refuse(k, n, "whether a part of it is done depends on the input: write it as an if");
}

/* Which element, or what behind a pointer, is changed may depend on the input: then all of it does. */
static void follow_place(struct close *k, const struct function *f, const struct tree *to, const struct node *n)
{
    const char *variable = argument_target(to);
    for (const struct tree *t = to; variable && t->count; t = t->parts[0])
        if (!strcmp(t->op, "[]") && depends(k, f, t->parts[1]))
            open_up(k, f, variable);
    if (!variable && depends(k, f, to))
        refuse(k, n, "it is changed behind a pointer, and where may depend on the input");
}

static void follow(struct close *k, const struct function *f, const struct tree *t, const struct node *n)
{
    bool calls = !strcmp(t->op, "call");
    for (int i = 0; i < t->count; i++) {
        follow(k, f, t->parts[i], n);
        if (!strcmp(t->parts[i]->op, "fun") && is_input(k, t->parts[i]->name) && !(calls && i == 0))
            refuse(k, n, "the input becomes known by a pointer");
    }
    follow_short(k, f, t, n);
    if (assigns(t) || steps(t))
        follow_place(k, f, t->parts[0], n);
    if (calls) {
        if (called(t) && is_input(k, called(t)))
            open_addresses(k, f, t, n);
        else
            pass_arguments(k, f, t, n);
    }
    if (!assigns(t) || !depends(k, f, t->parts[1]))
        return;
    const char *variable = argument_target(t->parts[0]);
    if (variable)
        open_by(k, f, variable, f, t->parts[1]);
    else
        refuse(k, n, "it goes behind a pointer");
}

/* Of variables that have a first value without a statement. */
static void follow_values(struct close *k, const struct function *f, const struct variables_of *all)
{
    for (int i = 0; i < all->count; i++) {
        const struct variable_of *v = &all->items[i];
        const struct node n = { .place = v->place, .text = v->text };
        if (!v->value)
            continue;
        follow(k, f, v->value, &n);
        if (!strcmp(v->value->op, "fun") && is_input(k, v->value->name))
            refuse(k, &n, "the input becomes known by a pointer");
        open_by(k, f, v->name, f, v->value);
    }
}

static void follow_function(struct close *k, const struct function *f)
{
    follow_values(k, f, &f->variables);
    for (int i = 0; i < f->count; i++) {
        const struct node *n = &f->nodes[i];
        if (!n->tree)
            continue;
        follow(k, f, n->tree, n);
        if (n->kind == NODE_RETURN)
            open_by(k, f, NULL, f, n->tree);
    }
}

/* ---- the source ---- */

static bool was_edited(const struct close *k, size_t at)
{
    for (uint32_t i = 0; i < k->edit_count; i++)
        if (at >= k->edits[i].from && at < k->edits[i].to)
            return true;
    return false;
}

static void edit(struct close *k, size_t from, size_t to, char *text)
{
    if (was_edited(k, from)) {
        free(text);
        return;                      /* two nodes of one place */
    }
    ARRAY_GROW(k->edits, k->edit_count, k->edit_room);
    k->edits[k->edit_count++] = (struct edit){ from, to, text };
}

static void note(struct close *k, const struct node *n, size_t from, size_t to, const char *now)
{
    prose_add(&k->changes, "%s:%d: ", n->place.file, n->place.line);
    for (size_t i = from; i < to; i++)
        prose_add(&k->changes, "%c", k->c->source[i] == '\n' ? ' ' : k->c->source[i]);
    prose_add(&k->changes, "  ->  %s\n", now);
}

/* ---- choices ---- */

/* Nothing but what is open may be changed by what is taken out. */
static bool is_pure(const struct close *k, const struct function *f, const struct tree *t)
{
    const char *name = called(t);
    if (!strcmp(t->op, "call") && !(name && is_input(k, name)) && !(name && machines_function(k->c->machines, name) == NULL && depends(k, f, t)))
        return false;
    if ((assigns(t) || steps(t)) && !(argument_target(t->parts[0]) && is_open(k, f, argument_target(t->parts[0]), false)))
        return false;
    for (int i = 0; i < t->count; i++)
        if (!is_pure(k, f, t->parts[i]))
            return false;
    return true;
}

static long long other_value(const struct node *n)       /* that no case has */
{
    long long value = 0;
    for (int i = 0; i < n->way_count; i++)
        if (!n->ways[i].fallback && n->ways[i].high >= value)
            value = n->ways[i].high + 1;
    return value;
}

static char *toss_of(const struct node *n)
{
    struct prose w = { 0 };
    if (n->kind == NODE_IF)
        return prose_make("VS_toss(1)");
    prose_add(&w, "((long long[]){ ");
    for (int i = 0; i + 1 < n->way_count; i++)
        prose_add(&w, "%lld, ", n->ways[i].low);
    prose_add(&w, "%lld }[VS_toss(%d)])", other_value(n), n->way_count - 1);
    return prose_take(&w);
}

/* The only one in its line that is so much like it, and is still there. */
static size_t only_choice(const struct close *k, const struct node *n, enum spot_likeness least)
{
    const char *s = k->c->source;
    size_t at = spot_line(s, n->place.line), end = at + strcspn(s + at, "\n"), found = SPOT_NONE;
    for (; at < end; at = spot_skip(s, at))
        if (spot_choice(s, at, n->text) >= least && !was_edited(k, at)) {
            if (found != SPOT_NONE)
                return SPOT_NONE;
            found = at;
        }
    return found;
}

/* SPOT_NONE: it cannot be told. */
static size_t place_of_choice(const struct close *k, const struct node *n)
{
    const char *s = k->c->source;
    size_t at = spot_of(s, n->place);
    if (n->kind == NODE_SWITCH)
        at = spot_switched(s, at);
    size_t same = spot_choice(s, at, n->text) == SPOT_SAME ? at : only_choice(k, n, SPOT_SAME);
    if (same != SPOT_NONE)
        return same;
    return spot_choice(s, at, n->text) == SPOT_ALIKE ? at : only_choice(k, n, SPOT_ALIKE);
}

static void close_choice(struct close *k, const struct function *f, const struct node *n)
{
    const char *s = k->c->source;
    size_t at = place_of_choice(k, n);
    if (at == SPOT_NONE) {
        refuse(k, n, "the choice stands in a macro, or beside one: put it into a line of its own");
        return;
    }
    if (!is_pure(k, f, n->tree)) {
        refuse(k, n, "the choice calls a function of the program, or changes what does not depend on the input: take that out of it");
        return;
    }
    char *toss = toss_of(n);
    note(k, n, at, spot_end(s, at), toss);
    edit(k, at, spot_end(s, at), toss);
}

/* ---- input ---- */

/* The next call of it that is still there, from there to that end. */
static size_t find_call(const struct close *k, size_t at, size_t end, const char *name)
{
    while ((at = spot_call(k->c->source, at, end, name)) != SPOT_NONE && was_edited(k, at))
        at++;
    return at;
}

/* In its statement; or the only one in its line, where macros have moved it. */
static size_t place_of_input(const struct close *k, const struct node *n, const char *name)
{
    const char *s = k->c->source;
    size_t at = spot_of(s, n->place), found = find_call(k, at, spot_end(s, at), name);
    if (found != SPOT_NONE)
        return found;
    at = spot_line(s, n->place.line);
    size_t end = at + strcspn(s + at, "\n");
    found = find_call(k, at, end, name);
    return found != SPOT_NONE && find_call(k, found + 1, end, name) != SPOT_NONE ? SPOT_NONE : found;
}

static void close_input(struct close *k, const struct tree *t, const struct node *n)
{
    for (int i = 0; i < t->count; i++)
        close_input(k, t->parts[i], n);
    if (!called(t) || !is_input(k, called(t)))
        return;
    const char *s = k->c->source, *name = plain_name(called(t));
    size_t at = place_of_input(k, n, name);
    if (at == SPOT_NONE) {
        refuse(k, n, "the input stands in a macro, or beside one: put it into a line of its own");
        return;
    }
    size_t open = at + strlen(name) + strspn(s + at + strlen(name), " \t\n"), end = spot_end(s, open + 1) + 1;
    bool nothing = !strcmp(t->type, "void");
    note(k, n, at, end, nothing ? "(void)0" : "0");
    edit(k, at, end, prose_make("%s", nothing ? "((void)0)" : "0"));
}

/* What a function that no source has is given instead of the input. */
static void tell_given(struct close *k, const struct function *f, const struct tree *t, const struct node *n)
{
    const char *name = called(t);
    for (int i = 0; i < t->count; i++)
        tell_given(k, f, t->parts[i], n);
    for (int i = 1; i < t->count && name && !is_about_list(name) && !is_input(k, name) && !machines_function(k->c->machines, name); i++)
        if (depends(k, f, t->parts[i])) {
            prose_add(&k->changes, "%s:%d: note: %s() is given something made up, where it was given what depends on the input\n", n->place.file,
                      n->place.line, name);
            return;
        }
}

/* ---- what is not looked into ---- */

/* What assembly language changes is not known, and an input that stands in such text is not found. */
static void refuse_raw(struct close *k, const struct function *f, const struct tree *t, const struct node *n, bool all)
{
    bool open = false;
    for (int i = 0; i < t->count; i++)
        refuse_raw(k, f, t->parts[i], n, false);
    if (strcmp(t->op, "raw") || !n->text)
        return;
    for (int i = 0; i < k->c->input_count; i++)
        open |= spot_mentions(n->text, k->c->inputs[i]);
    if (open || (all && is_open_in(k, f, n->text)))
        refuse(k, n, "what depends on the input stands in what is not looked into");
}

/* What is made up in its place is 0 first of all. */
static void refuse_divisor(struct close *k, const struct function *f, const struct tree *t, const struct node *n)
{
    for (int i = 0; i < t->count; i++)
        refuse_divisor(k, f, t->parts[i], n);
    if (t->count == 2 && strchr("/%", t->op[0]) && depends(k, f, t->parts[1]))
        refuse(k, n, "it divides by what depends on the input, in whose place there would be 0");
}

static bool calls_input(const struct close *k, const struct tree *t)
{
    bool does = called(t) && is_input(k, called(t));
    for (int i = 0; i < t->count && !does; i++)
        does = calls_input(k, t->parts[i]);
    return does;
}

static void close_node(struct close *k, const struct function *f, const struct node *n)
{
    if (!n->tree || !n->place.file)
        return;
    bool choice = n->kind == NODE_IF || n->kind == NODE_SWITCH;
    bool open = choice && depends(k, f, n->tree);
    refuse_raw(k, f, n->tree, n, true);
    if (strcmp(n->place.file, k->c->file)) {
        if (open || calls_input(k, n->tree))
            refuse(k, n, "it stands in another file; one at a time is closed");
        return;
    }
    if (open) {
        close_choice(k, f, n);
        return;
    }
    refuse_divisor(k, f, n->tree, n);
    close_input(k, n->tree, n);
    tell_given(k, f, n->tree, n);
}

/* ---- the whole ---- */

static int by_place(const void *a, const void *b)
{
    const struct edit *x = a, *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

static char *apply(struct close *k)
{
    struct prose w = { 0 };
    size_t at = 0;
    const char *s = k->c->source;
    if (k->edit_count)
        qsort(k->edits, k->edit_count, sizeof *k->edits, by_place);
    if (k->edit_count && !strstr(s, "verisoft.h"))
        prose_add(&w, "#include \"verisoft.h\"\n#line 1 \"%s\"\n", k->c->file);
    for (uint32_t i = 0; i < k->edit_count; i++) {
        assert(k->edits[i].from >= at && k->edits[i].to >= k->edits[i].from);
        prose_add(&w, "%.*s%s", (int)(k->edits[i].from - at), s + at, k->edits[i].text);
        for (size_t c = k->edits[i].from; c < k->edits[i].to; c++)       /* lines stay where they are */
            if (s[c] == '\n')
                prose_add(&w, "\n");
        at = k->edits[i].to;
    }
    prose_add(&w, "%s", s + at);
    return prose_take(&w);
}

static void find_inputs(struct close *k)
{
    const struct machines *m = k->c->machines;
    for (int i = 0; i < k->c->input_count && !k->failed; i++) {
        bool found = false;
        for (int g = 0; g < m->globals.count; g++)
            found |= !strcmp(plain_name(m->globals.items[g].name), k->c->inputs[i]);
        for (int f = 0; f < m->count && !found; f++)
            found = function_variable(&m->functions[f], k->c->inputs[i]);
        found |= !!strstr(k->c->source, k->c->inputs[i]) && !machines_function(m, k->c->inputs[i]);
        if (!found)
            k->failed = fail(k->err, "--input %s: %s has no such variable, and calls no such function that is not its own", k->c->inputs[i], k->c->file);
    }
}

int close_program(const struct closing *c, char **closed, char **changes, struct err *err)
{
    struct close k = { .c = c, .err = err, .grows = true };
    find_inputs(&k);
    while (k.grows && !k.failed) {
        k.grows = false;
        follow_values(&k, NULL, &c->machines->globals);
        for (int i = 0; i < c->machines->count; i++)
            follow_function(&k, &c->machines->functions[i]);
    }
    for (int i = 0; i < c->machines->count && !k.failed; i++)
        for (int n = 0; n < c->machines->functions[i].count; n++)
            close_node(&k, &c->machines->functions[i], &c->machines->functions[i].nodes[n]);
    if (!k.edit_count && !k.failed)
        prose_add(&k.changes, "note: nothing was changed: %s has no choice that depends on it\n", c->file);
    *closed = k.failed ? NULL : apply(&k);
    *changes = prose_take(&k.changes);
    for (uint32_t i = 0; i < k.edit_count; i++)
        free(k.edits[i].text);
    free(k.edits);
    free(k.open);
    return k.failed;
}
