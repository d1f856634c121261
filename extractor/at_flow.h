/* Which labels and control states of a function in @-format can be reached: C's statements, read as far as control needs, with
 * every condition taken both ways. Macros are taken as they stand: what they hide goes on.
 * SPDX-License-Identifier: MIT */
#ifndef AT_FLOW_H
#define AT_FLOW_H

#include "extractor/token.h"

#include <stdbool.h>

struct flow_label {
    const char *name;                /* not ended by NUL; of a control state its name without A_ and B_ */
    int         length;
    int         mark;                /* the token of its @, or -1: a label of C */
    bool        reached;             /* set beforehand for what is reached from outside */
};

/* The function is tokens[open] to tokens[close], its braces. Sets `reached`. */
void flow_follow(const struct tokens *, int open, int close, struct flow_label *, int count);

#endif
