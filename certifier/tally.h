/* How many different fingerprints there are, without keeping them all in memory: they are sorted by so many at a time, into runs in a file
 * without a name, which are merged at the end.
 * SPDX-License-Identifier: MIT */
#ifndef TALLY_H
#define TALLY_H

#include "base/err.h"

#include <stdint.h>
#include <stdio.h>

enum { TALLY_AT_A_TIME = 1 << 16 };  /* fingerprints in memory */

struct tally;
struct tally *tally_new(void);                                   /* gives, return it with tally_free */
void          tally_free(struct tally *);                        /* NULL is fine */
void          tally_add(struct tally *, const uint64_t fingerprint[2]);
/* So many of another, in order, which stand in a file from there on. The file is opened when they are asked for: there may be many. */
void          tally_add_run(struct tally *, const char *file, uint64_t at, uint64_t count);
/* 0, and how many different ones there are; to `out`, if it is not NULL, they are written in order. Once, at the end. */
int           tally_end(struct tally *, FILE *out, uint64_t *different, struct err *);

#endif
