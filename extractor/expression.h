/* Expressions and assignments of C in Promela, with the same meaning: Promela computes in C's int, so what C computes in int is
 * carried over as it stands, and what is stored in a narrower variable is cut to its width. What C computes otherwise (unsigned
 * int, long, pointers, floating point, calls) is refused, with the reason.
 * SPDX-License-Identifier: MIT */
#ifndef EXPRESSION_H
#define EXPRESSION_H

#include "extractor/machine.h"
#include "base/prose.h"

#include <stdbool.h>

struct naming {
    const char *(*name)(void *arg, const char *variable);        /* in the model; NULL: it is not there */
    void       *arg;
};

/* Each gives false, with the reason, and then `out` is of no use. */
bool        expression_put(struct prose *out, const struct tree *, const struct naming *, struct err *why);
bool        expression_statement(struct prose *out, const struct tree *, const struct naming *, struct err *why);

/* The Promela type of a variable of this C type, or NULL; an array's element type and, in *length, how many (0: no array). */
const char *expression_type(const char *c_type, int *length);
bool        expression_constant(const struct tree *, long long *value);

#endif
