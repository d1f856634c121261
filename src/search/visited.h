/* The global states that were entered, by fingerprint. 16 bytes a state and room to grow; two different states with the same
 * 128-bit fingerprint do not happen.
 * Invariant: no table is full, so looking for a state in one comes to an end.
 * SPDX-License-Identifier: MIT */
#ifndef VISITED_H
#define VISITED_H

#include <stdbool.h>
#include <stdint.h>

struct visited;
enum numbering { WITHOUT_NUMBERS = 0, WITH_NUMBERS = 1, WITH_SLEEP = 2 };       /* what is kept beside a state: bits */

struct visited *visited_new(enum numbering);                     /* gives; return it with visited_free */
void            visited_free(struct visited *);                  /* NULL is fine */
/* True: new, and now in the set. `number`, where kept: the order in which it came; of the old one when it is not new. */
bool            visited_add(struct visited *, const uint64_t fingerprint[2], uint64_t *number);

bool            visited_has(const struct visited *, const uint64_t fingerprint[2]);

/* WITH_SLEEP: the set that belongs to a state which is there, empty at first. Valid until the next one is added. */
uint64_t       *visited_sleep(const struct visited *, const uint64_t fingerprint[2]);

void            visited_prefetch(const struct visited *, const uint64_t fingerprint[2]);   /* it will be asked for soon */

uint64_t        visited_bytes(const struct visited *);           /* about as much memory as it takes */

#endif
