/* SPDX-License-Identifier: MIT */
#include "extractor/expression.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- types ---- */

/* `cut` makes an int fit: a format with two %s for what is stored, or NULL where Promela cuts it itself. */
static const struct type { const char *c, *promela, *before, *behind; } types[] = {
    { "int",            "int",   NULL, NULL },
    { "short",          "short", "((((", ")+32768)&65535)-32768)" },
    { "unsigned char",  "byte",  "((", ")&255)" },
    { "_Bool",          "bool",  "((", ")!=0)" },
    { "char",           "short", "((((", ")+128)&255)-128)" },
    { "signed char",    "short", "((((", ")+128)&255)-128)" },
    { "unsigned short", "int",   "((", ")&65535)" },
};

static const struct type *find_type(const char *c, size_t length)
{
    if (length > 5 && !strncmp(c, "enum ", 5))
        return &types[0];
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strlen(types[i].c) == length && !strncmp(types[i].c, c, length))
            return &types[i];
    return NULL;
}

static const char *unqualified(const char *c)
{
    for (;;) {
        if (!strncmp(c, "const ", 6))         c += 6;
        else if (!strncmp(c, "volatile ", 9)) c += 9;
        else return c;
    }
}

static const struct type *scalar(const char *c)
{
    c = unqualified(c);
    return find_type(c, strlen(c));
}

const char *expression_type(const char *c, int *length)
{
    c = unqualified(c);
    const char *bracket = strchr(c, '[');
    *length = bracket ? atoi(bracket + 1) : 0;
    if (bracket && (*length <= 0 || strchr(bracket + 1, '[') || !strncmp(c, "enum ", 5)))
        return NULL;
    const struct type *t = find_type(c, bracket ? (size_t)(bracket - c) : strlen(c));
    return t ? t->promela : NULL;
}

bool expression_constant(const struct tree *t, long long *value)
{
    if (!strcmp(t->op, "int")) {
        *value = t->value;
        return true;
    }
    if (t->count == 1 && (!strcmp(t->op, "pre-") || !strcmp(t->op, "pre+") || !strcmp(t->op, "cast"))
        && expression_constant(t->parts[0], value)) {
        *value = !strcmp(t->op, "pre-") ? -*value : *value;
        return true;
    }
    return false;
}

/* ---- expressions ---- */

struct writer { struct prose *out; const struct naming *naming; struct err *why; };

static bool put(struct writer *, const struct tree *);

static bool refuse(struct writer *w, const char *what, const char *which)
{
    fail(w->why, "%s %s", what, which);
    return false;
}

static bool one_of(const char *op, const char *list)
{
    size_t length = strlen(op);
    for (const char *at = list; (at = strstr(at, op)); at += length)
        if (at > list && at[-1] == ' ' && at[length] == ' ')
            return true;
    return false;
}

static bool variable(struct writer *w, const struct tree *t)
{
    int length;
    if (!expression_type(t->type, &length))
        return refuse(w, "Promela has no type for", t->type);
    const char *name = w->naming->name(w->naming->arg, t->name);
    if (!name)
        return refuse(w, "not in the model:", t->name);
    prose_add(w->out, "%s", name);
    return true;
}

static bool both(struct writer *w, const struct tree *t)
{
    bool compares = one_of(t->op, " == != < <= > >= && || ");
    for (int i = 0; i < 2; i++)
        if (!scalar(t->parts[i]->type))
            return refuse(w, "Promela does not compute with", t->parts[i]->type);
    if (!compares && !scalar(t->type))
        return refuse(w, "Promela does not compute in", t->type);
    prose_add(w->out, "(");
    bool fine = put(w, t->parts[0]);
    prose_add(w->out, "%s", t->op);
    fine = fine && put(w, t->parts[1]);
    prose_add(w->out, ")");
    return fine;
}

static bool cut(struct writer *w, const char *c_type, const struct tree *t)
{
    const struct type *type = scalar(c_type);
    if (!type)
        return refuse(w, "Promela has no type for", c_type);
    long long value;
    bool small = expression_constant(t, &value) && value >= 0 && value <= 1;
    if (type->before && !small)
        prose_add(w->out, "%s", type->before);
    bool fine = put(w, t);
    if (type->behind && !small)
        prose_add(w->out, "%s", type->behind);
    return fine;
}

static bool one(struct writer *w, const struct tree *t)
{
    if (!scalar(t->parts[0]->type))
        return refuse(w, "Promela does not compute with", t->parts[0]->type);
    prose_add(w->out, "(%s", t->op + 3);
    bool fine = put(w, t->parts[0]);
    prose_add(w->out, ")");
    return fine;
}

static bool element(struct writer *w, const struct tree *t)
{
    if (strcmp(t->parts[0]->op, "var"))
        return refuse(w, "only a variable's elements are carried over, not those of", t->parts[0]->op);
    if (!strchr(t->parts[0]->type, '['))
        return refuse(w, "Promela has no pointers:", t->parts[0]->name);
    bool fine = variable(w, t->parts[0]);
    prose_add(w->out, "[");
    fine = fine && put(w, t->parts[1]);
    prose_add(w->out, "]");
    return fine;
}

static bool choice(struct writer *w, const struct tree *t)
{
    prose_add(w->out, "(");
    bool fine = put(w, t->parts[0]);
    prose_add(w->out, "->");
    fine = fine && put(w, t->parts[1]);
    prose_add(w->out, ":");
    fine = fine && put(w, t->parts[2]);
    prose_add(w->out, ")");
    return fine;
}

static bool put(struct writer *w, const struct tree *t)
{
    if (!strcmp(t->op, "int")) {
        if (t->value > 2147483647LL || t->value < -2147483647LL)
            return refuse(w, "Promela has no constants beyond int, as of type", t->type);
        prose_add(w->out, t->value < 0 ? "(%lld)" : "%lld", t->value);
        return true;
    }
    if (!strcmp(t->op, "var"))
        return variable(w, t);
    if (t->count == 2 && one_of(t->op, " + - * / % & | ^ << >> == != < <= > >= && || "))
        return both(w, t);
    if (t->count == 1 && one_of(t->op, " pre- pre! pre~ "))
        return one(w, t);
    if (t->count == 1 && !strcmp(t->op, "pre+"))
        return put(w, t->parts[0]);
    if (t->count == 1 && !strcmp(t->op, "cast"))
        return cut(w, t->type, t->parts[0]);
    if (t->count == 2 && !strcmp(t->op, "[]"))
        return element(w, t);
    if (t->count == 3 && !strcmp(t->op, "?"))
        return choice(w, t);
    if (!strcmp(t->op, "call") && t->count && t->parts[0]->name)
        return refuse(w, "this is a call of", t->parts[0]->name);
    return refuse(w, "Promela has no expression for", t->name && *t->name ? t->name : t->op);
}

bool expression_put(struct prose *out, const struct tree *t, const struct naming *naming, struct err *why)
{
    struct writer w = { out, naming, why };
    return put(&w, t);
}

/* ---- assignments ---- */

static bool store(struct writer *w, const struct tree *to, const struct tree *value)
{
    if (strcmp(to->op, "var") && strcmp(to->op, "[]"))
        return refuse(w, "only variables and their elements are assigned to, not", to->op);
    bool fine = put(w, to);
    prose_add(w->out, " = ");
    return fine && cut(w, to->type, value);
}

/* x op= y is x = x op y; where y's type is wider than x's, C computes in it. */
static bool change(struct writer *w, const struct tree *to, const char *op, const struct tree *by)
{
    struct tree *parts[2] = { (struct tree *)to, (struct tree *)by };
    struct tree sum = { .op = (char *)op, .type = (char *)"int", .parts = parts, .count = 2 };
    return store(w, to, &sum);
}

static bool statement(struct writer *, const struct tree *);

static bool assigns(const struct tree *t)
{
    return (t->count == 2 && one_of(t->op, " = += -= *= /= %= &= |= ^= <<= >>= ")) || (t->count == 1 && one_of(t->op, " pre++ pre-- "));
}

/* x = y = z is y = z; x = y. */
static bool in_turn(struct writer *w, const struct tree *to, const struct tree *inner)
{
    bool fine = statement(w, inner);
    prose_add(w->out, "; ");
    return fine && store(w, to, inner->parts[0]);
}

static bool statement(struct writer *w, const struct tree *t)
{
    struct tree unit = { .op = (char *)"int", .type = (char *)"int", .value = 1 };
    size_t length = strlen(t->op);
    if (t->count == 2 && !strcmp(t->op, "=") && assigns(t->parts[1]))
        return in_turn(w, t->parts[0], t->parts[1]);
    if (t->count == 2 && !strcmp(t->op, "="))
        return store(w, t->parts[0], t->parts[1]);
    if (t->count == 2 && one_of(t->op, " += -= *= /= %= &= |= ^= <<= >>= ")) {
        char op[4] = { 0 };
        memcpy(op, t->op, length - 1);
        return change(w, t->parts[0], op, t->parts[1]);
    }
    if (t->count == 1 && one_of(t->op, " pre++ post++ pre-- post-- "))
        return change(w, t->parts[0], t->op[length - 1] == '+' ? "+" : "-", &unit);
    if (t->count == 2 && !strcmp(t->op, ",")) {
        bool fine = statement(w, t->parts[0]);
        prose_add(w->out, "; ");
        return fine && statement(w, t->parts[1]);
    }
    if (t->count == 1 && !strcmp(t->op, "cast") && !strcmp(t->type, "void"))
        return statement(w, t->parts[0]);
    /* A value that nobody takes: it must be one that has no effect. */
    struct prose unused = { 0 };
    struct writer quiet = { &unused, w->naming, w->why };
    bool fine = put(&quiet, t);
    prose_fini(&unused);
    if (fine)
        prose_add(w->out, "skip");
    return fine;
}

bool expression_statement(struct prose *out, const struct tree *t, const struct naming *naming, struct err *why)
{
    struct writer w = { out, naming, why };
    return statement(&w, t);
}
