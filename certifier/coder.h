/* Bits to a file and from one, each in as little room as it was foretold well: an arithmetic coder with adaptive, mixed guesses.
 *
 * Whoever tells a bit names contexts: what the bit may depend on, as numbers. For each a counter says how often it was 1 there; the guesses
 * of all counters are mixed by weights that are learned for each kind of bit (logistic mixing, M. Mahoney, Adaptive Weighing of Context
 * Models, 2005). Of bits that are sure, only the length of runs is told; the other bits that fall into a run are told behind it.
 * What is certain takes next to nothing: but no byte stands for more than CODER_LEAST bits, so a short file is a short script.
 *
 * Writer and reader make the same calls: coder_bit writes the bit that it is given, or reads one and gives that. All numbers are integers,
 * so that they come out the same on every machine.
 * SPDX-License-Identifier: MIT */
#ifndef CODER_H
#define CODER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { CODER_KINDS = 16, CODER_CONTEXTS = 5, CODER_LEAST = 1 << 15 };

struct coder;
struct coder *coder_writer(FILE *);                              /* borrows; gives, return it with coder_free */
struct coder *coder_reader(FILE *, uint64_t bytes);              /* from where the file stands; takes the file */
void          coder_free(struct coder *);                        /* NULL is fine */
int           coder_finish(struct coder *);                      /* of a writer; 0, or negative errno when something was not written */
bool          coder_reads(const struct coder *);
bool          coder_bad(const struct coder *);                   /* of a reader: it has gone beyond the end */
bool          coder_over(const struct coder *);                  /* of a reader: all was read */

/* A bit of this kind, which may depend on any of these. */
bool     coder_bit(struct coder *, bool bit, unsigned kind, const uint32_t *contexts, int count);
/* A bit that is next to sure to be 1: only how many of these in a row were 1 is written. */
bool     coder_sure(struct coder *, bool bit);
/* A number of so many bits, of which it is known only how often each came in this context. */
uint64_t coder_number(struct coder *, uint64_t number, int bits, unsigned kind, uint32_t context);

static inline uint32_t coder_mix(uint32_t a, uint32_t b)         /* two parts of a context */
{
    uint32_t h = (a ^ (b + UINT32_C(0x9e3779b9) + (a << 6) + (a >> 2))) * UINT32_C(0x85ebca6b);
    return h ^ h >> 15;
}

#endif
