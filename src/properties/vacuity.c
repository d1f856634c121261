/* SPDX-License-Identifier: MIT */
#include "properties/vacuity.h"

static bool is_false(const struct ltl *t, uint32_t f) { return ltl_operator(t, f) == LTL_FALSE; }

static uint32_t both(struct ltl *t, uint32_t a, uint32_t b)
{
    return is_false(t, a) ? a : is_false(t, b) ? b : ltl_make(t, LTL_AND, a, b);
}

static uint32_t implication(struct ltl *t, uint32_t a, uint32_t b)
{
    return is_false(t, b) ? ltl_not(t, a) : ltl_make(t, LTL_IMPLIES, a, b);
}

/* Around an operand that can be idle. */
static uint32_t around(struct ltl *t, enum ltl_operator op, uint32_t idle, uint32_t right)
{
    return is_false(t, idle) ? idle : ltl_make(t, op, idle, right);
}

uint32_t vacuity_idle(struct ltl *t, uint32_t f)
{
    enum ltl_operator op = ltl_operator(t, f);
    int operands = ltl_about[op].operands;
    uint32_t a = operands > 0 ? ltl_left(t, f) : 0, b = operands > 1 ? ltl_right(t, f) : 0;
    switch (op) {
    case LTL_IMPLIES: return implication(t, a, vacuity_idle(t, b));
    case LTL_AND:     return both(t, vacuity_idle(t, a), vacuity_idle(t, b));
    case LTL_ALWAYS:
    case LTL_NEXT:
    case LTL_WEAK:    return around(t, op, vacuity_idle(t, a), b);
    default:          return ltl_make(t, LTL_FALSE, 0, 0);
    }
}

/* Of a W b: b does not come before a is tried. When b says that a scope begins, it is what is said of the scope that is tried: c, of !q W (q && c). */
static uint32_t weak_trigger(struct ltl *t, uint32_t a, uint32_t b)
{
    bool scope = ltl_operator(t, a) == LTL_NOT && ltl_operator(t, b) == LTL_AND && ltl_left(t, b) == ltl_left(t, a);
    if (scope)
        return ltl_make(t, LTL_UNTIL, a, ltl_make(t, LTL_AND, ltl_left(t, b), vacuity_trigger(t, ltl_right(t, b))));
    return ltl_make(t, LTL_UNTIL, ltl_not(t, b), ltl_make(t, LTL_AND, vacuity_trigger(t, a), ltl_not(t, b)));
}

/* The negation, written as a person would: not ![]!p, but <>p. */
uint32_t vacuity_trigger(struct ltl *t, uint32_t idle)
{
    enum ltl_operator op = ltl_operator(t, idle);
    uint32_t a = ltl_about[op].operands > 0 ? ltl_left(t, idle) : 0, b = ltl_about[op].operands > 1 ? ltl_right(t, idle) : 0;
    switch (op) {
    case LTL_FALSE:   return ltl_make(t, LTL_TRUE, 0, 0);
    case LTL_TRUE:    return ltl_make(t, LTL_FALSE, 0, 0);
    case LTL_ALWAYS:  return ltl_make(t, LTL_EVENTUALLY, vacuity_trigger(t, a), 0);
    case LTL_NEXT:    return ltl_make(t, LTL_NEXT, vacuity_trigger(t, a), 0);
    case LTL_AND:     return ltl_make(t, LTL_OR, vacuity_trigger(t, a), vacuity_trigger(t, b));
    case LTL_WEAK:    return weak_trigger(t, a, b);
    case LTL_IMPLIES: return ltl_operator(t, b) == LTL_FALSE ? a : ltl_make(t, LTL_AND, a, vacuity_trigger(t, b));
    default:          return ltl_not(t, idle);
    }
}
