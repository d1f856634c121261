/* Formulas of linear temporal logic: what must be so of an infinite sequence of states, in each of which a symbol is true or
 * false. A table keeps each formula once and names it by a number, so that two formulas of the same table are written alike
 * exactly when their numbers are equal, and what many share is kept once.
 * Invariant: a formula's operands stand before it in the table; nothing is ever removed.
 *
 * How tightly an operator binds grows from the bottom of LTL_OPERATORS to its top; those of one strength have the same number. What
 * could be read in two ways, and is read differently by other tools (p U q U r, p -> q -> r, p -> q <-> r), is refused: it needs
 * parentheses.
 * SPDX-License-Identifier: MIT */
#ifndef LTL_H
#define LTL_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

/* Name, operands, strength, how it may be written (the first is how we write it), meaning. */
#define LTL_OPERATORS(X) \
    X(TRUE,       0, 0, "true",                    "always so") \
    X(FALSE,      0, 0, "false",                   "never so") \
    X(SYMBOL,     0, 0, "",                        "a symbol: a name as in C; so when it is true in this state") \
    X(NOT,        1, 5, "!",                       "p is not so") \
    X(NEXT,       1, 5, "X next",                  "p is so in the next state") \
    X(ALWAYS,     1, 5, "[] G always",             "p is so in this and every later state") \
    X(EVENTUALLY, 1, 5, "<> F eventually",         "p is so in this or some later state") \
    X(UNTIL,      2, 4, "U until stronguntil",     "q is so in this or some later state, and p in every state before that one") \
    X(WEAK,       2, 4, "W weakuntil",             "p until q, or p in this and every later state") \
    X(RELEASE,    2, 4, "V R release",             "q up to and in the first state in which p is so too, or q in this and every " \
                                                   "later state") \
    X(AND,        2, 3, "&& /\\",                  "both are so") \
    X(OR,         2, 2, "|| \\/",                  "at least one is so") \
    X(IMPLIES,    2, 1, "-> implies",              "if p is so, then q is, too") \
    X(EQUIVALENT, 2, 1, "<-> equivalent",          "both are so, or neither")

#define X(name, operands, strength, written, meaning) LTL_##name,
enum ltl_operator { LTL_OPERATORS(X) LTL_COUNT };
#undef X

extern const struct ltl_about { const char *name; int operands, strength; const char *written, *meaning; } ltl_about[LTL_COUNT];

enum { LTL_DEEPEST = 200, LTL_LARGEST = 500 };           /* parentheses and operators of one formula that is read */

struct ltl;
struct ltl *ltl_new(void);                               /* gives; return it with ltl_free */
void        ltl_free(struct ltl *);                      /* NULL is fine */

/* Reads a formula. Comments are as in C. A message begins with the column ("column 7: ..."), behind the line when there are several. */
int         ltl_parse(struct ltl *, const char *text, uint32_t *formula, struct err *);

/* Makes one of its parts; those that the operator does not have are ignored. */
uint32_t    ltl_make(struct ltl *, enum ltl_operator, uint32_t left, uint32_t right);
uint32_t    ltl_symbol(struct ltl *, const char *name);
uint32_t    ltl_not(struct ltl *, uint32_t);

enum ltl_operator ltl_operator(const struct ltl *, uint32_t);
uint32_t    ltl_left(const struct ltl *, uint32_t);      /* the only operand, if there is one */
uint32_t    ltl_right(const struct ltl *, uint32_t);
const char *ltl_name(const struct ltl *, uint32_t);      /* of a symbol; valid as long as the table */
bool        ltl_has(const struct ltl *, uint32_t, enum ltl_operator);       /* does it occur in the formula? */
char       *ltl_text(const struct ltl *, uint32_t);      /* gives; ltl_parse reads it back */

/* The formula with `by[i]` in the place of the symbol named `names[i]`, all at once. */
uint32_t    ltl_substitute(struct ltl *, uint32_t, int count, const char *const *names, const uint32_t *by);

/* An equivalent formula that is no larger than need be, in negation normal form: TRUE, FALSE, SYMBOL, NOT of a SYMBOL, AND, OR, NEXT,
 * UNTIL, RELEASE. (ltl_text writes true U p as <>p, false V p as []p.) */
uint32_t    ltl_normal(struct ltl *, uint32_t);

/* Each symbol that occurs in the formula, once, in the order of the table. Gives the numbers of formulas, `count` of them. */
uint32_t   *ltl_symbols(const struct ltl *, uint32_t, uint32_t *count);

#endif
