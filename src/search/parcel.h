/* Numbers in a row, as one process writes them and another reads them: what is asked of it, and what it answers (abroad.h).
 *
 * Invariant: what was not written whole by the same version of this is not read: it is `torn`, and so is one that is read beyond its end, which gives
 * zeros from there on.
 * SPDX-License-Identifier: MIT */
#ifndef PARCEL_H
#define PARCEL_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct parcel {
    uint64_t *words;                 /* owned */
    uint32_t  count, room;
    uint32_t  at;                    /* the next to be read */
    bool      torn;
};

void     parcel_put(struct parcel *, uint64_t);
void     parcel_seal(struct parcel *);           /* nothing more will be put: it can be sent */
bool     parcel_open(struct parcel *);           /* reads from the start; false: it is torn */
uint64_t parcel_get(struct parcel *);
uint32_t parcel_count(struct parcel *);          /* a number of things of which each takes a word or more: not more than are left */
/* Of files. Negative with err: it cannot be written; a reader sees all of it or nothing. False: it cannot be read. */
int      parcel_store(const char *file, const uint64_t *words, uint32_t count, struct err *);
bool     parcel_load(const char *file, struct parcel *);
void     parcel_fini(struct parcel *);

#endif
