/* SPDX-License-Identifier: MIT */
#include "certifier/balance.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <sys/random.h>

#define PRIME ((UINT64_C(1) << 61) - 1)

static uint64_t reduce(unsigned __int128 x)       /* x below 2^122 */
{
    uint64_t low = (uint64_t)x & PRIME, high = (uint64_t)(x >> 61), sum = low + high;
    return sum >= PRIME ? sum - PRIME : sum;
}

static uint64_t times(uint64_t a, uint64_t b) { return reduce((unsigned __int128)a * b); }

/* The factor of a state that is so: its fingerprint in three parts, of which each is below the prime. */
static uint64_t factor(const uint64_t place[4], uint64_t state, const uint64_t print[2])
{
    enum { BITS = 43 };
    const uint64_t part = (UINT64_C(1) << BITS) - 1;
    uint64_t first = print[0] & part, second = (print[0] >> BITS | print[1] << (64 - BITS)) & part, third = print[1] >> (2 * BITS - 64);
    return reduce((unsigned __int128)place[0] * first + (unsigned __int128)place[1] * second + (unsigned __int128)place[2] * third + place[3] + state);
}

static uint64_t power(uint64_t x, uint64_t n)
{
    uint64_t result = 1;
    for (; n; n >>= 1, x = times(x, x))
        if (n & 1)
            result = times(result, x);
    return result;
}

int balance_init(struct balance *b, struct err *err)
{
    *b = (struct balance){ 0 };
    if (getrandom(b->place, sizeof b->place, 0) != sizeof b->place)
        return fail_errno(err, "random numbers cannot be had, by which fingerprints are compared");
    for (int i = 0; i < BALANCE_PLACES; i++) {
        for (int j = 0; j < 4; j++)
            b->place[i][j] %= PRIME;
        b->led[i] = 1;
    }
    return 0;
}

void balance_fini(struct balance *b)
{
    free(b->often);
    free(b->over);
    *b = (struct balance){ 0 };
}

void balance_enter(struct balance *b)
{
    if (b->count == b->room) {
        b->room = b->room ? b->room + b->room / 2 : 1024;
        b->often = memory_resize(b->often, b->room * sizeof *b->often);
    }
    b->often[b->count++] = 0;
}

static void count_lead(struct balance *b, uint64_t state)
{
    if (b->often[state] == UINT32_MAX) {
        b->over = memory_resize(b->over, (b->over_count + 1) * sizeof *b->over);
        b->over[b->over_count++] = state;
        b->often[state] = 0;
    }
    b->often[state]++;
}

static uint64_t leads_to(const struct balance *b, uint64_t state)
{
    uint64_t leads = b->often[state];
    for (uint32_t i = 0; i < b->over_count; i++)
        leads += b->over[i] == state ? UINT32_MAX : 0;
    return leads;
}

void balance_lead(struct balance *b, uint64_t state, const uint64_t fingerprint[2])
{
    assert(state < b->count);
    count_lead(b, state);
    for (int i = 0; i < BALANCE_PLACES; i++)
        b->led[i] = times(b->led[i], factor(b->place[i], state, fingerprint));
}

struct weighing { const struct balance *balance; uint64_t state, entered[BALANCE_PLACES]; };

static void weigh(void *weighing, const uint64_t fingerprint[2])
{
    struct weighing *w = weighing;
    uint64_t state = w->state++;
    assert(state < w->balance->count);
    uint64_t leads = leads_to(w->balance, state);
    for (int i = 0; i < BALANCE_PLACES && leads; i++)
        w->entered[i] = times(w->entered[i], power(factor(w->balance->place[i], state, fingerprint), leads));
}

int balance_holds(const struct balance *b, struct tally *entered, bool *holds, struct err *err)
{
    struct weighing w = { b, 0, { 0 } };
    *holds = true;
    for (int i = 0; i < BALANCE_PLACES; i++)
        w.entered[i] = 1;
    int rc = tally_each(entered, weigh, &w, err);
    assert(rc || w.state == b->count);
    for (int i = 0; i < BALANCE_PLACES; i++)
        *holds = *holds && w.entered[i] == b->led[i];
    return rc;
}
