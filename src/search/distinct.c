/* SPDX-License-Identifier: MIT */
#include "search/distinct.h"

#include <math.h>

enum { REGISTERS = 1 << DISTINCT_BITS };

/* The number of zeros at which a random word begins says how many there were, roughly; the mean over many registers says it well. */
void distinct_add(struct distinct *d, const uint64_t fingerprint[2])
{
    uint64_t hash = (fingerprint[0] ^ fingerprint[1]) * UINT64_C(0x9e3779b97f4a7c15);
    uint64_t rest = hash << DISTINCT_BITS | (REGISTERS - 1);     /* never 0 */
    uint8_t  zeros = (uint8_t)(__builtin_clzll(rest) + 1), *longest = &d->longest[hash >> (64 - DISTINCT_BITS)];
    if (zeros > *longest)
        *longest = zeros;
}

uint64_t distinct_count(const struct distinct *d)
{
    double sum = 0, all = REGISTERS, empty = 0;
    for (int i = 0; i < REGISTERS; i++) {
        sum += ldexp(1, -d->longest[i]);
        empty += !d->longest[i];
    }
    double estimate = 0.7213 / (1 + 1.079 / all) * all * all / sum;
    if (estimate < 2.5 * all && empty > 0)
        estimate = all * log(all / empty);       /* of few, count those that hit nothing */
    return (uint64_t)(estimate + 0.5);
}
