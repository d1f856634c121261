/* Formulas are read by precedence climbing: `level(s)` reads operands that are joined by operators of strength s or more.
 * SPDX-License-Identifier: MIT */
#include "properties/ltl_internal.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { STRENGTH_LEAST = 1, STRENGTH_UNARY = 5 };

struct reader {
    struct ltl *table;
    const char *text;
    const char *at;                  /* the word that is looked at */
    size_t      length;              /* of it; 0: the end */
    enum ltl_operator op;            /* what it is; LTL_COUNT: no operator, but a parenthesis, or nothing known */
    int         depth, operators;
    struct err *err;
};

/* ---- where, and what is there ---- */

struct column { char text[64]; };

static struct column place_of(const struct reader *r, const char *at)
{
    struct column p;
    int line = 1;
    const char *start = r->text;
    for (const char *c = r->text; c < at; c++)
        if (*c == '\n') {
            line++;
            start = c + 1;
        }
    int column = (int)(at - start) + 1;
    if (strchr(r->text, '\n'))
        snprintf(p.text, sizeof p.text, "line %d, column %d", line, column);
    else
        snprintf(p.text, sizeof p.text, "column %d", column);
    return p;
}

static struct column shown(const struct reader *r)
{
    struct column p;
    bool cut = r->length > 40;
    unsigned char first = (unsigned char)*r->at;
    if (!r->length)
        snprintf(p.text, sizeof p.text, "the end");
    else if (!isprint(first))
        snprintf(p.text, sizeof p.text, "the byte 0x%02x", first);
    else
        snprintf(p.text, sizeof p.text, "'%.*s%s'", cut ? 40 : (int)r->length, r->at, cut ? "..." : "");
    return p;
}

static int refuse(const struct reader *r, const char *expected, const char *advice)
{
    return fail(r->err, "%s: expected %s, found %s%s", place_of(r, r->at).text, expected, shown(r).text, advice);
}

/* ---- words ---- */

static bool begins_name(char c) { return isalpha((unsigned char)c) || c == '_'; }
static bool in_name(char c)     { return isalnum((unsigned char)c) || c == '_'; }

/* Behind blanks and comments; NULL with err when a comment does not end. */
static const char *skip(const struct reader *r, const char *at)
{
    for (;;) {
        at += strspn(at, " \t\r\n\f\v");
        if (at[0] == '/' && at[1] == '/') {
            at += strcspn(at, "\n");
        } else if (at[0] == '/' && at[1] == '*') {
            const char *end = strstr(at + 2, "*/");
            if (!end) {
                fail(r->err, "%s: the comment that begins here has no end; write */ behind it", place_of(r, at).text);
                return NULL;
            }
            at = end + 2;
        } else {
            return at;
        }
    }
}

/* How long the longest way of writing the operator is that stands here; 0: none does. */
static size_t written_here(enum ltl_operator op, const char *at)
{
    size_t best = 0;
    for (const char *w = ltl_about[op].written; *w; w += strspn(w, " ")) {
        size_t length = strcspn(w, " ");
        bool here = !strncmp(at, w, length) && !(begins_name(*w) && in_name(at[length]));
        if (here && length > best)
            best = length;
        w += length;
    }
    return best;
}

static void look(struct reader *r)
{
    r->op = LTL_COUNT;
    r->length = 0;
    for (int op = 0; op < LTL_COUNT; op++) {
        size_t length = written_here(op, r->at);
        if (length > r->length) {
            r->length = length;
            r->op = op;
        }
    }
    if (r->length || !*r->at)
        return;
    r->length = 1;
    if (begins_name(*r->at)) {
        r->op = LTL_SYMBOL;
        while (in_name(r->at[r->length]))
            r->length++;
    }
}

static int advance(struct reader *r)
{
    const char *next = skip(r, r->at + r->length);
    if (!next)
        return -EINVAL;
    r->at = next;
    look(r);
    return 0;
}

static bool is_sign(const struct reader *r, char c) { return r->op == LTL_COUNT && r->length && *r->at == c; }
static bool is_binary(const struct reader *r)       { return r->op != LTL_COUNT && ltl_about[r->op].operands == 2; }

/* ---- formulas ---- */

static int level(struct reader *, int strength, uint32_t *formula);

static int count_operator(struct reader *r)
{
    if (++r->operators > LTL_LARGEST)
        return fail(r->err, "%s: more than %d operators in one formula; write it as several, each a property", place_of(r, r->at).text,
                    LTL_LARGEST);
    return 0;
}

static int parentheses(struct reader *r, uint32_t *formula)
{
    struct column open = place_of(r, r->at);
    if (advance(r) || level(r, STRENGTH_LEAST, formula))
        return -EINVAL;
    if (is_sign(r, ')'))
        return advance(r);
    if (r->length)
        return refuse(r, "an operator or )", is_sign(r, '&') ? "; write &&" : is_sign(r, '|') ? "; write ||" : "");
    return fail(r->err, "%s: expected ), found the end: the ( at %s is not closed", place_of(r, r->at).text, open.text);
}

static int symbol(struct reader *r, uint32_t *formula)
{
    char name[256];
    if (r->length >= sizeof name)
        return fail(r->err, "%s: a name of more than %zu letters", place_of(r, r->at).text, sizeof name - 1);
    memcpy(name, r->at, r->length);
    name[r->length] = '\0';
    *formula = ltl_symbol(r->table, name);
    return advance(r);
}

static const char *missing_operand(const struct reader *r)
{
    if (r->length == 1 && is_binary(r))
        return " (U, V, R, W are operators, so that no symbol can have such a name)";
    return is_binary(r) ? " (this operator stands between two)" : "";
}

static int operand(struct reader *r, uint32_t *formula)
{
    enum ltl_operator op = r->op;
    if (is_sign(r, '('))
        return parentheses(r, formula);
    if (op == LTL_SYMBOL)
        return symbol(r, formula);
    if (op == LTL_COUNT || ltl_about[op].operands == 2)
        return refuse(r, "a symbol, true, false, ( or one of ! X [] <>", missing_operand(r));
    if (ltl_about[op].operands && count_operator(r))
        return -EINVAL;
    if (advance(r) || (ltl_about[op].operands && level(r, STRENGTH_UNARY, formula)))
        return -EINVAL;
    *formula = ltl_make(r->table, op, *formula, 0);
    return 0;
}

/* Of what has been read, `left op right`, and an operator of the same strength that follows. */
static int check_chain(const struct reader *r, enum ltl_operator op)
{
    if (!is_binary(r) || ltl_about[r->op].strength != ltl_about[op].strength || op == LTL_AND || op == LTL_OR)
        return 0;
    return fail(r->err, "%s: this can be read in two ways: put parentheses around what stands before %s, or around what stands on "
                "both sides of it", place_of(r, r->at).text, shown(r).text);
}

static int joined(struct reader *r, int strength, uint32_t *formula)
{
    while (is_binary(r) && ltl_about[r->op].strength >= strength) {
        enum ltl_operator op = r->op;
        uint32_t right = 0;
        if (count_operator(r) || advance(r) || level(r, ltl_about[op].strength + 1, &right) || check_chain(r, op))
            return -EINVAL;
        *formula = ltl_make(r->table, op, *formula, right);
    }
    return 0;
}

static int level(struct reader *r, int strength, uint32_t *formula)
{
    if (++r->depth > LTL_DEEPEST)
        return fail(r->err, "%s: nested more than %d deep; write it as several formulas", place_of(r, r->at).text, LTL_DEEPEST);
    int bad = operand(r, formula);
    if (!bad && strength < STRENGTH_UNARY)
        bad = joined(r, strength, formula);
    r->depth--;
    return bad ? -EINVAL : 0;
}

static int whole(struct reader *r, uint32_t *formula)
{
    if (advance(r) || level(r, STRENGTH_LEAST, formula))
        return -EINVAL;
    if (!r->length)
        return 0;
    return refuse(r, "an operator or the end", is_sign(r, '&') ? "; write &&" : is_sign(r, '|') ? "; write ||" : "");
}

int ltl_parse(struct ltl *table, const char *text, uint32_t *formula, struct err *err)
{
    struct reader r = { .table = table, .text = text, .at = text, .err = err };
    uint32_t read = 0;
    int bad = whole(&r, &read);
    if (!bad)
        *formula = read;
    return bad;
}
