/* SPDX-License-Identifier: MIT */
#include "pack.h"

#include <string.h>

/* LEAST: a shorter run of zeros is copied with what is around it, for each piece has a cost. */
enum { GRAIN = 256, LEAST = 4 * GRAIN };

typedef uint64_t words __attribute__((vector_size(32), aligned(1), may_alias));

static inline bool is_zero_grain(const char *p)
{
    const words *w = (const words *)p;
    words a = w[0] | w[1], b = w[2] | w[3], c = w[4] | w[5], d = w[6] | w[7];
    a = (a | b) | (c | d);
    return !((a[0] | a[1]) | (a[2] | a[3]));
}

static bool is_zero(const char *p, uint64_t bytes)
{
    if (bytes == GRAIN)
        return is_zero_grain(p);
    while (bytes && !p[bytes - 1])
        bytes--;
    return !bytes;
}

static uint64_t grain(uint64_t at, uint64_t hi) { return hi - at < GRAIN ? hi - at : GRAIN; }

static uint64_t skip(uint64_t at, uint64_t hi, bool zero)        /* where a run of such grains ends */
{
    while (at < hi && is_zero((const char *)at, grain(at, hi)) == zero)
        at += grain(at, hi);
    return at;
}

/* The next run of zeros that is long enough, from `at`; when there is none, it begins and ends at hi. */
static uint64_t find_zeros(uint64_t at, uint64_t hi, uint64_t *end)
{
    do {
        at = skip(at, hi, false);
        *end = skip(at, hi, true);
        if (*end - at >= LEAST)
            return at;
        at = *end;
    } while (at < hi);
    return hi;
}

static uint64_t lines(uint64_t bytes) { return (bytes + 63) / 64 * 64; }

static char *add(char *to, char *end, uint64_t lo, uint64_t hi, bool zero)
{
    struct rt_piece *piece = (struct rt_piece *)to;
    if (!to || lo == hi)
        return to;
    if (lines(hi - lo) + sizeof *piece > (uint64_t)(end - to))
        return NULL;
    *piece = (struct rt_piece){lo, hi - lo, zero};
    if (!zero)
        memcpy(piece + 1, (void *)lo, hi - lo);
    return (char *)(piece + 1) + (zero ? 0 : lines(hi - lo));
}

char *rt_pack(char *to, char *end, uint64_t lo, uint64_t hi)
{
    while (to && lo < hi) {
        uint64_t stop, zeros = find_zeros(lo, hi, &stop);
        to = add(to, end, lo, zeros, false);
        to = add(to, end, zeros, stop, true);
        lo = stop;
    }
    return to;
}

static void clear(uint64_t at, uint64_t hi)
{
    for (; at < hi; at += grain(at, hi))
        if (!is_zero((const char *)at, grain(at, hi)))
            memset((void *)at, 0, grain(at, hi));
}

const char *rt_unpack(const struct rt_piece *piece)
{
    const char *bytes = (const char *)(piece + 1);
    if (piece->zero) {
        clear(piece->at, piece->at + piece->bytes);
        return bytes;
    }
    memcpy((void *)piece->at, bytes, piece->bytes);
    return bytes + lines(piece->bytes);
}
