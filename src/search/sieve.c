/* SPDX-License-Identifier: MIT */
#include "search/sieve.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { FEW = 200};                               /* states, by which no state space is judged */
static const double first_share = 0.1, budget_of_kept = 2;

/* What of all states the last pass thinks of, where its estimates grow with slope s. At slope 0.35 and below it is all. */
static const double flat = 0.35, fall = 1.9, floor_of_all = 0.2;

void sieve_init(struct sieve *s, struct bloom *bloom, uint64_t kept, uint64_t salt)
{
    *s = (struct sieve){ .bloom = bloom, .salt = salt, .kept = (double)kept, .budget = budget_of_kept * (double)kept };
}

/* Small passes cost little, and tell little. */
static double steps_by(const struct sieve *s)
{
    double last = s->count ? s->passes[s->count - 1].entered : 0;
    return last < s->budget / 32 ? 1.25 : last < s->budget / 8 ? 1.12 : 1.07;
}

static bool has_enough(const struct sieve *s)
{
    return s->share >= 1 || s->count == SIEVE_PASSES_MOST || (s->count && s->passes[s->count - 1].entered >= s->budget / 2);
}

bool sieve_begin(struct sieve *s)
{
    if (has_enough(s))
        return false;
    s->share = s->share > 0 ? fmin(1, s->share * steps_by(s)) : first_share;
    s->entered = 0;
    memset(s->met, 0, sizeof s->met);
    bloom_clear(s->bloom);
    return true;
}

static uint64_t mix(uint64_t z)
{
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    return z ^ z >> 29;
}

/* The same state is another one at each of its notes. */
static bool add(struct sieve *s, const uint64_t fingerprint[2], uint64_t note)
{
    const uint64_t key[2] = { fingerprint[0] + note * UINT64_C(0x9e3779b97f4a7c15), fingerprint[1] };
    return bloom_add(s->bloom, key);
}

bool sieve_meets(struct sieve *s, const uint64_t fingerprint[2], bool corridor)
{
    uint64_t mixed = mix(fingerprint[0] ^ s->salt);
    bool noted = mixed & 1, chosen = (double)(mixed >> 11) * 0x1p-53 < (corridor ? 2 * s->share : s->share), new = false;
    assert(s->share > 0 && s->share <= 1);
    for (uint64_t note = 0; note < (noted ? SIEVE_NOTES : chosen) && !new; note++) {
        new = add(s, fingerprint, note);
        s->met[note] += new && noted;
        if (new && note)
            return false;            /* it was met before */
    }
    s->entered += new && chosen;
    return new && chosen;
}

void sieve_end(struct sieve *s)
{
    double all = 2 * (double)s->met[0], once = 2 * (double)(s->met[0] - s->met[1]), twice = 2 * (double)(s->met[1] - s->met[2]);
    assert(s->count < SIEVE_PASSES_MOST && s->met[0] >= s->met[1] && s->met[1] >= s->met[2]);
    s->passes[s->count].entered = (double)s->entered;
    s->passes[s->count++].states = s->kept + all + once * once / (twice + 2);
}

/* By least squares, over the passes that entered more than a few. */
static double slope(const struct sieve *s)
{
    double x = 0, y = 0, xx = 0, xy = 0, n = 0;
    for (int i = 0; i < s->count; i++) {
        double a = log(s->passes[i].entered + 1), b = log(s->passes[i].states);
        if (s->passes[i].entered < s->budget / 8)
            continue;
        x += a, y += b, xx += a * a, xy += a * b, n++;
    }
    double spread = n * xx - x * x;
    return n >= 2 && spread > 1e-9 ? (n * xy - x * y) / spread : 0.6;
}

bool sieve_tells(const struct sieve *s, double *states, double *least)
{
    double last = s->count ? s->passes[s->count - 1].entered : 0;
    if (last < FEW || last < s->budget / 16)
        return false;
    double share = 1 - fall * (slope(s) - flat);
    *least = s->passes[s->count - 1].states;
    *states = *least / fmax(floor_of_all, fmin(1, share));
    return true;
}
