/* SPDX-License-Identifier: MIT */
#include "suite/expression.h"

#include "base/prose.h"

#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool begins_name(char c) { return isalpha((unsigned char)c) || c == '_'; }
static bool in_name(char c)     { return isalnum((unsigned char)c) || c == '_'; }

/* A = that is none of == != <= >= would change a value. */
static bool assigns(const char *expression)
{
    for (const char *at = expression; (at = strchr(at, '=')); at++) {
        if (at[1] == '=') {
            at++;
            continue;
        }
        bool compares = at > expression && strchr("!<>", at[-1]) && !(at - 1 > expression && at[-2] == at[-1]);
        if (!compares)
            return true;
    }
    return false;
}

/* What comes next is skipped; false: no operator of C that has two sides. `?` and `:` are taken for two of them. */
static bool skip_operator(const char **at)
{
    static const char *const all[] = { "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+", "-", "*", "/", "%", "<", ">", "&", "|", "^", "?", ":" };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strncmp(*at, all[i], strlen(all[i]))) {
            *at += strlen(all[i]);
            return true;
        }
    return false;
}

static bool skip_value(const char **at)
{
    const char *begin = *at;
    char *end = (char *)begin;
    while (in_name(**at))
        ++*at;
    if (isdigit((unsigned char)*begin))
        strtoull(begin, &end, 0);
    return *at > begin && (begins_name(*begin) || end == *at);
}

/* Do values and operators take turns? */
static bool takes_turns(const char *at)
{
    bool after_value = false;
    for (; *at || !after_value; after_value ^= true) {
        at += strspn(at, after_value ? " )" : " (+-!~");
        if (!*at && after_value)
            return true;
        if (!(after_value ? skip_operator(&at) : skip_value(&at)))
            return false;
    }
    return true;
}

const char *expression_wrong(const char *expression)
{
    int open = 0;
    bool named = false;
    for (const char *at = expression; *at && open >= 0; at++) {
        if (!in_name(*at) && !strchr(" +-*/%()<>=!&|^~?:", *at))
            return "it has names, numbers, and the operators of C, and nothing else";
        named |= begins_name(*at);
        open += *at == '(' ? 1 : *at == ')' ? -1 : 0;
    }
    if (open)
        return "its parentheses do not match";
    if (!takes_turns(expression))
        return "values and operators do not take turns as in C";
    if (strstr(expression, "++") || strstr(expression, "--") || assigns(expression))
        return "it must not change anything; to compare is ==";
    return named ? NULL : "it names no value";
}

#define VALUE "value_"               /* before each name: the shell has variables of its own, and what is around it */

/* The expression's names, each with `before` and `behind`, and what is between them if it is `whole`. Whatever is not told is no 0. */
static void each_name(struct prose *w, const char *expression, const char *before, const char *behind, bool whole)
{
    for (const char *at = expression; *at;) {
        size_t length = 0;
        while (in_name(at[length]))
            length++;
        bool named = length && begins_name(*at);
        if (named)
            prose_add(w, "%s%.*s%s", before, (int)length, at, behind);
        else if (whole)
            prose_add(w, "%.*s", length ? (int)length : 1, at);
        at += length ? length : 1;
    }
}

char *expression_command(const char *expression, const char *values)
{
    struct prose w = { 0 };
    assert(!expression_wrong(expression));
    each_name(&w, expression, "unset " VALUE, "\n", false);
    prose_add(&w, "told=$(%s\n) || { status=$?; echo 'the values cannot be told'; test $status -lt 126 || exit $status; exit 2; }\n"
              "set -f\n"
              "for one in $told; do\n"
              "case $one in [0-9]*=*|*[!A-Za-z0-9_]*=*) continue;; [A-Za-z_]*=-[0-9]*|[A-Za-z_]*=[0-9]*) ;; *) continue;; esac\n"
              "case ${one#*=} in *[!0-9-]*) continue;; esac\n"
              "eval \"" VALUE "${one%%%%=*}=${one#*=}\"\n"
              "done\n", values);
    prose_add(&w, "need() { eval \"test \\\"\\${" VALUE "$1+told}\\\"\" || { echo \"no value $1\"; exit 2; }; }\n");
    each_name(&w, expression, "need ", "\n", false);
    prose_add(&w, "test $((");
    each_name(&w, expression, VALUE, "", true);
    prose_add(&w, ")) -ne 0 || { echo 'not true: %s, with' $told; exit 1; }", expression);
    return prose_take(&w);
}
