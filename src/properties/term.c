/* Reads an expression: precedence climbing. SPDX-License-Identifier: MIT */
#include "properties/term.h"

#include "base/memory.h"
#include "wire.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 100 };              /* brackets in each other */

struct scan { const char *text, *at; struct err *err; int depth; };

static const struct { const char *text; int precedence; } operators[] = {
#define X(name, text, precedence) [TERM_##name] = { text, precedence },
    TERM_OPERATORS(X)
#undef X
};

void term_free(struct term *t)
{
    if (!t)
        return;
    term_free(t->left);
    term_free(t->right);
    free(t->name);
    free(t->owner);
    free(t);
}

static struct term *make(enum term_kind kind, struct term *left, struct term *right)
{
    struct term *t = memory_get(sizeof *t);
    *t = (struct term){ .kind = kind, .left = left, .right = right, .process = -1 };
    return t;
}

static void blanks(struct scan *s) { while (isspace((unsigned char)*s->at)) s->at++; }

static bool is_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

static bool eat(struct scan *s, const char *word)
{
    blanks(s);
    size_t length = strlen(word);
    if (strncmp(s->at, word, length) || (is_name(word[0]) && is_name(s->at[length])))
        return false;
    s->at += length;
    return true;
}

static struct term *wrong(struct scan *s, struct term *so_far, const char *expected)
{
    blanks(s);
    term_free(so_far);
    if (s->err)
        fail(s->err, "%s is expected %s%.20s%s", expected, *s->at ? "before '" : "at the end", s->at, *s->at ? "'" : "");
    s->err = NULL;                   /* the first is told */
    return NULL;
}

static char *take_name(struct scan *s)
{
    const char *begin = s->at;
    while (is_name(*s->at) || (s->at[0] == ':' && s->at[1] == ':' && is_name(s->at[2]))) 
        s->at += *s->at == ':' ? 2 : 1;
    size_t length = (size_t)(s->at - begin);
    char *name = memory_get(length + 1);
    memcpy(name, begin, length);
    return name;
}

/* file.c:name or function:name. */
static bool has_owner(const char *at)
{
    while (is_name(*at) || *at == '.')
        at++;
    return at[0] == ':' && at[1] != ':' && (isalpha((unsigned char)at[1]) || at[1] == '_');
}

static struct term *variable(struct scan *s)
{
    struct term *t = make(TERM_NAME, NULL, NULL);
    if (has_owner(s->at)) {
        size_t length = strcspn(s->at, ":");
        t->owner = memory_get(length + 1);
        memcpy(t->owner, s->at, length);
        s->at += length + 1;
    }
    t->name = take_name(s);
    return t;
}

static struct term *number(struct scan *s)
{
    struct term *t = make(TERM_NUMBER, NULL, NULL);
    char *end;
    t->number = (int64_t)strtoull(s->at, &end, 0);
    while (*end && strchr("uUlL", *end))
        end++;
    s->at = end;
    return is_name(*s->at) ? wrong(s, t, "a number of C") : t;
}

static struct term *expression(struct scan *, int precedence);

static struct term *in_brackets(struct scan *s, const char *close)
{
    struct term *t = ++s->depth > DEEPEST ? wrong(s, NULL, "something simpler") : expression(s, 1);
    s->depth--;
    return t && !eat(s, close) ? wrong(s, t, close) : t;
}

static struct term *primary(struct scan *s)
{
    blanks(s);
    if (eat(s, "("))
        return in_brackets(s, ")");
    if (eat(s, "next")) {
        struct term *t = eat(s, "(") ? in_brackets(s, ")") : wrong(s, NULL, "(");
        return t ? make(TERM_NEXT, t, NULL) : NULL;
    }
    if (isdigit((unsigned char)*s->at))
        return number(s);
    if (s->at[0] == '\'' && s->at[1] && s->at[1] != '\\' && s->at[2] == '\'') {
        struct term *t = make(TERM_NUMBER, NULL, NULL);
        t->number = s->at[1];
        s->at += 3;
        return t;
    }
    return isalpha((unsigned char)*s->at) || *s->at == '_' ? variable(s) : wrong(s, NULL, "a variable or a number");
}

static struct term *member(struct scan *s, struct term *of)
{
    struct term *t = make(TERM_MEMBER, of, NULL);
    blanks(s);
    t->name = take_name(s);
    return *t->name ? t : wrong(s, t, "the name of a member");
}

static void set_process(struct term *t, int process)
{
    if (!t)
        return;
    t->process = t->process < 0 ? process : t->process;
    set_process(t->left, process);
    set_process(t->right, process);
}

static struct term *at_process(struct scan *s, struct term *t)
{
    char *end;
    long process = strtol(s->at, &end, 10);
    if (end == s->at || process < 1 || process > MAX_PROCESSES)
        return wrong(s, t, "the number of a process, from 1 on,");
    s->at = end;
    set_process(t, (int)process - 1);
    return t;
}

static struct term *postfix(struct scan *s)
{
    blanks(s);
    uint32_t begin = (uint32_t)(s->at - s->text);
    struct term *t = primary(s), *index;
    while (t) {
        t->begin = begin;
        t->end = (uint32_t)(s->at - s->text);
        if (eat(s, "->"))
            t = member(s, make(TERM_TARGET, t, NULL));
        else if (eat(s, "."))
            t = member(s, t);
        else if (eat(s, "@"))
            t = at_process(s, t);
        else if (eat(s, "["))
            t = (index = in_brackets(s, "]")) ? make(TERM_INDEX, t, index) : wrong(s, t, "]");
        else
            break;
    }
    return t;
}

static struct term *unary(struct scan *s)
{
    static const struct { const char *text; enum term_operator op; } prefixes[] =
        { { "!", TERM_NOT }, { "~", TERM_INVERT }, { "-", TERM_NEGATIVE }, { "*", TERM_TIMES } };
    blanks(s);
    uint32_t begin = (uint32_t)(s->at - s->text);
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        if (!eat(s, prefixes[i].text))
            continue;
        struct term *operand = ++s->depth > DEEPEST ? wrong(s, NULL, "something simpler") : unary(s);
        s->depth--;
        if (!operand)
            return NULL;
        struct term *t = make(prefixes[i].op == TERM_TIMES ? TERM_TARGET : TERM_UNARY, operand, NULL);
        t->op = prefixes[i].op;
        t->process = t->kind == TERM_TARGET ? operand->process : -1;
        t->begin = begin;
        t->end = (uint32_t)(s->at - s->text);
        return t;
    }
    return postfix(s);
}

/* The operator that comes next, if it binds at least so strongly; -1: none does. */
static int next_operator(struct scan *s, int precedence)
{
    for (int op = 0; op < TERM_NOT; op++) {
        const char *before = s->at;
        if (eat(s, operators[op].text)) {
            if (operators[op].precedence >= precedence)
                return op;
            s->at = before;
            return -1;
        }
    }
    return -1;
}

static struct term *expression(struct scan *s, int precedence)
{
    struct term *t = unary(s);
    for (int op; t && (op = next_operator(s, precedence)) >= 0;) {
        struct term *right = expression(s, operators[op].precedence + (op != TERM_IMPLIES));     /* a implies (b implies c) */
        if (!right)
            return wrong(s, t, "");
        t = make(TERM_BINARY, t, right);
        t->op = (enum term_operator)op;
    }
    return t;
}

struct term *term_read(const char *text, struct err *err)
{
    struct scan s = { .text = text, .at = text, .err = err };
    struct term *t = expression(&s, 1);
    blanks(&s);
    if (t && *s.at)
        return wrong(&s, t, "an operator, or nothing,");
    return t;
}
