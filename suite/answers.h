/* What the drivers came to, after each list of steps that was ever run: by it is known whether the box gives the same answers again. All
 * that a driver says goes into the digest: its operation, and what it printed and was answered on the way.
 *
 * Invariants: an entry never changes; the table is at most half full.
 * SPDX-License-Identifier: MIT */
#ifndef ANSWERS_H
#define ANSWERS_H

#include <stdbool.h>
#include <stdint.h>

struct remembered { uint64_t key, digest; uint32_t text; };          /* text: in words */
struct answers { struct remembered *slots; uint64_t mask, count; };

enum { ANSWERS_BEGIN = 1 };                                      /* the key of no steps */
uint64_t answers_key(uint64_t before, uint32_t process, uint32_t result);
/* NULL: it is as it was, or was never known until now. Else what it was. */
const struct remembered *answers_differ(struct answers *, uint64_t key, uint64_t digest, uint32_t text);
void answers_fini(struct answers *);

#endif
