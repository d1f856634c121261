/* SPDX-License-Identifier: MIT */
#include "base/sha256.h"

#include <stdio.h>
#include <string.h>

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

void sha256_init(struct sha256 *s)
{
    *s = (struct sha256){ .h = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 } };
}

static uint32_t right(uint32_t x, int n) { return x >> n | x << (32 - n); }

static void schedule(const uint8_t block[64], uint32_t w[64])
{
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 64; i++)
        w[i] = w[i - 16] + w[i - 7] + (right(w[i - 15], 7) ^ right(w[i - 15], 18) ^ w[i - 15] >> 3)
             + (right(w[i - 2], 17) ^ right(w[i - 2], 19) ^ w[i - 2] >> 10);
}

/* One round; `first` is whose turn it is to be a, so that nothing moves. */
#define ROUND(v, i, first) \
    do { \
        uint32_t a = v[first], b = v[(first + 1) % 8], c = v[(first + 2) % 8], e = v[(first + 4) % 8]; \
        uint32_t one = v[(first + 7) % 8] + (right(e, 6) ^ right(e, 11) ^ right(e, 25)) + ((e & v[(first + 5) % 8]) ^ (~e & v[(first + 6) % 8])) \
                     + K[i] + w[i]; \
        v[(first + 3) % 8] += one; \
        v[(first + 7) % 8] = one + (right(a, 2) ^ right(a, 13) ^ right(a, 22)) + ((a & b) ^ (a & c) ^ (b & c)); \
    } while (0)

static void compress(struct sha256 *s, const uint8_t block[64])
{
    uint32_t w[64], v[8];
    schedule(block, w);
    memcpy(v, s->h, sizeof v);
    for (int i = 0; i < 64; i += 8) {
        ROUND(v, i, 0);
        ROUND(v, i + 1, 7);
        ROUND(v, i + 2, 6);
        ROUND(v, i + 3, 5);
        ROUND(v, i + 4, 4);
        ROUND(v, i + 5, 3);
        ROUND(v, i + 6, 2);
        ROUND(v, i + 7, 1);
    }
    for (int i = 0; i < 8; i++)
        s->h[i] += v[i];
}

void sha256_add(struct sha256 *s, const void *bytes, size_t count)
{
    for (const uint8_t *b = bytes; count;) {
        size_t at = s->length % 64, part = count < 64 - at ? count : 64 - at;
        if (part == 64) {
            compress(s, b);
        } else {
            memcpy(s->block + at, b, part);
            if (at + part == 64)
                compress(s, s->block);
        }
        s->length += part;
        b += part;
        count -= part;
    }
}

struct sha256_text sha256_end(struct sha256 *s)
{
    uint64_t bits = 8 * s->length;
    uint8_t last[8];
    struct sha256_text out;
    sha256_add(s, "\x80", 1);
    while (s->length % 64 != 56)
        sha256_add(s, "", 1);
    for (int i = 0; i < 8; i++)
        last[i] = (uint8_t)(bits >> (56 - 8 * i));
    sha256_add(s, last, sizeof last);
    for (int i = 0; i < 8; i++)
        snprintf(out.text + 8 * i, 9, "%08x", s->h[i]);
    return out;
}
