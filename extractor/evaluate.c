/* SPDX-License-Identifier: MIT */
#include "extractor/evaluate.h"

#include "base/prose.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct reader { const char *at; bool (*value)(void *, const char *, long long *); void *arg; bool bad; };

/* From the weakest to the strongest; those of one line bind alike. A longer one first where another is its beginning. */
static const char *const levels[][5] = {
    { "||" }, { "&&" }, { "|" }, { "^" }, { "&" }, { "==", "!=" }, { "<=", ">=", "<", ">" }, { "<<", ">>" }, { "+", "-" }, { "*", "/", "%" },
};
enum { LEVELS = sizeof levels / sizeof *levels };

static long long binary(struct reader *, int level);

static bool take(struct reader *r, const char *word)
{
    size_t length = strlen(word);
    r->at += strspn(r->at, " \t");
    if (strncmp(r->at, word, length))
        return false;
    r->at += length;
    return true;
}

static long long name(struct reader *r)
{
    size_t length = strspn(r->at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    char *word = prose_make("%.*s", (int)length, r->at);
    long long found = 0;
    r->at += length;
    if (take(r, "[")) {
        long long index = binary(r, 0);
        r->bad |= !take(r, "]");
        char *element = prose_make("%s[%lld]", word, index);
        free(word);
        word = element;
    }
    if (!strcmp(word, "true"))
        found = 1;
    else if (strcmp(word, "false"))
        r->bad |= !r->value(r->arg, word, &found);
    free(word);
    return found;
}

static long long operand(struct reader *r)
{
    long long result = 0;
    if (take(r, "!"))
        return !operand(r);
    if (take(r, "~"))
        return ~operand(r);
    if (take(r, "-"))
        return -operand(r);
    if (take(r, "(")) {
        result = binary(r, 0);
        r->bad |= !take(r, ")");
    } else if (isdigit((unsigned char)*r->at)) {
        char *end;
        result = strtoll(r->at, &end, 10);
        r->at = end;
    } else if (isalpha((unsigned char)*r->at) || *r->at == '_') {
        result = name(r);
    } else {
        r->bad = true;
    }
    return result;
}

static long long apply(struct reader *r, const char *op, long long a, long long b)
{
    if (!strcmp(op, "||")) return a || b;
    if (!strcmp(op, "&&")) return a && b;
    if (!strcmp(op, "==")) return a == b;
    if (!strcmp(op, "!=")) return a != b;
    if (!strcmp(op, "<=")) return a <= b;
    if (!strcmp(op, ">=")) return a >= b;
    if (!strcmp(op, "<<")) return b >= 0 && b < 32 ? (long long)((unsigned long long)a << b) : 0;
    if (!strcmp(op, ">>")) return b >= 0 && b < 32 ? a >> b : 0;
    r->bad |= (*op == '/' || *op == '%') && !b;
    switch (r->bad ? 0 : *op) {
    case '|': return a | b;
    case '^': return a ^ b;
    case '&': return a & b;
    case '<': return a < b;
    case '>': return a > b;
    case '+': return a + b;
    case '-': return a - b;
    case '*': return a * b;
    case '/': return a / b;
    case '%': return a % b;
    default:  return 0;
    }
}

/* A single | or & is not half of a double one. */
static bool take_operator(struct reader *r, const char *op)
{
    const char *before = r->at;
    if (!take(r, op))
        return false;
    bool half = !op[1] && ((strchr("|&", *op) && *r->at == *op) || (strchr("<>", *op) && (*r->at == *op || *r->at == '=')));
    if (half)
        r->at = before;
    return !half;
}

static long long binary(struct reader *r, int level)
{
    if (level == LEVELS)
        return operand(r);
    long long left = binary(r, level + 1);
    for (int i = 0; !r->bad && i < 5 && levels[level][i];) {
        if (take_operator(r, levels[level][i])) {
            left = apply(r, levels[level][i], left, binary(r, level + 1));
            i = 0;
        } else {
            i++;
        }
    }
    return left;
}

bool evaluate(const char *expression, bool (*value)(void *, const char *, long long *), void *arg, long long *result)
{
    struct reader r = { expression, value, arg, false };
    *result = binary(&r, 0);
    r.at += strspn(r.at, " \t\n");
    return !r.bad && !*r.at;
}
