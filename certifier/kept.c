/* SPDX-License-Identifier: MIT */
#include "certifier/kept.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

void kept_fini(struct kept *k)
{
    free(k->places);
    *k = (struct kept){ 0 };
}

static uint64_t home(const struct kept *k, uint64_t state)
{
    return (state * UINT64_C(0x9e3779b97f4a7c15) >> 20) & k->mask;
}

static struct kept_state *place_of(const struct kept *k, uint64_t state)
{
    uint64_t at = home(k, state);
    while (k->places[at].left && k->places[at].state != state)
        at = (at + 1) & k->mask;
    return &k->places[at];
}

static void make_room(struct kept *k)
{
    enum { FIRST = 1024 };
    struct kept old = *k;
    if (old.places && old.count < old.mask / 4 * 3)
        return;
    k->mask = old.places ? 2 * old.mask + 1 : FIRST - 1;
    k->places = memory_get((k->mask + 1) * sizeof *k->places);
    for (uint64_t i = 0; old.places && i <= old.mask; i++)
        if (old.places[i].left)
            *place_of(k, old.places[i].state) = old.places[i];
    free(old.places);
}

void kept_put(struct kept *k, uint64_t state, const uint64_t fingerprint[2], uint64_t left)
{
    if (!left)
        return;
    make_room(k);
    struct kept_state *place = place_of(k, state);
    assert(!place->left);
    *place = (struct kept_state){ state, { fingerprint[0], fingerprint[1] }, left };
    k->count++;
    k->most = k->count > k->most ? k->count : k->most;
}

const struct kept_state *kept_get(const struct kept *k, uint64_t state)
{
    const struct kept_state *place = k->places ? place_of(k, state) : NULL;
    return place && place->left ? place : NULL;
}

/* What stands behind it and would not be found any more moves up. */
static void drop(struct kept *k, uint64_t hole)
{
    k->count--;
    for (uint64_t at = (hole + 1) & k->mask; k->places[at].left; at = (at + 1) & k->mask)
        if (((at - home(k, k->places[at].state)) & k->mask) >= ((at - hole) & k->mask)) {
            k->places[hole] = k->places[at];
            hole = at;
        }
    k->places[hole].left = 0;
}

void kept_use(struct kept *k, uint64_t state)
{
    struct kept_state *place = place_of(k, state);
    assert(place->left);
    if (place->left == 1)
        drop(k, (uint64_t)(place - k->places));
    else
        place->left--;
}
