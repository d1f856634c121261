/* How often in a row a guess of one sort was right. What was right often enough is sure: it is told by one cheap bit (coder_sure), not by a
 * mixture of many. A sort of guess is a number that is hashed from what the guess rests on; two that fall on one place are mostly told apart.
 * SPDX-License-Identifier: MIT */
#ifndef TRUST_H
#define TRUST_H

#include <stdbool.h>
#include <stdint.h>

enum { TRUST_PLACES = 1 << 16, TRUST_FROM = 3, TRUST_MOST = 255 };       /* FROM: so often in a row, and it is sure */

struct trust { struct { uint8_t tag, right; } places[TRUST_PLACES]; };   /* all zero: nothing was right yet */

static inline int trust_of(const struct trust *t, uint32_t sort)         /* -1: it was never met, or long ago */
{
    uint32_t at = sort % TRUST_PLACES;
    return t->places[at].tag == (uint8_t)(sort >> 24) ? t->places[at].right : -1;
}

static inline void trust_learn(struct trust *t, uint32_t sort, bool right)
{
    uint32_t at = sort % TRUST_PLACES;
    uint8_t before = t->places[at].tag == (uint8_t)(sort >> 24) ? t->places[at].right : 0;
    t->places[at].tag = (uint8_t)(sort >> 24);
    t->places[at].right = (uint8_t)(right ? before + (before < TRUST_MOST) : 0);
}

#endif
