/* SPDX-License-Identifier: MIT */
#include "properties/templates.h"

#include "base/prose.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define X(name, parameters, formula, idle, meaning) { #name, parameters, formula, idle, meaning },
const struct template templates[TEMPLATE_COUNT] = { TEMPLATES(X) };
#undef X

#define X(name, parameters, formula, stops, meaning) { #name, parameters, formula, stops, meaning },
const struct scope scopes[SCOPE_COUNT] = { SCOPES(X) };
#undef X

/* ---- by name ---- */

#define X(...) + 1
static_assert(TEMPLATE_COUNT == 0 TEMPLATES(X) && SCOPE_COUNT == 0 SCOPES(X), "as many as the lists have");
#undef X

const struct template *template_find(const char *name, struct err *err)
{
    struct prose known = { 0 };
    const struct template *found = NULL;
    for (int i = 0; i < TEMPLATE_COUNT && !found; i++) {
        prose_add(&known, "%s%s", i ? ", " : "", templates[i].name);
        if (!strcmp(templates[i].name, name))
            found = &templates[i];
    }
    if (!found)
        fail(err, "there is no template '%s'; those that there are: %s", name, known.text);
    prose_fini(&known);
    return found;
}

const struct scope *scope_find(const char *name, struct err *err)
{
    struct prose known = { 0 };
    const struct scope *found = NULL;
    for (int i = 0; i < SCOPE_COUNT && !found; i++) {
        prose_add(&known, "%s%s", i ? ", " : "", scopes[i].name);
        if (!strcmp(scopes[i].name, name))
            found = &scopes[i];
    }
    if (!found)
        fail(err, "there is no scope '%s'; those that there are: %s", name, known.text);
    prose_fini(&known);
    return found;
}

/* ---- the formula ---- */

static uint32_t read(struct ltl *t, const char *text)
{
    uint32_t f = 0;
    int bad = ltl_parse(t, text, &f, NULL);
    assert(!bad);
    return f;
}

/* Of what `up_to` gives: is it never so in a state where r is? An until has been told to end before. */
static bool ends_before(const struct ltl *t, uint32_t f, uint32_t r)
{
    switch (ltl_operator(t, f)) {
    case LTL_UNTIL: return true;
    case LTL_NOT:   return ltl_left(t, f) == r;
    case LTL_AND:   return ends_before(t, ltl_left(t, f), r) || ends_before(t, ltl_right(t, f), r);
    default:        return false;
    }
}

static uint32_t before(struct ltl *t, uint32_t f, uint32_t r)
{
    return ends_before(t, f, r) ? f : ltl_make(t, LTL_AND, f, ltl_not(t, r));
}

/* a W b, stopped at r: what is weak until r already needs no r beside it. */
static uint32_t weak_until(struct ltl *t, uint32_t a, uint32_t b, uint32_t r)
{
    if (ltl_operator(t, b) == LTL_WEAK && ltl_right(t, b) == r)
        return ltl_make(t, LTL_WEAK, a, b);
    return ltl_make(t, LTL_WEAK, a, ltl_make(t, LTL_OR, b, r));
}

/* The formula, said of what comes before r alone. */
static uint32_t up_to(struct ltl *t, uint32_t f, uint32_t r)
{
    enum ltl_operator op = ltl_operator(t, f);
    int operands = ltl_about[op].operands;
    uint32_t a = operands > 0 ? up_to(t, ltl_left(t, f), r) : 0, b = operands > 1 ? up_to(t, ltl_right(t, f), r) : 0;
    switch (op) {
    case LTL_NEXT:       return ltl_make(t, LTL_NEXT, before(t, a, r), 0);
    case LTL_ALWAYS:     return ltl_make(t, LTL_WEAK, a, r);
    case LTL_EVENTUALLY: return ltl_make(t, LTL_UNTIL, ltl_not(t, r), before(t, a, r));
    case LTL_UNTIL:      return ltl_make(t, LTL_UNTIL, before(t, a, r), before(t, b, r));
    case LTL_WEAK:       return weak_until(t, a, b, r);
    case LTL_RELEASE:    return ltl_make(t, LTL_RELEASE, ltl_make(t, LTL_OR, a, r), ltl_make(t, LTL_OR, b, r));
    default:             return operands ? ltl_make(t, op, a, b) : f;
    }
}

/* A formula about a stretch, said of the scope's. */
static uint32_t in_scope(struct ltl *t, const char *text, const struct scope *scope)
{
    static const char *const names[] = { "it" };
    uint32_t it = read(t, text);
    if (scope->stops)
        it = up_to(t, it, ltl_symbol(t, "r"));
    return ltl_substitute(t, read(t, scope->formula), 1, names, &it);
}

uint32_t template_formula(struct ltl *t, const struct template *pattern, const struct scope *scope)
{
    return in_scope(t, pattern->formula, scope);
}

uint32_t template_idle(struct ltl *t, const struct template *pattern, const struct scope *scope)
{
    return in_scope(t, pattern->idle, scope);
}

/* ---- arguments ---- */

static int no_parameter(const struct template *pattern, const struct scope *scope, const char *wanted, char name, struct err *err)
{
    struct prose list = { 0 };
    for (const char *c = wanted; *c; c++)
        prose_add(&list, "%s%c", c == wanted ? "" : ", ", *c);
    int bad = fail(err, "%s %s has no parameter '%c'; it has %s", pattern->name, scope->name, name ? name : '?', list.text);
    prose_fini(&list);
    return bad;
}

static int check_argument(const struct template *pattern, const struct scope *scope, const char *wanted, const struct template_argument *all,
                          int which, struct err *err)
{
    char name = all[which].name;
    if (!name || !strchr(wanted, name))
        return no_parameter(pattern, scope, wanted, name, err);
    for (int i = 0; i < which; i++)
        if (all[i].name == name)
            return fail(err, "the argument %c is given twice", name);
    return 0;
}

static int check_missing(const struct template *pattern, const struct scope *scope, const char *wanted, const struct template_argument *all,
                         int count, struct err *err)
{
    for (; *wanted; wanted++) {
        int i = 0;
        while (i < count && all[i].name != *wanted)
            i++;
        if (i == count)
            return fail(err, "%s %s needs the argument %c: write %c=FORMULA", pattern->name, scope->name, *wanted, *wanted);
    }
    return 0;
}

static int read_argument(struct ltl *t, const struct template_argument *argument, uint32_t *formula, struct err *err)
{
    struct err inner = { .text = "" };
    if (ltl_parse(t, argument->text, formula, &inner))
        return fail(err, "the argument %c: %s", argument->name, inner.text);
    return 0;
}

/* The formula, whose symbols are parameters, with arguments in their place. */
static int fill_in(struct ltl *t, const struct template *pattern, const struct scope *scope, const struct template_argument *arguments,
                   int count, uint32_t *formula, struct err *err)
{
    char wanted[TEMPLATE_PARAMETERS + 1], names[TEMPLATE_PARAMETERS][2];
    const char *name[TEMPLATE_PARAMETERS];
    uint32_t by[TEMPLATE_PARAMETERS];
    int bad = 0;
    assert(strlen(pattern->parameters) + strlen(scope->parameters) <= TEMPLATE_PARAMETERS);
    strcpy(stpcpy(wanted, pattern->parameters), scope->parameters);
    for (int i = 0; i < count && !bad; i++)
        bad = check_argument(pattern, scope, wanted, arguments, i, err);
    if (!bad)
        bad = check_missing(pattern, scope, wanted, arguments, count, err);
    for (int i = 0; i < count && !bad; i++) {
        memcpy(names[i], (char[]){ arguments[i].name, '\0' }, 2);
        name[i] = names[i];
        bad = read_argument(t, &arguments[i], &by[i], err);
    }
    if (!bad)
        *formula = ltl_substitute(t, *formula, count, name, by);
    return bad;
}

int template_make(struct ltl *t, const struct template *pattern, const struct scope *scope, const struct template_argument *arguments, int count,
                  uint32_t *formula, struct err *err)
{
    uint32_t made = template_formula(t, pattern, scope);
    int bad = fill_in(t, pattern, scope, arguments, count, &made, err);
    if (!bad)
        *formula = made;
    return bad;
}

int template_make_idle(struct ltl *t, const struct template *pattern, const struct scope *scope, const struct template_argument *arguments,
                       int count, uint32_t *idle, struct err *err)
{
    uint32_t made = template_idle(t, pattern, scope);
    int bad = fill_in(t, pattern, scope, arguments, count, &made, err);
    if (!bad)
        *idle = made;
    return bad;
}
