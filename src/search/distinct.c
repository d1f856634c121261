/* SPDX-License-Identifier: MIT */
#include "search/distinct.h"

#include <math.h>

enum { REGISTERS = 1 << DISTINCT_BITS };

/* All bits of what comes out depend on all that go in, which is not so of every fingerprint (the end of MurmurHash3). */
static uint64_t mixed(uint64_t h)
{
    h = (h ^ h >> 33) * UINT64_C(0xff51afd7ed558ccd);
    h = (h ^ h >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    return h ^ h >> 33;
}

/* The number of zeros at which a random word begins says how many there were, roughly; the mean over many registers says it well. */
void distinct_add(struct distinct *d, const uint64_t fingerprint[2])
{
    uint64_t hash = mixed(fingerprint[0] ^ mixed(fingerprint[1]));
    uint64_t rest = hash << DISTINCT_BITS | (REGISTERS - 1);     /* never 0 */
    uint8_t  zeros = (uint8_t)(__builtin_clzll(rest) + 1), *longest = &d->longest[hash >> (64 - DISTINCT_BITS)];
    if (zeros > *longest)
        *longest = zeros;
}

/* Ertl's corrections for registers that nothing came to, and for those that are full. */
static double sigma(double x)
{
    double y = 1, z = x, before;
    do {
        x *= x;
        before = z;
        z += x * y;
        y += y;
    } while (z > before);
    return z;
}

static double tau(double x)
{
    double y = 1, z = 1 - x, before;
    if (x <= 0 || x >= 1)
        return 0;
    do {
        x = sqrt(x);
        before = z;
        y /= 2;
        z -= (1 - x) * (1 - x) * y;
    } while (z < before);
    return z / 3;
}

uint64_t distinct_count(const struct distinct *d)
{
    enum { ZEROS = 64 - DISTINCT_BITS };
    double all = REGISTERS, with[ZEROS + 2] = { 0 };
    for (int i = 0; i < REGISTERS; i++)
        with[d->longest[i]]++;
    if (with[0] >= all)
        return 0;
    double z = all * tau(1 - with[ZEROS + 1] / all);
    for (int k = ZEROS; k > 0; k--)
        z = (z + with[k]) / 2;
    z += all * sigma(with[0] / all);
    return (uint64_t)(all * all / (2 * log(2) * z) + 0.5);
}
