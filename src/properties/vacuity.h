/* Vacuity: a requirement may be met because what it is about never happens. 'Whenever p, then later s' is so of every run without p.
 *
 * The idle form of a requirement is a formula that implies it, and is so of exactly the runs in which it was never put to the test: every answer that
 * it asks for is replaced by false (as Kupferman and Vardi do, Vacuity Detection in Temporal Model Checking, 1999, for one chosen
 * part). Its negation is the trigger: when no run has it, what was verified was never tried. Of templates the idle form stands in their
 * table (templates.h). Of other formulas it is found where they are written as implications, and there alone: what is not written so
 * has no part of which we could know that it is the answer.
 *
 *     p -> q   p -> idle(q)      []p   []idle(p)      p W q   idle(p) W q      p && q   idle(p) && idle(q)
 *     X p      X idle(p)         anything else: false; and false around what is false, but for p -> q
 * SPDX-License-Identifier: MIT */
#ifndef VACUITY_H
#define VACUITY_H

#include "properties/ltl.h"

/* LTL_FALSE: no run is known to leave it untried. */
uint32_t vacuity_idle(struct ltl *, uint32_t formula);
/* What must happen in a run for the formula to be tried on it; LTL_TRUE: nothing is known to be needed. */
uint32_t vacuity_trigger(struct ltl *, uint32_t idle);

#endif
