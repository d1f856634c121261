/* Which of ours is which of theirs: a one-to-one correspondence between two sets of numbers, found as it is used. Two runs of a
 * program meet the same objects, but in another order, or elsewhere in memory.
 * Invariant: no number of either side has two partners.
 * SPDX-License-Identifier: MIT */
#ifndef PAIRING_H
#define PAIRING_H

#include <stdbool.h>
#include <stdint.h>

struct pairing { struct pair { uint32_t ours, theirs; } *pairs; uint32_t count, room; };         /* all zero: empty */

void pairing_fini(struct pairing *);                                     /* leaves it empty */
/* Are they partners? When neither has one yet, from now on they are. */
bool pairing_agree(struct pairing *, uint32_t ours, uint32_t theirs);
void pairing_part(struct pairing *, uint32_t theirs);                    /* from now on it has no partner */

#endif
