/* The value of a Promela expression over numbers, for telling when a symbol of a property changes.
 * SPDX-License-Identifier: MIT */
#ifndef EVALUATE_H
#define EVALUATE_H

#include <stdbool.h>

/* `value` finds a variable ("x", "x[1]") or a constant. False: the expression has something else in it. */
bool evaluate(const char *expression, bool (*value)(void *, const char *name, long long *), void *arg, long long *result);

#endif
