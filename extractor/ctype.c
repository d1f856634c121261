/* Types as C spells them, and expressions as text again.
 * SPDX-License-Identifier: MIT */
#include "extractor/program.h"

#include <stdlib.h>
#include <string.h>

bool ctype_is_array(const char *type)
{
    size_t length = strlen(type);
    return strstr(type, "(*[") || (length && type[length - 1] == ']' && !strstr(type, "(*"));
}

bool ctype_is_atomic(const char *type)
{
    return !strncmp(type, "_Atomic(", 8) || !strncmp(type, "volatile _Atomic(", 17);
}

bool ctype_is_pointer(const char *type)
{
    return strchr(type, '*') || ctype_is_array(type);
}

bool ctype_is_integer(const char *plain)
{
    static const char *const all[] = { "char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned int", "long",
                                       "unsigned long", "long long", "unsigned long long", "_Bool" };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(all[i], plain))
            return true;
    return !strncmp(plain, "enum ", 5) && !strchr(plain, '*') && !strchr(plain, '[');
}

bool ctype_is_number(const char *plain)
{
    return ctype_is_integer(plain) || !strcmp(plain, "float") || !strcmp(plain, "double") || !strcmp(plain, "long double");
}

static void drop(char *at, size_t length)
{
    memmove(at, at + length, strlen(at + length) + 1);
}

/* A variable of a model is assigned to where the program only initialises it. */
const char *ctype_plain(struct program *p, const char *type)
{
    static const char *const words[] = { "const", "volatile", "restrict" };
    char *plain = prose_make("%s", type);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i]);
        for (char *at = plain; (at = strchr(at, '*')); at++)
            while (!strncmp(at + 1, words[i], length))
                drop(at + 1, length);
        if (!strchr(plain, '*') && !strncmp(plain, words[i], length) && plain[length] == ' ')
            drop(plain, length + 1);
    }
    for (char *flag; (flag = strstr(plain, "struct atomic_flag"));)      /* not every compiler's has this tag */
        drop(flag, strlen("struct "));
    size_t length = strlen(plain);
    if (!strncmp(plain, "_Atomic(", 8) && plain[length - 1] == ')') {
        plain[length - 1] = '\0';
        drop(plain, 8);
    }
    const char *kept = program_text(p, "%s", plain);
    free(plain);
    return kept;
}

/* ---- expressions ---- */

static void put(struct prose *, const struct tree *);

static void put_list(struct prose *out, const struct tree *t, int from)
{
    prose_add(out, "(");
    for (int i = from; i < t->count; i++) {
        prose_add(out, i > from ? "," : "");
        put(out, t->parts[i]);
    }
    prose_add(out, ")");
}

static void put_unary(struct prose *out, const struct tree *t)
{
    bool behind = !strncmp(t->op, "post", 4);
    if (!behind)
        prose_add(out, "%s", t->op + 3);
    put(out, t->parts[0]);
    if (behind)
        prose_add(out, "%s", t->op + 4);
}

static void put(struct prose *out, const struct tree *t)
{
    bool unary = t->count == 1 && (!strncmp(t->op, "pre", 3) || !strncmp(t->op, "post", 4));
    if (!strcmp(t->op, "int") && !t->name)
        prose_add(out, "%lld", t->value);
    else if (!strcmp(t->op, "var") || !strcmp(t->op, "fun"))
        prose_add(out, "%s", plain_name(t->name));
    else if (!t->count)
        prose_add(out, "%s", t->name ? t->name : "");
    else if (!strcmp(t->op, "call")) {
        put(out, t->parts[0]);
        put_list(out, t, 1);
    } else if (!strcmp(t->op, "atomic")) {
        prose_add(out, "%s", t->name);
        put_list(out, t, 0);
    } else if (!strcmp(t->op, ".") || !strcmp(t->op, "->")) {
        put(out, t->parts[0]);
        prose_add(out, "%s%s", t->op, t->name);
    } else if (!strcmp(t->op, "[]")) {
        put(out, t->parts[0]);
        prose_add(out, "[");
        put(out, t->parts[1]);
        prose_add(out, "]");
    } else if (unary) {
        put_unary(out, t);
    } else if (t->count == 2) {
        put(out, t->parts[0]);
        prose_add(out, "%s", t->op);
        put(out, t->parts[1]);
    } else
        put_list(out, t, 0);
}

char *tree_text(const struct tree *t)
{
    struct prose out = { 0 };
    put(&out, t);
    return prose_take(&out);
}
