/* How many different fingerprints there are, without keeping them all in memory: they go to a file without a name, so many at a time; at the
 * end these are sorted, each by itself, and merged.
 * SPDX-License-Identifier: MIT */
#ifndef TALLY_H
#define TALLY_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { TALLY_FEWEST = 1 << 4, TALLY_MOST = 1 << 16 };    /* fingerprints in memory */

struct tally;
struct tally *tally_new(uint64_t expected);                      /* in memory are an eighth of so many, from FEWEST to MOST. Gives, return it with tally_free */
uint32_t      tally_at_a_time(const struct tally *);             /* which these are */
void          tally_free(struct tally *);                        /* NULL is fine */
void          tally_add(struct tally *, const uint64_t fingerprint[2]);
/* All that were added so far, in the order in which they were. 0, or negative with err. Before tally_end. */
int           tally_each(struct tally *, void (*each)(void *arg, const uint64_t fingerprint[2]), void *arg, struct err *);
/* Are those that were added so far all different? More can be added then. Takes room for as many again, in memory and in a file. */
int           tally_all_differ(struct tally *, bool *differ, struct err *);
/* So many of another, in order, which stand in a file from there on. The file is opened when they are asked for: there may be many. */
void          tally_add_run(struct tally *, const char *file, uint64_t at, uint64_t count);
/* 0, and how many different ones there are; to `out`, if it is not NULL, they are written in order. Once, at the end. */
int           tally_end(struct tally *, FILE *out, uint64_t *different, struct err *);

#endif
