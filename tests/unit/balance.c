/* Heaps of pairs of states and fingerprints, the same and not: also where more entries lead to one state than a word counts.
 * SPDX-License-Identifier: MIT */
#include "certifier/balance.h"

#include "check.h"

enum { STATES = 5 };
#define PRIME ((UINT64_C(1) << 61) - 1)

static const uint64_t *print_of(uint64_t state)
{
    static uint64_t print[2];
    print[0] = (state + 1) * UINT64_C(0x9e3779b97f4a7c15);
    print[1] = (state + 1) * UINT64_C(0xbf58476d1ce4e5b9);
    return print;
}

static uint64_t power(uint64_t x, uint64_t n)
{
    unsigned __int128 result = 1, square = x;
    for (; n; n >>= 1, square = square * square % PRIME)
        result = n & 1 ? result * square % PRIME : result;
    return (uint64_t)result;
}

static bool holds(const struct balance *b)
{
    struct tally *entered = tally_new(STATES);
    struct err err = { .text = "" };
    bool is_so = false;
    for (uint64_t i = 0; i < STATES; i++)
        tally_add(entered, print_of(i));
    CHECK(!balance_holds(b, entered, &is_so, &err));
    tally_free(entered);
    return is_so;
}

/* States, to which entries led: 0 + 1 + 2 + ... of them, each true. */
static struct balance some(void)
{
    struct balance b;
    struct err err = { .text = "" };
    CHECK(!balance_init(&b, &err));
    for (uint64_t i = 0; i < STATES; i++) {
        balance_enter(&b);
        for (uint64_t often = 0; often < i; often++)
            balance_lead(&b, i, print_of(i));
    }
    return b;
}

/* One more entry, which says that it leads to `state`, and leads to where `there` is. */
static void one(uint64_t state, uint64_t there)
{
    struct balance b = some();
    CHECK(holds(&b));
    balance_lead(&b, state, print_of(there));
    CHECK(holds(&b) == (state == there));
    balance_fini(&b);
}

/* Of two entries each leads where the other should: the numbers are the same, the fingerprints are the same, the pairs are not. */
static void exchanged(void)
{
    struct balance b = some();
    balance_lead(&b, 1, print_of(2));
    balance_lead(&b, 2, print_of(1));
    CHECK(!holds(&b));
    balance_fini(&b);
}

/* As if UINT32_MAX entries had led to the state 1, to which one did; then some more do. */
static void very_many(uint64_t more, uint64_t there)
{
    struct balance b = some();
    uint64_t before[BALANCE_PLACES];
    for (int i = 0; i < BALANCE_PLACES; i++)
        before[i] = b.led[i];
    balance_lead(&b, 1, print_of(1));
    for (int i = 0; i < BALANCE_PLACES; i++) {
        uint64_t factor = (uint64_t)((unsigned __int128)b.led[i] * power(before[i], PRIME - 2) % PRIME);
        b.led[i] = (uint64_t)((unsigned __int128)b.led[i] * power(factor, UINT32_MAX - 2) % PRIME);
    }
    b.often[1] = UINT32_MAX;
    CHECK(holds(&b));
    for (uint64_t i = 0; i < more; i++)
        balance_lead(&b, 1, print_of(i + 1 < more ? 1 : there));
    CHECK(holds(&b) == (there == 1));
    balance_fini(&b);
}

int main(void)
{
    for (uint64_t state = 0; state < STATES; state++)
        for (uint64_t there = 0; there < STATES; there++)
            one(state, there);
    exchanged();
    very_many(1, 1);
    very_many(3, 1);
    very_many(3, 2);
    return failures != 0;
}
