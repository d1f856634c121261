/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "extractor/argument.h"

#include <string.h>

const char *argument_target(const struct tree *t)
{
    while (!strcmp(t->op, ".") || (!strcmp(t->op, "[]") && strchr(t->parts[0]->type, '[')))
        t = t->parts[0];
    return !strcmp(t->op, "var") ? t->name : NULL;
}

const char *argument_addressed(const struct tree *a, bool *address)
{
    const char *type = a->type ? a->type : "";
    *address = strchr(type, '*') || strchr(type, '[');
    if (!strcmp(a->op, "pre&") && a->count) {
        *address = true;
        return argument_target(a->parts[0]);
    }
    bool moves = !strcmp(a->op, "+") || !strcmp(a->op, "-"), wraps = !strcmp(a->op, "cast");
    for (int i = 0; i < a->count && (moves || wraps); i++) {
        bool is;
        const char *variable = argument_addressed(a->parts[i], &is);
        *address = *address || is;
        if (variable)
            return variable;
    }
    return strchr(type, '[') ? argument_target(a) : NULL;
}

bool argument_is_text(const struct tree *t)
{
    while (!strcmp(t->op, "cast") && t->count)
        t = t->parts[0];
    return !strcmp(t->op, "str");
}

enum given { GIVEN_FURTHER, GIVEN_UNKNOWN, GIVEN_CONSTANT, GIVEN_WRITTEN };

static enum given given_as(const char *prototype, int i)
{
    const char *at = strchr(prototype, '('), *end = at ? at + strcspn(at, ",)") : NULL;
    if (at && at[1] == ')')              /* no prototype: int f() */
        return GIVEN_UNKNOWN;
    for (; at && *end == ',' && --i; end = at + strcspn(at, ",)"))
        at = end + 1;
    if (!at || i > 1)
        return at ? GIVEN_FURTHER : GIVEN_UNKNOWN;
    size_t length = (size_t)(end - at);
    bool constant = memmem(at, length, "const ", 6), file = memmem(at, length, "FILE", 4), more = memmem(at, length, "...", 3);
    return more ? GIVEN_FURTHER : memchr(at, '*', length) && !constant && !file ? GIVEN_WRITTEN : GIVEN_CONSTANT;
}

/* The printf family, and others that only look at all that they are given. */
static bool only_looks(const char *name)
{
    static const char *const names[] = { "syslog", "err", "errx", "warn", "warnx", "error", "execl", "execle", "execlp", "open", "openat" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]))
            return true;
    return strstr(name, "printf");
}

bool argument_written(const struct tree *call, int i)
{
    enum given how = given_as(call->parts[0]->type, i);
    return how == GIVEN_UNKNOWN || how == GIVEN_WRITTEN || (how == GIVEN_FURTHER && !(call->parts[0]->name && only_looks(call->parts[0]->name)));
}

bool argument_read_only(const struct tree *call, int i) { return given_as(call->parts[0]->type, i) == GIVEN_CONSTANT; }
