/* A set of states in a few bits each (Bloom 1970; Holzmann's supertrace), in a table of fixed size. It never calls a state new that is not; it
 * may miss one, and how often that happens is known.
 * Invariant: the number of bits is a power of two, and `set` says how many of them are.
 * SPDX-License-Identifier: MIT */
#ifndef BLOOM_H
#define BLOOM_H

#include <stdbool.h>
#include <stdint.h>

struct bloom { uint64_t *words, mask, set; };            /* mask: of the number of bits; words: owned */

void   bloom_init(struct bloom *, uint64_t states);      /* room for about so many */
void   bloom_fini(struct bloom *);
void   bloom_clear(struct bloom *);
bool   bloom_add(struct bloom *, const uint64_t fingerprint[2]);         /* true: it was not there */
double bloom_hides(const struct bloom *);                /* the chance that a new state is taken for one that is there */

#endif
