/* What samples say of made-up state spaces whose size is known: counters that each go up by one, alone (a lattice), and states with successors at random.
 * SPDX-License-Identifier: MIT */
#include "search/sieve.h"

#include "check.h"

#include <stdlib.h>
#include <string.h>

enum { COUNTERS = 6, HEIGHT = 7, LATTICE = 7 * 7 * 7 * 7 * 7 * 7, DEGREE = 4, ROOM = 1 << 17 };

/* A state is a number. Gives how many successors it has. */
typedef int successors(uint32_t state, uint32_t to[COUNTERS]);

static int of_lattice(uint32_t state, uint32_t to[COUNTERS])
{
    int count = 0;
    for (uint32_t i = 0, weight = 1; i < COUNTERS; i++, weight *= HEIGHT)
        if (state / weight % HEIGHT + 1 < HEIGHT)
            to[count++] = state + weight;
    return count;
}

static uint64_t mixed(uint64_t z)
{
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static int of_random(uint32_t state, uint32_t to[COUNTERS])
{
    for (uint32_t i = 0; i < DEGREE; i++)
        to[i] = (uint32_t)(mixed((state + 1) * UINT64_C(0x9e3779b97f4a7c15) + i) % LATTICE);
    return DEGREE;
}

struct space { successors *next; bool *kept; uint32_t *queue, first, count; };          /* queue: kept ones; from `first` on they wait */

static void keep(struct space *s, uint32_t states)
{
    uint32_t to[COUNTERS];
    s->kept[0] = true;
    for (s->count = 1; s->count < states; s->first++)
        for (int i = s->next(s->queue[s->first], to) - 1; i >= 0; i--)
            if (!s->kept[to[i]])
                s->kept[to[i]] = true, s->queue[s->count++] = to[i];
}

/* False: the pass was given up. */
static bool pass(struct sieve *sieve, const struct space *s)
{
    static uint32_t stack[ROOM];
    uint32_t deep = 0, to[COUNTERS];
    for (uint32_t i = s->first; i < s->count && (i - s->first) < sieve->share * (s->count - s->first); i++)
        stack[deep++] = s->queue[i];
    while (deep && (double)sieve->entered <= sieve->budget) {
        uint32_t state = stack[--deep];
        for (int i = s->next(state, to) - 1; i >= 0; i--) {
            const uint64_t fingerprint[2] = { mixed(to[i] + 1), mixed(to[i] + UINT64_C(0x123456789)) };
            if (!s->kept[to[i]] && sieve_meets(sieve, fingerprint, false))
                stack[deep++] = to[i];
        }
    }
    return !deep;
}

/* How many times the states that there are the samples think there are. */
static double told(successors *next, uint32_t states, uint64_t salt)
{
    struct space s = { next, calloc(LATTICE, sizeof *s.kept), calloc(LATTICE, sizeof *s.queue), 0, 0 };
    struct bloom bloom;
    struct sieve sieve;
    double all = 0, least = 0;
    keep(&s, states);
    bloom_init(&bloom, 4 * (uint64_t)s.count);
    sieve_init(&sieve, &bloom, s.count, mixed(salt));
    while (sieve_begin(&sieve) && pass(&sieve, &s))
        sieve_end(&sieve);
    CHECK(sieve_tells(&sieve, &all, &least) && least <= all);
    CHECK(!sieve_begin(&sieve) || sieve.count < SIEVE_PASSES_MOST);
    bloom_fini(&bloom);
    free(s.kept);
    free(s.queue);
    return all / LATTICE;
}

static void about(successors *next, double share, double low, double high)
{
    for (uint64_t salt = 1; salt <= 5; salt++) {
        double ratio = told(next, (uint32_t)(share * LATTICE), salt);
        if (ratio < low || ratio > high) {
            printf("%s, %.0f %% kept: %.2f times the states that there are\n", next == of_lattice ? "lattice" : "random", 100 * share, ratio);
            failures++;
        }
    }
}

/* Of too few states nothing is said. */
static void few(void)
{
    struct bloom bloom;
    struct sieve sieve;
    double all, least;
    bloom_init(&bloom, 100);
    sieve_init(&sieve, &bloom, 10, 1);
    CHECK(!sieve_tells(&sieve, &all, &least));
    while (sieve_begin(&sieve))
        sieve_end(&sieve);
    CHECK(!sieve_tells(&sieve, &all, &least));
    bloom_fini(&bloom);
}

int main(void)
{
    about(of_random, 0.1, 0.7, 2);           /* where states that lead to the same state are not near each other, it is too many */
    about(of_random, 0.03, 0.6, 2.2);
    about(of_lattice, 0.1, 0.6, 1.7);
    about(of_lattice, 0.03, 0.25, 2.5);
    few();
    return failures != 0;
}
