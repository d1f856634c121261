/* SPDX-License-Identifier: MIT */
#include "extractor/written.h"

#include "base/prose.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ARGUMENTS = 5 };         /* of an atomic operation */

struct part { const char *text; int length; };

static bool is(struct part p, const char *text) { return (int)strlen(text) == p.length && !strncmp(p.text, text, (size_t)p.length); }

static struct part trimmed(const char *from, const char *to)
{
    from += strspn(from, " ");
    while (to > from && to[-1] == ' ')
        to--;
    return (struct part){ from, (int)(to - from) };
}

/* What is behind a string or a character, from its first quote on. */
static const char *behind_quotes(const char *at)
{
    char quote = *at++;
    while (*at && *at != quote)
        at += *at == '\\' && at[1] ? 2 : 1;
    return *at ? at + 1 : at;
}

/* The arguments of a call, from behind its bracket on. Gives its closing bracket, or NULL: there is none, or there are too many. */
static const char *arguments(const char *from, struct part parts[MOST_ARGUMENTS], int *count)
{
    const char *at = from;
    *count = 0;
    for (int deep = 0; *at; ) {
        if ((*at == ')' || *at == ',') && !deep) {
            if (*count == MOST_ARGUMENTS)
                return NULL;
            parts[(*count)++] = trimmed(from, at);
            from = at + 1;
            if (*at == ')')
                return at;
        }
        deep += strchr("([{", *at) ? 1 : strchr(")]}", *at) ? -1 : 0;
        at = *at == '"' || *at == '\'' ? behind_quotes(at) : at + 1;
    }
    return NULL;
}

/* Of __assert_fail ("x", ...) and VS_assert_at((x) ? 1 : 0, "x", ...) the condition. Gives; NULL: it is neither. */
static char *asserted(const char *text)
{
    static const char *const names[][2] = { { "__assert_fail", "assert" }, { "VS_assert_at", "VS_assert" } };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *open = strncmp(text, names[i][0], strlen(names[i][0])) ? NULL : strchr(text, '"');
        const char *end = open ? behind_quotes(open) : NULL;
        struct prose out = { 0 };
        if (!end || !*end)
            continue;
        prose_add(&out, "%s(", names[i][1]);
        for (const char *at = open + 1; at < end - 1; at++) {
            at += *at == '\\' && at < end - 2;
            prose_add(&out, "%c", *at);
        }
        prose_add(&out, ")");
        return prose_take(&out);
    }
    return NULL;
}

/* "&(&flag)->_Value", of an atomic_flag: the pointer to it, which is "&flag". */
static bool is_flag(struct part p, struct part *flag)
{
    static const char front[] = "&(", back[] = ")->_Value";
    int least = (int)(sizeof front + sizeof back) - 2;
    if (p.length <= least || strncmp(p.text, front, sizeof front - 1) || strncmp(p.text + p.length - (sizeof back - 1), back, sizeof back - 1))
        return false;
    *flag = (struct part){ p.text + sizeof front - 1, p.length - least };
    return true;
}

/* An operation of clang as that of <stdatomic.h>: the order is left out where it is the usual one, which the macros write as 5. */
static void add_atomic(struct prose *out, struct part name, const struct part *parts, int count)
{
    int orders = !strncmp(name.text, "compare_exchange", 16) ? 2 : is(name, "init") ? 0 : 1;
    bool usual = count > orders;
    for (int i = count - orders; usual && i < count; i++)
        usual = is(parts[i], "5");
    struct part flag, as = name;
    bool of_flag = count && is_flag(parts[0], &flag);
    if (of_flag) {
        as = is(name, "store") ? (struct part){ "flag_clear", 10 } : (struct part){ "flag_test_and_set", 17 };
        prose_add(out, "atomic_%.*s%s(%.*s", as.length, as.text, usual ? "" : "_explicit", flag.length, flag.text);
        prose_add(out, usual ? ")" : ", %.*s)", parts[count - 1].length, parts[count - 1].text);
        return;
    }
    prose_add(out, "atomic_%.*s%s(", as.length, as.text, usual ? "" : "_explicit");
    for (int i = 0; i < (usual ? count - orders : count); i++) {
        char *argument = prose_make("%.*s", parts[i].length, parts[i].text), *plain = written(argument);
        prose_add(out, "%s%s", i ? ", " : "", plain);
        free(argument);
        free(plain);
    }
    prose_add(out, ")");
}

char *written(const char *text)
{
    static const char atomic[] = "__c11_atomic_";
    char *assertion = asserted(text);
    struct prose out = { 0 };
    if (assertion)
        return assertion;
    for (const char *at; (at = strstr(text, atomic)); ) {
        struct part parts[MOST_ARGUMENTS];
        int count;
        const char *name = at + sizeof atomic - 1, *open = strchr(name, '('), *close = open ? arguments(open + 1, parts, &count) : NULL;
        if (!close)
            break;
        prose_add(&out, "%.*s", (int)(at - text), text);
        add_atomic(&out, (struct part){ name, (int)(open - name) }, parts, count);
        text = close + 1;
    }
    prose_add(&out, "%s", text);
    return prose_take(&out);
}
