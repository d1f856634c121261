/* SPDX-License-Identifier: MIT */
#include "certifier/coder.h"

#include "base/memory.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FEWEST = 1 << 12, MOST = 1 << 18, SURE = 24, ONE = 1 << 16, LIMIT = 2047, LEVELS = 3, LONGEST_RUN = 1 << 15, MOST_HELD = 1 << 16 };

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
    uint32_t       run;              /* sure bits of the run: until now, of a reader those that are left */
    bool           open, ends;       /* there is a run; of a reader: behind it comes one that was not so */
    uint32_t      *held, held_count, held_room;          /* of a writer: bits within the run, each with its probability */
    uint16_t       lengths[32];      /* of runs: how likely each bit is of how many bits they have, and whether something ends it */
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
    for (int i = 0; i < 32; i++)
        c->lengths[i] = ONE / 2;
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
    if (!c)
        return;
    if (c->reads)
        fclose(c->file);
    free(c->counters);
    free(c->held);
    free(c);
}

bool coder_reads(const struct coder *c) { return c->reads; }
bool coder_bad(const struct coder *c)   { return c->bad; }
bool coder_over(const struct coder *c)  { return !c->bad && !c->left; }

/* The interval is cut in proportion; what both its ends agree on is written, or was read. */
static bool narrow(struct coder *c, bool bit, uint32_t one)
{
    uint32_t middle = c->low + (uint32_t)((uint64_t)(c->high - c->low) * one >> 16);
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

/* ---- runs ---- */

/* It is told in how many bits its length is, then these but for the highest, then what ends it. None of these is foretold to be so sure that
 * a run would cost next to nothing. */
static bool tell_of_run(struct coder *c, bool bit, uint32_t which)
{
    uint16_t *one = &c->lengths[which];
    bit = narrow(c, bit, *one);
    *one = (uint16_t)(bit ? *one + (ONE - ONE / 32 - *one) / 16 : *one - (*one - ONE / 32) / 16);
    return bit;
}

static uint32_t tell_run(struct coder *c, uint32_t length, bool *ends)
{
    uint32_t bits = 0, size = 1, rest = 0;
    while (length >> bits)
        bits++;
    for (int i = 4; i >= 0; i--)     /* from its highest bit on */
        size = size << 1 | tell_of_run(c, bits >> i & 1, size);
    bits = size & 31;
    for (uint32_t i = bits ? bits - 1 : 0; i-- > 0;)
        rest = rest << 1 | narrow(c, length >> i & 1, ONE / 2);
    *ends = tell_of_run(c, *ends, 0);
    length = bits ? UINT32_C(1) << (bits - 1) | rest : 0;
    c->bad |= length > LONGEST_RUN;
    return length;
}

static void close_run(struct coder *c, bool ends)
{
    if (!c->open || c->reads)
        return;
    c->open = false;
    tell_run(c, c->run, &ends);
    for (uint32_t i = 0; i < c->held_count; i++)
        narrow(c, c->held[i] >> 31, c->held[i] & (ONE - 1));
    c->run = c->held_count = 0;
}

/* A bit within a run has to wait until its length is told. */
static bool tell(struct coder *c, bool bit, uint32_t one)
{
    if (!c->open || c->reads)
        return narrow(c, bit, one);
    ARRAY_GROW(c->held, c->held_count, c->held_room);
    c->held[c->held_count++] = (uint32_t)bit << 31 | one;
    if (c->held_count == MOST_HELD)
        close_run(c, false);
    return bit;
}

static void open_run(struct coder *c)
{
    if (c->reads && !c->open)
        c->run = tell_run(c, 0, &c->ends);
    c->open = true;
}

/* Of a reader: in a run that nothing ends, there is at least one, or the next run begins. */
static bool read_sure(struct coder *c)
{
    while (!c->run && !c->ends && !c->bad) {
        c->open = false;
        open_run(c);
    }
    if (c->run) {
        c->run--;
        return true;
    }
    c->open = c->ends = false;
    return false;
}

bool coder_sure(struct coder *c, bool bit)
{
    open_run(c);
    if (c->reads)
        return read_sure(c);
    if (!bit)
        close_run(c, true);
    else if (++c->run == LONGEST_RUN)
        close_run(c, false);
    return bit;
}

int coder_finish(struct coder *c)
{
    errno = 0;
    close_run(c, false);
    for (int i = 0; i < 4; i++, c->low <<= 8)
        putc((int)(c->low >> 24), c->file);
    return ferror(c->file) ? -(errno ? errno : EIO) : 0;
}

/* ---- any bit ---- */

static void learn(struct coder *c, struct counter *counter, bool bit)
{
    int to = bit ? ONE / 2 - 1 : -ONE / 2, by = (to - counter->one) * (int)c->share[counter->asked] >> 16;
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
    sum >>= 16;
    int one = squash(sum > LIMIT ? LIMIT : sum < -LIMIT ? -LIMIT : (int)sum);
    bit = tell(c, bit, (uint32_t)one);
    int wrong = (bit ? ONE - 1 : 0) - one;
    for (int i = 0; i < count; i++) {
        weights[i] += (int32_t)((int64_t)guesses[i] * wrong * 5 >> 15);
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
