/* SPDX-License-Identifier: MIT */
#include "base/sha256.h"

#include <stdio.h>
#include <string.h>
#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>
#endif

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

static void compress_plainly(struct sha256 *s, const uint8_t block[64])
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

/* ---- by a processor that knows how ---- */

#ifdef __x86_64__
static bool knows_how(void)
{
    enum { SSSE3_AND_SSE4_1 = 1 << 9 | 1 << 19, SHA = 1 << 29 };
    unsigned a, b, c, d, most = __get_cpuid_max(0, NULL);
    if (most < 7)
        return false;
    __cpuid(1, a, b, c, d);
    bool has = (c & SSSE3_AND_SSE4_1) == SSSE3_AND_SSE4_1;
    __cpuid_count(7, 0, a, b, c, d);
    return has && b & SHA;
}

/* Its instructions do two rounds on the state as (a b e f) and (c d g h), and make four words of the schedule from the sixteen before. */
__attribute__((target("sha,ssse3,sse4.1"))) static void compress_by_processor(struct sha256 *s, const uint8_t block[64])
{
    const __m128i turned = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    __m128i *h = (__m128i *)s->h, dcba = _mm_shuffle_epi32(_mm_loadu_si128(&h[0]), 0xb1), hgfe = _mm_shuffle_epi32(_mm_loadu_si128(&h[1]), 0x1b);
    __m128i abef = _mm_alignr_epi8(dcba, hgfe, 8), cdgh = _mm_blend_epi16(hgfe, dcba, 0xf0), first = abef, second = cdgh, w[4];
    for (int i = 0; i < 4; i++)
        w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)block + i), turned);
    for (int i = 0; i < 16; i++) {
        __m128i four = _mm_add_epi32(w[i % 4], _mm_loadu_si128((const __m128i *)K + i));
        cdgh = _mm_sha256rnds2_epu32(cdgh, abef, four);
        abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(four, 0x0e));
        __m128i next = _mm_add_epi32(_mm_sha256msg1_epu32(w[i % 4], w[(i + 1) % 4]), _mm_alignr_epi8(w[(i + 3) % 4], w[(i + 2) % 4], 4));
        w[i % 4] = _mm_sha256msg2_epu32(next, w[(i + 3) % 4]);
    }
    abef = _mm_shuffle_epi32(_mm_add_epi32(abef, first), 0x1b);
    cdgh = _mm_shuffle_epi32(_mm_add_epi32(cdgh, second), 0xb1);
    _mm_storeu_si128(&h[0], _mm_blend_epi16(abef, cdgh, 0xf0));
    _mm_storeu_si128(&h[1], _mm_alignr_epi8(cdgh, abef, 8));
}

static void compress(struct sha256 *s, const uint8_t block[64])
{
    static int known;                /* 1: it knows how; -1: not */
    if (!known)
        known = knows_how() ? 1 : -1;
    if (known > 0 && !s->plainly)
        compress_by_processor(s, block);
    else
        compress_plainly(s, block);
}
#else
static void compress(struct sha256 *s, const uint8_t block[64]) { compress_plainly(s, block); }
#endif

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
