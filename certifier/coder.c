/* SPDX-License-Identifier: MIT */
#include "certifier/coder.h"

#include "base/memory.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FEWEST = 1 << 12, MOST = 1 << 18, SURE = 24, ONE = 1 << 16, LIMIT = 2047, LEVELS = 3 };

/* Of a context: how likely a 1 is, from -32768 to 32767, and how often it was asked (up to SURE, then it forgets slowly). */
struct counter { int16_t one; uint16_t asked; };

struct coder {
    FILE          *file;
    bool           reads, bad;
    uint64_t       left;             /* of a reader: bytes of the file that are ours and not read */
    uint32_t       beyond;           /* and those that were asked for and are not there */
    uint32_t       low, high, at;    /* the interval; of a reader, where in it the file is */
    int16_t        stretched[ONE >> 4];
    uint16_t       share[SURE + 1];  /* of what a counter learns */
    int32_t        weights[CODER_KINDS][LEVELS][CODER_CONTEXTS];
    struct counter *counters;
    uint32_t       mask;             /* of counters: eight for each bit that was told, from FEWEST to MOST, a power of two */
    uint32_t       told;
};

/* 1 / (1 + e^-x) in 65536ths; x in 256ths, from -LIMIT to LIMIT: between two values of a table. */
static int squash(int x)
{
    static const int at[] = { 22, 36, 60, 98, 162, 267, 439, 720, 1179, 1921, 3108, 4971, 7812, 11955, 17625, 24743, 32768, 40793, 47911, 53581,
                              57724, 60565, 62428, 63615, 64357, 64816, 65097, 65269, 65374, 65438, 65476, 65500, 65514 };
    int part = (x + LIMIT + 1) & 127, i = (x + LIMIT + 1) >> 7;
    return (at[i] * (128 - part) + at[i + 1] * part + 64) >> 7;
}

static void make_tables(struct coder *c)
{
    int from = 0;
    for (int x = -LIMIT; x <= LIMIT; x++)        /* the other way round */
        for (; from <= squash(x) >> 4; from++)
            c->stretched[from] = (int16_t)x;
    for (; from < ONE >> 4; from++)
        c->stretched[from] = LIMIT;
    for (int i = 0; i <= SURE; i++)
        c->share[i] = (uint16_t)(2 * ONE / (2 * i + 3));
    for (int i = 0; i < CODER_KINDS * LEVELS * CODER_CONTEXTS; i++)
        (&c->weights[0][0][0])[i] = ONE * 2 / 5;
}

static struct coder *make(FILE *file)
{
    struct coder *c = memory_get(sizeof *c);
    c->file = file;
    c->high = UINT32_MAX;
    c->counters = memory_get(FEWEST * sizeof *c->counters);
    c->mask = FEWEST - 1;
    make_tables(c);
    return c;
}

struct coder *coder_writer(FILE *file) { return make(file); }

static uint32_t next_byte(struct coder *c)
{
    int byte = c->left ? getc(c->file) : EOF;
    c->left -= c->left != 0;
    c->beyond += byte == EOF;
    c->bad |= c->beyond > 0;
    return byte == EOF ? 0 : (uint32_t)byte;
}

struct coder *coder_reader(FILE *file, uint64_t bytes)
{
    struct coder *c = make(file);
    c->reads = true;
    c->left = bytes;
    for (int i = 0; i < 4; i++)
        c->at = c->at << 8 | next_byte(c);
    return c;
}

void coder_free(struct coder *c)
{
    if (c && c->reads)
        fclose(c->file);
    if (c)
        free(c->counters);
    free(c);
}

bool coder_reads(const struct coder *c) { return c->reads; }
bool coder_bad(const struct coder *c)   { return c->bad; }
bool coder_over(const struct coder *c)  { return !c->bad && !c->left; }

int coder_finish(struct coder *c)
{
    errno = 0;
    for (int i = 0; i < 4; i++, c->low <<= 8)
        putc((int)(c->low >> 24), c->file);
    return ferror(c->file) ? -(errno ? errno : EIO) : 0;
}

/* ---- a bit ---- */

/* The interval is cut in proportion; what both its ends agree on is written, or was read. */
static bool narrow(struct coder *c, bool bit, uint32_t one)
{
    uint32_t range = c->high - c->low, middle = c->low + (range >> 16) * one + ((range & 0xffff) * one >> 16);
    if (c->reads)
        bit = c->at <= middle;
    if (bit)
        c->high = middle;
    else
        c->low = middle + 1;
    while (!((c->low ^ c->high) >> 24)) {
        if (c->reads)
            c->at = c->at << 8 | next_byte(c);
        else
            putc((int)(c->high >> 24), c->file);
        c->low <<= 8;
        c->high = c->high << 8 | 255;
    }
    return bit;
}

static void learn(struct coder *c, struct counter *counter, bool bit)
{
    int to = bit ? ONE / 2 - 1 : -ONE / 2, by = (to - counter->one) * (int)c->share[counter->asked] / ONE;
    counter->one = (int16_t)(counter->one + by);
    counter->asked += counter->asked < SURE;
}

/* Each counter becomes two, of which each goes on by itself. */
static void make_room(struct coder *c)
{
    uint32_t count = c->mask + 1;
    if (count == MOST || ++c->told < count / 8)
        return;
    c->counters = memory_resize(c->counters, 2 * (size_t)count * sizeof *c->counters);
    memcpy(c->counters + count, c->counters, count * sizeof *c->counters);
    c->mask = 2 * count - 1;
}

bool coder_bit(struct coder *c, bool bit, unsigned kind, const uint32_t *contexts, int count)
{
    struct counter *counters[CODER_CONTEXTS];
    int guesses[CODER_CONTEXTS], sure = 0;
    int64_t sum = 0;
    assert(kind < CODER_KINDS && count <= CODER_CONTEXTS);
    make_room(c);
    for (int i = 0; i < count; i++) {
        counters[i] = &c->counters[coder_mix(contexts[i], kind << 4 | (unsigned)i) & c->mask];
        guesses[i] = c->stretched[(counters[i]->one + ONE / 2) >> 4];
        sure = counters[i]->asked > sure ? counters[i]->asked : sure;
    }
    int32_t *weights = c->weights[kind][sure < 3 ? 0 : sure < 20 ? 1 : 2];
    for (int i = 0; i < count; i++)
        sum += (int64_t)weights[i] * guesses[i];
    sum /= ONE;
    int one = squash(sum > LIMIT ? LIMIT : sum < -LIMIT ? -LIMIT : (int)sum);
    bit = narrow(c, bit, (uint32_t)one);
    int wrong = (bit ? ONE - 1 : 0) - one;
    for (int i = 0; i < count; i++) {
        weights[i] += (int32_t)((int64_t)guesses[i] * wrong / 6400);
        learn(c, counters[i], bit);
    }
    return bit;
}

uint64_t coder_number(struct coder *c, uint64_t number, int bits, unsigned kind, uint32_t context)
{
    uint64_t read = 0;
    for (int i = bits - 1; i >= 0; i--) {
        uint32_t contexts[] = { coder_mix(context, (uint32_t)(read + (UINT64_C(1) << (bits - i - 1)))) };
        read = read << 1 | coder_bit(c, number >> i & 1, kind, contexts, 1);
    }
    return read;
}
