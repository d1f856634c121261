/* Numbers that look random and are the same on every machine (splitmix64).
 * SPDX-License-Identifier: MIT */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct random { uint64_t at; };

static inline uint64_t random_next(struct random *r)
{
    uint64_t z = r->at += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static inline int random_below(struct random *r, int n) { return (int)(random_next(r) % (uint64_t)n); }
static inline int random_between(struct random *r, int low, int high) { return low + random_below(r, high - low + 1); }
static inline bool random_percent(struct random *r, int percent) { return random_below(r, 100) < percent; }

#endif
