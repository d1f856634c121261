/* Templates: the patterns in which requirements are usually said, each within a scope (Dwyer, Avrunin and Corbett, Patterns in Property
 * Specifications for Finite-State Verification, 1999).
 *
 * A pattern is a formula about a stretch of a run that goes on for ever; a scope says of which stretches it must be so. A stretch begins
 * with the state in which q becomes the beginning and ends before the state in which r is so. Where it can end, the pattern is said
 * of what comes before r alone (`up_to`): each operator stops there, as in temporal logic on finite words (De Giacomo and
 * Vardi 2013), with a strong next:
 *
 *     X a   X (!r && a)          []a   a W r          a U b   (!r && a) U (!r && b)
 *                                <>a   !r U (!r && a) a W b   a W (r || b)
 *
 * So both lists are written once, and every pattern has every scope. An argument is taken as it is, whatever it says: it is to be about
 * one state, for a temporal operator in an argument does not stop at r.
 *
 * Where the formulas that are commonly published say something else than their own definition, ours follow the definition: `after q` is from
 * the first q on (they are content with some q for precedence).
 * SPDX-License-Identifier: MIT */
#ifndef TEMPLATES_H
#define TEMPLATES_H

#include "properties/ltl.h"

/* Name on the command line, parameters (a letter each), formula, its idle form (vacuity.h; false: it is tried on every stretch), meaning. */
#define TEMPLATES(X) \
    X(absence,              "p",    "[]!p",                                 "false",             "p is never so") \
    X(existence,            "p",    "<>p",                                  "false",             "p is so at least once") \
    X(bounded-existence-1,  "p",    "!p W (p W []!p)",                      "[]!p",              "p becomes so at most once") \
    X(bounded-existence-2,  "p",    "!p W (p W (!p W (p W []!p)))",         "[]!p",              "p becomes so at most twice") \
    X(universality,         "p",    "[]p",                                  "false",             "p is always so") \
    X(precedence,           "ps",   "!p W s",                               "[]!p",              "p is not so before s was, or is") \
    X(response,             "ps",   "[](p -> <>s)",                         "[]!p",              "whenever p is so, s is so then or later") \
    X(precedence-chain-2-1, "pst",  "!p W (s && !p && X (!p W (t && !p)))", "[]!p",              "p is not so before s was, and after it t") \
    X(precedence-chain-1-2, "pst",  "<>(s && X <>t) -> (!s U p)",           "[]!(s && X <>t)",   "s, and after it t, are not so unless p " \
                                                                                                 "was, or is when s is first so") \
    X(response-chain-2-1,   "pst",  "[](s && X <>t -> X <>(t && <>p))",     "[]!(s && X <>t)",   "whenever s is so and after it t, p is so " \
                                                                                                 "with t or later") \
    X(response-chain-1-2,   "pst",  "[](p -> <>(s && X <>t))",              "[]!p",              "whenever p is so, s is so then or later, " \
                                                                                                 "and after it t") \
    X(constrained-chain,    "pstz", "[](p -> <>(s && !z && X (!z U t)))",   "[]!p",              "whenever p is so, s is so then or later, " \
                                                                                                 "and after it t, with z neither with s " \
                                                                                                 "nor between them")

/* Name, parameters, formula (`it` is the pattern), whether the pattern stops at r, meaning. */
#define SCOPES(X) \
    X(globally,    "",   "it",                               false, "from the first state on, for ever") \
    X(before,      "r",  "<>r -> it",                        true,  "up to the first r, if there is one") \
    X(after,       "q",  "!q W (q && it)",                   false, "from the first q on, for ever") \
    X(between,     "qr", "[](q && !r && <>r -> it)",         true,  "from each q up to the next r, if there is one") \
    X(after-until, "qr", "[](q && !r -> it)",                true,  "from each q up to the next r, or for ever")

struct template { const char *name, *parameters, *formula, *idle, *meaning; };
struct scope    { const char *name, *parameters, *formula; bool stops; const char *meaning; };

enum { TEMPLATE_COUNT = 12, SCOPE_COUNT = 5, TEMPLATE_PARAMETERS = 6 };  /* parameters: those of a pattern and a scope together */
extern const struct template templates[TEMPLATE_COUNT];
extern const struct scope    scopes[SCOPE_COUNT];

/* NULL with err, which names those that there are. */
const struct template *template_find(const char *name, struct err *);
const struct scope    *scope_find(const char *name, struct err *);

/* The formula with its parameters as symbols: p, s, t, z, q, r; and its idle form. */
uint32_t template_formula(struct ltl *, const struct template *, const struct scope *);
uint32_t template_idle(struct ltl *, const struct template *, const struct scope *);

/* What a parameter stands for: `name` is one letter, `text` a formula. */
struct template_argument { char name; const char *text; };
/* The formula with arguments in the place of parameters. Each must be given once, and no other. */
int      template_make(struct ltl *, const struct template *, const struct scope *, const struct template_argument *, int count,
                       uint32_t *formula, struct err *);
int      template_make_idle(struct ltl *, const struct template *, const struct scope *, const struct template_argument *, int count,
                            uint32_t *idle, struct err *);

#endif
