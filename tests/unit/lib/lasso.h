/* Infinite words for tests of temporal logic: a lasso is a beginning and a part that is repeated for ever. All lassos up to a length can be
 * gone through, and an automaton asked about each, by brute force on the product.
 * SPDX-License-Identifier: MIT */
#ifndef LASSO_H
#define LASSO_H

#include "properties/buchi.h"

enum { LASSO_LONGEST = 16 };

struct lasso {
    uint64_t letters[LASSO_LONGEST]; /* bit i: symbol i is true */
    int      length;
    int      again;                  /* behind the last letter comes letters[again] */
};

static inline int lasso_next(const struct lasso *w, int at) { return at + 1 < w->length ? at + 1 : w->again; }

/* The first lasso over `symbols` with a beginning of `start` letters and a repeated part of `loop`; then the next, until false. */
void lasso_first(struct lasso *, int start, int loop);
bool lasso_step(struct lasso *, int symbols);

char *lasso_text(const struct lasso *, int symbols);                     /* gives: ab- (a-b)*, for a person */

/* Is there an accepting run? Symbol i of the lasso is called names[i]; what the automaton does not name plays no part. */
bool lasso_accepted(const struct lasso *, const struct buchi *, const char *const *names, int symbols);

#endif
