/* SPDX-License-Identifier: MIT */
#include "certifier/sums.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define PRIME ((UINT64_C(1) << 61) - 1)

enum { KIND_SLOTS = 2 * SUMS_KINDS, FAR = 64 };         /* FAR: how many of one bucket are looked at */

struct state {
    int64_t  from;                   /* SUMS_NONE: nobody knows */
    uint64_t sum;
    uint32_t kind;                   /* by which it was entered */
    uint32_t before;                 /* the one before it in the bucket, plus 1; 0: it is the first */
};

struct equation { uint64_t *of; uint32_t solved; };              /* for each kind how often, modulo PRIME; 1 of the one it is solved for */

struct sums {
    uint64_t        values[SUMS_KINDS];
    uint64_t        keys[KIND_SLOTS];            /* of kinds: label and label, plus 1; 0: free */
    uint32_t        numbers[KIND_SLOTS], kinds;
    struct equation equations[SUMS_EQUATIONS];
    uint32_t        equation_count, tries;       /* tries: to learn one */
    uint64_t        summed;          /* states, each time that all sums were made anew */
    struct state   *states;
    uint32_t        count, room;
    uint32_t       *buckets, mask;   /* by sum: the last state of each, plus 1 */
};

/* ---- numbers modulo a prime ---- */

static uint64_t add(uint64_t a, uint64_t b) { return (a += b) >= PRIME ? a - PRIME : a; }
static uint64_t take(uint64_t a, uint64_t b) { return add(a, b ? PRIME - b : 0); }
static uint64_t times(uint64_t a, uint64_t b) { return (uint64_t)((unsigned __int128)a * b % PRIME); }

static uint64_t inverse(uint64_t a)
{
    uint64_t result = 1;
    for (uint64_t power = PRIME - 2; power; power >>= 1, a = times(a, a))
        if (power & 1)
            result = times(result, a);
    return result;
}

/* Never the same for two, as like as not. */
static uint64_t scatter(uint64_t x)
{
    x = (x + 1) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 32) * UINT64_C(0xd6e8feb86659fd93);
    return (x ^ x >> 29) % PRIME;
}

/* ---- kinds ---- */

struct sums *sums_new(void) { return memory_get(sizeof(struct sums)); }

void sums_free(struct sums *s)
{
    if (!s)
        return;
    for (uint32_t i = 0; i < s->equation_count; i++)
        free(s->equations[i].of);
    free(s->states);
    free(s->buckets);
    free(s);
}

uint32_t sums_kind(struct sums *s, uint32_t label, uint32_t before)
{
    uint64_t key = ((uint64_t)label << 32 | before) + 1;
    uint32_t at = (uint32_t)(scatter(key) % KIND_SLOTS);
    while (s->keys[at] && s->keys[at] != key)
        at = (at + 1) % KIND_SLOTS;
    if (!s->keys[at] && s->kinds == SUMS_KINDS)
        return SUMS_KINDS + (uint32_t)(scatter(key) >> 32);
    if (!s->keys[at]) {
        s->keys[at] = key;
        s->values[s->kinds] = scatter(s->kinds);
        s->numbers[at] = s->kinds++;
    }
    return s->numbers[at];
}

static uint64_t value_of(const struct sums *s, uint32_t kind) { return kind < SUMS_KINDS ? s->values[kind] : scatter(kind); }

/* ---- states ---- */

static void put(struct sums *s, uint32_t state)
{
    uint32_t *bucket = &s->buckets[s->states[state].sum & s->mask];
    s->states[state].before = *bucket;
    *bucket = state + 1;
}

static void make_buckets(struct sums *s, uint32_t count)
{
    s->buckets = memory_resize(s->buckets, (size_t)count * sizeof *s->buckets);
    memset(s->buckets, 0, (size_t)count * sizeof *s->buckets);
    s->mask = count - 1;
    for (uint32_t i = 0; i < s->count; i++)
        put(s, i);
}

void sums_add(struct sums *s, int64_t from, uint32_t kind)
{
    enum { FIRST = 1024 };
    ARRAY_GROW(s->states, s->count, s->room);
    uint64_t sum = from == SUMS_NONE ? scatter(UINT64_MAX - s->count - 1) : add(s->states[from].sum, value_of(s, kind));
    s->states[s->count++] = (struct state){ .from = from, .sum = sum, .kind = kind };
    if (!s->buckets || s->count > s->mask)
        make_buckets(s, s->buckets ? 2 * (s->mask + 1) : FIRST);
    else
        put(s, s->count - 1);
}

uint64_t sums_of(const struct sums *s, uint32_t state)                       { return s->states[state].sum; }
uint64_t sums_after(const struct sums *s, uint64_t sum, uint32_t kind)       { return add(sum, value_of(s, kind)); }

int64_t sums_last(const struct sums *s, uint64_t sum, uint32_t before)
{
    uint32_t at = !s->buckets ? 0 : before < s->count ? s->states[before].before : s->buckets[sum & s->mask];
    for (int i = 0; at && i < FAR; i++, at = s->states[at - 1].before)
        if (s->states[at - 1].sum == sum)
            return at - 1;
    return SUMS_NONE;
}

void sums_forget(struct sums *s)
{
    s->count = 0;
    if (s->buckets)
        memset(s->buckets, 0, ((size_t)s->mask + 1) * sizeof *s->buckets);
}

/* ---- equations ---- */

/* Adds how often each kind is on the path to the state. Gives where it begins. False: one of them has no equations. */
static bool count_path(const struct sums *s, uint32_t state, uint64_t *of, bool minus, uint32_t *begin)
{
    for (; s->states[state].from != SUMS_NONE; state = (uint32_t)s->states[state].from) {
        uint32_t kind = s->states[state].kind;
        if (kind >= SUMS_KINDS)
            return false;
        of[kind] = minus ? take(of[kind], 1) : add(of[kind], 1);
    }
    *begin = state;
    return true;
}

static void subtract(const struct sums *s, uint64_t *of, const uint64_t *other, uint64_t factor)
{
    for (uint32_t i = 0; i < s->kinds; i++)
        if (other[i])
            of[i] = take(of[i], times(factor, other[i]));
}

/* As if what is solved for already were not there. Gives the newest kind that is left; SUMS_NONE: none is. */
static int64_t simplify(const struct sums *s, uint64_t *of)
{
    int64_t newest = SUMS_NONE;
    for (uint32_t i = 0; i < s->equation_count; i++)
        if (of[s->equations[i].solved])
            subtract(s, of, s->equations[i].of, of[s->equations[i].solved]);
    for (uint32_t i = 0; i < s->kinds; i++)
        newest = of[i] ? (int64_t)i : newest;
    return newest;
}

static void solve(struct sums *s, const struct equation *e)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < s->kinds; i++)
        if (i != e->solved && e->of[i])
            sum = add(sum, times(e->of[i], s->values[i]));
    s->values[e->solved] = take(0, sum);
}

static void sum_anew(struct sums *s)
{
    s->summed += s->count;
    for (uint32_t i = 0; i < s->count; i++)
        if (s->states[i].from != SUMS_NONE)
            s->states[i].sum = add(s->states[s->states[i].from].sum, value_of(s, s->states[i].kind));
    make_buckets(s, s->mask + 1);
}

static void hold(struct sums *s, uint64_t *of, uint32_t solved)  /* takes `of` */
{
    uint64_t factor = inverse(of[solved]);
    for (uint32_t i = 0; i < s->kinds; i++)
        of[i] = times(of[i], factor);
    for (uint32_t i = 0; i < s->equation_count; i++)
        if (s->equations[i].of[solved])
            subtract(s, s->equations[i].of, of, s->equations[i].of[solved]);
    s->equations[s->equation_count++] = (struct equation){ of, solved };
    for (uint32_t i = 0; i < s->equation_count; i++)
        solve(s, &s->equations[i]);
    sum_anew(s);
}

void sums_learn(struct sums *s, uint32_t from, uint32_t kind, uint32_t to)
{
    uint32_t begin, other;
    if (s->tries == SUMS_EQUATIONS || s->summed > SUMS_WORK * (UINT64_C(4096) + s->count) || kind >= SUMS_KINDS || sums_after(s, s->states[from].sum, kind) == s->states[to].sum)
        return;
    s->tries++;
    uint64_t *of = memory_get(SUMS_KINDS * sizeof *of);
    of[kind] = 1;
    bool known = count_path(s, from, of, false, &begin) && count_path(s, to, of, true, &other) && begin == other;
    int64_t newest = known ? simplify(s, of) : SUMS_NONE;
    if (newest == SUMS_NONE)
        free(of);
    else
        hold(s, of, (uint32_t)newest);
}
