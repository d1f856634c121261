/* SPDX-License-Identifier: MIT */
#include "search/bloom.h"

#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BITS_A_STATE = 16, HASHES = 3, LEAST_BITS = 1 << 16 };

void bloom_init(struct bloom *b, uint64_t states)
{
    uint64_t bits = LEAST_BITS;
    while (bits < BITS_A_STATE * states && bits < UINT64_C(1) << 60)
        bits *= 2;
    *b = (struct bloom){ .words = memory_get(bits / 8), .mask = bits - 1 };
}

void bloom_fini(struct bloom *b) { free(b->words); }

void bloom_clear(struct bloom *b)
{
    memset(b->words, 0, (b->mask + 1) / 8);
    b->set = 0;
}

bool bloom_add(struct bloom *b, const uint64_t fingerprint[2])
{
    bool new = false;
    for (uint64_t i = 0; i < HASHES; i++) {
        uint64_t at = (fingerprint[0] + i * (fingerprint[1] | 1)) & b->mask, bit = UINT64_C(1) << at % 64;
        new |= !(b->words[at / 64] & bit);
        b->set += !(b->words[at / 64] & bit);
        b->words[at / 64] |= bit;
    }
    assert(b->set <= b->mask + 1);
    return new;
}

double bloom_hides(const struct bloom *b) { return pow((double)b->set / ((double)b->mask + 1), HASHES); }
