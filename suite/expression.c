/* SPDX-License-Identifier: MIT */
#include "suite/expression.h"

#include "base/prose.h"

#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
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
    if (strstr(expression, "++") || strstr(expression, "--") || assigns(expression))
        return "it must not change anything; to compare is ==";
    return named ? NULL : "it names no value";
}

/* Whatever is not told is no 0. */
static void need_names(struct prose *w, const char *expression)
{
    for (const char *at = expression; *at;) {
        size_t length = 0;
        while (in_name(at[length]))
            length++;
        if (length && begins_name(*at))
            prose_add(w, "test \"${%.*s+told}\" || { echo 'no value %.*s'; exit 2; }\n", (int)length, at, (int)length, at);
        at += length ? length : 1;
    }
}

char *expression_command(const char *expression, const char *values)
{
    struct prose w = { 0 };
    assert(!expression_wrong(expression));
    prose_add(&w, "told=$(%s\n) || { echo 'the values cannot be told'; exit 2; }\n"
              "set -f\n"
              "for one in $told; do\n"
              "case $one in [0-9]*=*|*[!A-Za-z0-9_]*=*) continue;; [A-Za-z_]*=-[0-9]*|[A-Za-z_]*=[0-9]*) ;; *) continue;; esac\n"
              "case ${one#*=} in *[!0-9-]*) continue;; esac\n"
              "eval \"${one%%%%=*}=${one#*=}\"\n"
              "done\n", values);
    need_names(&w, expression);
    prose_add(&w, "test $((%s)) -ne 0 || { echo 'not true: %s, with' $told; exit 1; }", expression, expression);
    return prose_take(&w);
}
