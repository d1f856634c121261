/* The map FP: fingerprints of the states that entries still to come lead to, by state, each with how many these are.
 * Invariant: what nothing leads to any more is not kept.
 * SPDX-License-Identifier: MIT */
#ifndef KEPT_H
#define KEPT_H

#include <stdbool.h>
#include <stdint.h>

struct kept_state { uint64_t state, fingerprint[2], left; };     /* left 0: a free place */
struct kept { struct kept_state *places; uint64_t mask, count, most; };          /* all zero: empty. most: that were kept at a time */

void kept_fini(struct kept *);
void kept_put(struct kept *, uint64_t state, const uint64_t fingerprint[2], uint64_t left);      /* left 0: not kept */
/* NULL: it is not kept. Valid until the next change. */
const struct kept_state *kept_get(const struct kept *, uint64_t state);
void kept_use(struct kept *, uint64_t state);                    /* one entry led there; it is kept */

#endif
