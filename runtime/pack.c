/* SPDX-License-Identifier: MIT */
#include "pack.h"
#include "group.h"

#include <cpuid.h>
#include <string.h>
#pragma GCC poison malloc calloc free printf

/* LEAST: a shorter run of zeros is copied with what is around it, for each piece has a cost. */
enum { GRAIN = 256, LEAST = 4 * GRAIN };

typedef uint64_t words __attribute__((vector_size(32), may_alias));

/* The first of these grains, which are aligned, that is not zero. It is compiled twice: with AVX2 it takes half the time. */
#define FIRST_NOT_ZERO(name) \
    static const char *name(const char *p, const char *end) \
    { \
        for (; p < end; p += GRAIN) { \
            const words *w = (const words *)p; \
            words a = (w[0] | w[1]) | (w[2] | w[3]) | (w[4] | w[5]) | (w[6] | w[7]); \
            if ((a[0] | a[1]) | (a[2] | a[3])) \
                break; \
        } \
        return p; \
    }
FIRST_NOT_ZERO(first_not_zero)
__attribute__((target("avx2"))) FIRST_NOT_ZERO(first_not_zero_fast)

/* Not by the compiler's own function: it leaves what it found in the program's memory, which is then another on each machine. */
bool rt_pack_fast(void)
{
    enum { SAVES_YMM = 6 };
    unsigned a, b, c, d, low, high;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE) || !__get_cpuid_count(7, 0, &a, &b, &c, &d))
        return false;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return b & bit_AVX2 && (low & SAVES_YMM) == SAVES_YMM;
}

static uint64_t grain(uint64_t at, uint64_t hi)          /* up to where the next one is aligned */
{
    uint64_t whole = GRAIN - at % GRAIN;
    return hi - at < whole ? hi - at : whole;
}

static bool is_zero(uint64_t at, uint64_t bytes)
{
    const char *p = (const char *)at;
    if (bytes == GRAIN)
        return first_not_zero(p, p + GRAIN) != p;
    while (bytes && !p[bytes - 1])
        bytes--;
    return !bytes;
}

static uint64_t skip_zeros(uint64_t at, uint64_t hi)             /* where a run of such grains ends */
{
    while (at < hi && is_zero(at, grain(at, hi))) {
        at += grain(at, hi);
        const char *p = (const char *)at, *end = (const char *)(hi - hi % GRAIN);
        at = (uint64_t)(rt_core->fast ? first_not_zero_fast(p, end) : first_not_zero(p, end));
    }
    return at;
}

static uint64_t skip_others(uint64_t at, uint64_t hi)
{
    while (at < hi && !is_zero(at, grain(at, hi)))
        at += grain(at, hi);
    return at;
}

/* The next run of zeros that is long enough, from `at`; when there is none, it begins and ends at hi. */
static uint64_t find_zeros(uint64_t at, uint64_t hi, uint64_t *end)
{
    do {
        at = skip_others(at, hi);
        *end = skip_zeros(at, hi);
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
    for (at = skip_zeros(at, hi); at < hi; at = skip_zeros(at, hi))
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
