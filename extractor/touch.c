/* SPDX-License-Identifier: MIT */
#include "extractor/touch.h"

#include "base/memory.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is(const struct tree *t, const char *op) { return !strcmp(t->op, op); }
static bool begins(const char *text, const char *with) { return !strncmp(text, with, strlen(with)); }

static void visit(struct touches *, const struct function *, const struct tree *);

/* ---- kinds ---- */

static const char *bare(const char *type)
{
    static const char *const words[] = { "const ", "volatile ", "_Atomic ", "restrict " };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (begins(type, words[i]))
            return bare(type + strlen(words[i]));
    return type;
}

static bool is_array(const struct tree *t) { return strchr(t->type, '[') && !strchr(t->type, '('); }
static bool is_pointer(const struct tree *t) { return strchr(t->type, '*') && !is_array(t); }

/* `alone`: behind a pointer and of no field, where a char may be a part of anything. */
static char kind_of(const char *type, bool alone)
{
    static const char *const system[] = { "pthread_", "union pthread_attr_t", "sem_t", "union sem_t", "mtx_t", "cnd_t", "once_flag", "struct timespec" };
    static const char *const integers[] = { "int", "short", "long", "unsigned int", "unsigned short", "unsigned long", "enum ", "_Bool", "signed", "__int128" };
    static const char *const letters[] = { "char", "unsigned char", "signed char" };
    type = bare(type);
    if (strchr(type, '('))
        return begins(type, "_Atomic") ? '*' : 'p';
    if (strchr(type, '*'))
        return 'p';
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (begins(type, letters[i]))
            return alone ? '*' : 'i';
    for (size_t i = 0; i < sizeof system / sizeof *system; i++)
        if (begins(type, system[i]))
            return 'o';
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++)
        if (begins(type, integers[i]))
            return 'i';
    return begins(type, "float") || begins(type, "double") ? 'f' : '*';
}

/* ---- adding ---- */

static bool same(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

void touch_add(struct touches *all, struct touch t)
{
    if (all->only_exposes && t.how != TOUCH_EXPOSES)
        return;
    for (int i = 0; i < all->count; i++) {
        const struct touch *o = &all->items[i];
        if (o->how == t.how && o->function == t.function && o->kind == t.kind && same(o->variable, t.variable) && same(o->field, t.field))
            return;
    }
    ARRAY_GROW(all->items, all->count, all->room);
    all->items[all->count++] = t;
}

/* A routine's field, x->timer.kind (fields.h), lies behind a pointer. */
static void add_variable(struct touches *all, const struct function *f, struct touch t)
{
    const char *behind = strstr(t.variable, "->"), *last = behind ? strrchr(behind, '.') : NULL;
    t.function = f && function_variable(f, t.variable) ? f : NULL;
    if (behind && !t.field)
        t.field = last ? last + 1 : behind + 2;
    if (behind)
        t.variable = NULL, t.function = NULL;
    touch_add(all, t);
}

/* ---- lvalues ---- */

static bool is_lvalue(const struct tree *t)
{
    return is(t, "var") || is(t, ".") || is(t, "->") || is(t, "[]") || is(t, "pre*");
}

/* Is there a union on the way, whose fields are one memory? */
static bool in_union(const struct touches *all, const struct tree *t)
{
    for (; t->count && (is(t, ".") || is(t, "->") || is(t, "[]")); t = t->parts[0])
        if (!is(t, "[]") && machines_is_joined(all->machines, t->name))
            return true;
    return false;
}

/* The lvalue itself; `whole`: of a call that was given its address, which may go on behind it. */
static void touch_lvalue(struct touches *all, const struct function *f, const struct tree *t, enum touch_how how, bool whole)
{
    struct touch to = { .how = how };
    const struct tree *root = t;
    bool joined = in_union(all, t);
    while (root->count && (is(root, ".") || (is(root, "[]") && is_array(root->parts[0])) || is(root, "cast"))) {
        if (is(root, ".") && !to.field)
            to.field = root->name;
        root = root->parts[0];
    }
    if (is(root, "->") && !to.field)
        to.field = root->name;
    to.kind = kind_of(t->type, !is(root, "var") && !to.field);
    if (joined || (whole && to.kind != 'o')) {
        to.field = NULL;
        to.kind = '*';
    }
    to.variable = is(root, "var") ? root->name : NULL;
    if (to.variable)
        add_variable(all, f, to);
    else if (is_lvalue(root) || is(root, "call"))
        touch_add(all, to);
}

/* What is read on the way to an lvalue: pointers and indices. */
static void visit_way(struct touches *all, const struct function *f, const struct tree *t)
{
    if (is(t, ".") || (is(t, "[]") && is_array(t->parts[0])) || is(t, "cast")) {
        if (is_lvalue(t->parts[0]))
            visit_way(all, f, t->parts[0]);
        else
            visit(all, f, t->parts[0]);
        for (int i = 1; i < t->count; i++)
            visit(all, f, t->parts[i]);
    } else if (!is(t, "var"))
        for (int i = 0; i < t->count; i++)
            visit(all, f, t->parts[i]);
}

static void visit_lvalue(struct touches *all, const struct function *f, const struct tree *t, enum touch_how how)
{
    touch_lvalue(all, f, t, how, false);
    visit_way(all, f, t);
}

/* ---- calls ---- */

static const struct tree *without_casts(const struct tree *t)
{
    while (t->count == 1 && (is(t, "cast") || is(t, "pre__extension__")))
        t = t->parts[0];
    return t;
}

/* Does parameter `which`, from 1, of a function of this type point to what it leaves as it is? */
static bool is_constant(const char *type, int which)
{
    int depth = 0;
    for (const char *at = strchr(type, '('); at && *at; at++) {
        depth += (*at == '(') - (*at == ')');
        which -= depth == 1 && (*at == '(' || *at == ',');
        if (!which)
            return begins(at + 1 + strspn(at + 1, " "), "const ");
    }
    return false;
}

static char kind_behind(const char *type)
{
    char pointee[64];
    const char *star = strrchr(type, '*');
    snprintf(pointee, sizeof pointee, "%.*s", (int)(star - type), type);
    return strlen(pointee) + 1 < sizeof pointee ? kind_of(pointee, true) : '*';
}

/* What lies behind a pointer that something outside of the program is given. */
static void behind(struct touches *all, const struct function *f, const struct tree *argument, bool constant, bool pointers)
{
    const struct tree *t = without_casts(argument), *to = is(t, "pre&") && t->count ? t->parts[0] : is_array(t) ? t : NULL;
    if (to ? !is_lvalue(to) : !pointers || !is_pointer(t) || strstr(t->type, "_IO_FILE"))
        return;
    for (int how = TOUCH_READS; how <= (constant ? TOUCH_READS : TOUCH_CHANGES); how++)
        if (to)
            touch_lvalue(all, f, to, (enum touch_how)how, true);
        else
            touch_add(all, (struct touch){ .how = (enum touch_how)how, .kind = kind_behind(t->type) });
}

static void follow(struct touches *all, int callee)
{
    const struct function *f = &all->machines->functions[callee];
    if (!all->followed)
        all->followed = memory_get(((size_t)all->machines->count + 1) * sizeof *all->followed);
    if (all->followed[callee])
        return;
    all->followed[callee] = true;
    for (int n = 0; n < f->count; n++)
        if (f->nodes[n].tree)
            visit(all, f, f->nodes[n].tree);
}

/* Of functions that no source has, those that only write out what they are given, or pass it on. */
static bool leaves_alone(const char *name)
{
    static const char *const names[] = { "pthread_create", "thrd_create", "__assert_fail", "printf", "fprintf", "vprintf", "puts", "fputs", "perror",
                                         "__printf_chk", "__fprintf_chk", "VS_print", "free" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

/* Is it a value somewhere, so that a call through a pointer may be of it? */
static bool is_value(const struct tree *t, const char *function)
{
    for (int i = 0; i < t->count; i++)
        if (is(t->parts[i], "fun") ? (i || !is(t, "call")) && !strcmp(t->parts[i]->name, function) : is_value(t->parts[i], function))
            return true;
    return false;
}

static bool has_address(const struct machines *m, const char *function)
{
    for (int g = 0; g < m->globals.count; g++)
        if (m->globals.items[g].value && is_value(m->globals.items[g].value, function))
            return true;
    for (int f = 0; f < m->count; f++)
        for (int n = 0; n < m->functions[f].count; n++)
            if (m->functions[f].nodes[n].tree && is_value(m->functions[f].nodes[n].tree, function))
                return true;
    return false;
}

static void visit_call(struct touches *all, const struct function *f, const struct tree *t)
{
    const char *name = is(t->parts[0], "fun") ? t->parts[0]->name : NULL;
    const struct function *callee = name ? machines_function(all->machines, name) : NULL;
    bool pointers = all->pointers || (name && (begins(name, "mem") || begins(name, "str")));
    for (int i = name ? 1 : 0; i < t->count; i++)
        visit(all, f, t->parts[i]);
    for (int i = 1; !callee && i < t->count; i++)
        if (!name || !leaves_alone(name) || (i == 1 && strstr(name, "_create")))
            behind(all, f, t->parts[i], name && is_constant(t->parts[0]->type, i), pointers);
    for (int i = 0; all->calls && (callee || !name) && i < all->machines->count; i++)
        if (callee ? callee == &all->machines->functions[i] : has_address(all->machines, all->machines->functions[i].name))
            follow(all, i);
}

/* ---- all ---- */

static bool assigns(const struct tree *t)
{
    return t->count && (strstr(t->op, "++") || strstr(t->op, "--") || (t->op[strlen(t->op) - 1] == '=' && !is(t, "==") && !is(t, "!=") && !is(t, "<=")
                                                                       && !is(t, ">=")));
}

static void visit_assignment(struct touches *all, const struct function *f, const struct tree *t)
{
    visit_lvalue(all, f, t->parts[0], TOUCH_CHANGES);
    if (!is(t, "="))
        touch_lvalue(all, f, t->parts[0], TOUCH_READS, false);
    for (int i = 1; i < t->count; i++)
        visit(all, f, t->parts[i]);
}

static void visit(struct touches *all, const struct function *f, const struct tree *t)
{
    if (assigns(t)) {
        visit_assignment(all, f, t);
    } else if (is(t, "pre&") && t->count && is_lvalue(t->parts[0])) {
        visit_lvalue(all, f, t->parts[0], TOUCH_EXPOSES);
    } else if (is_lvalue(t)) {
        visit_lvalue(all, f, t, is_array(t) ? TOUCH_EXPOSES : TOUCH_READS);
    } else if (is(t, "call") && t->count) {
        visit_call(all, f, t);
    } else if (is(t, "raw")) {
        touch_words(all, f, TOUCH_READS, t->name ? t->name : "");
        touch_words(all, f, TOUCH_CHANGES, t->name ? t->name : "");
    } else
        for (int i = 0; i < t->count; i++) {
            visit(all, f, t->parts[i]);
            if (is(t, "atomic"))
                behind(all, f, t->parts[i], t->name && strstr(t->name, "load"), true);
        }
}

void touch_find(struct touches *all, const struct function *f, const struct tree *t)
{
    visit(all, f, t);
}

static const char *known(const struct touches *all, const struct function *f, const char *word, size_t length)
{
    for (int i = 0; f && i < f->variables.count; i++)
        if (strlen(f->variables.items[i].name) == length && !strncmp(f->variables.items[i].name, word, length))
            return f->variables.items[i].name;
    for (int i = 0; i < all->machines->globals.count; i++) {
        const char *name = all->machines->globals.items[i].name, *plain = plain_name(name);
        if (strlen(plain) == length && !strncmp(plain, word, length))
            return name;
    }
    return NULL;
}

void touch_words(struct touches *all, const struct function *f, enum touch_how how, const char *text)
{
    if (strstr(text, "->") || strchr(text, '*') || strchr(text, '['))
        touch_add(all, (struct touch){ .how = how, .kind = '*' });
    while (*text) {
        size_t length = 0;
        while (isalnum((unsigned char)text[length]) || text[length] == '_')
            length++;
        const char *name = length ? known(all, f, text, length) : NULL;
        if (name)
            add_variable(all, f, (struct touch){ .how = how, .variable = name, .kind = '*' });
        text += length ? length : 1;
    }
}

struct touch touch_of(const struct function *f, const struct variable_of *v)
{
    struct touches one = { 0 };
    const char *bracket = strchr(v->type, '[');
    struct touch t = { .how = TOUCH_READS, .variable = v->name, .kind = bracket && strchr(v->type, '*') ? 'p' : kind_of(v->type, false) };
    add_variable(&one, f, t);
    t = one.items[0];
    touch_fini(&one);
    return t;
}

void touch_fini(struct touches *all)
{
    free(all->items);
    free(all->followed);
    *all = (struct touches){ 0 };
}

/* ---- meeting ---- */

static bool is_exposed(const struct touch *t, const struct touches *exposed)
{
    if (exposed->records && (t->field || t->kind == '*'))
        return true;
    for (int i = 0; i < exposed->count; i++) {
        const struct touch *e = &exposed->items[i];
        if (e->how == TOUCH_EXPOSES && e->variable && e->function == t->function && !strcmp(e->variable, t->variable))
            return true;
    }
    return false;
}

bool touch_meet(const struct touch *a, const struct touch *b, const struct touches *exposed)
{
    if (a->kind != b->kind && a->kind != '*' && b->kind != '*')
        return false;
    if (a->field && b->field && a->kind != '*' && b->kind != '*' && strcmp(a->field, b->field))
        return false;
    if (a->variable && b->variable)
        return a->function == b->function && !strcmp(a->variable, b->variable);
    return !(a->variable || b->variable) || is_exposed(a->variable ? a : b, exposed);
}
