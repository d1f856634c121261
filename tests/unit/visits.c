/* Visits of states that come again, more of them than are compared at a time: each must be told as that of the right state.
 * SPDX-License-Identifier: MIT */
#include "certifier/visits.h"

#include "check.h"

#include <stdlib.h>

enum { VISITS = 5 * VISITS_AT_A_TIME / 2, NEW_EVERY = 3 };

static uint64_t mixed(uint64_t z)
{
    z = (z + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    return z ^ z >> 29;
}

/* Every third visit is of a new state, the others of some state before. */
static void many(void)
{
    uint32_t *states = malloc(VISITS * sizeof *states), known = 0, wrong = 0;
    struct visits *v = visits_new("./visits");
    struct err err = { .text = "" };
    for (uint32_t i = 0; i < VISITS; i++) {
        states[i] = i % NEW_EVERY ? (uint32_t)(mixed(i) % known) : known++;
        visits_add(v, (uint64_t[2]){ mixed(states[i]), mixed(states[i] + UINT64_C(0x100000000)) });
    }
    CHECK(!visits_compare(v, &err));
    for (uint32_t i = 0; i < VISITS; i++)
        wrong += visits_state(v, i) != states[i] || visits_again(v, i) != (i % NEW_EVERY != 0);
    CHECK(!wrong);
    visits_free(v);
    free(states);
}

/* Two fingerprints of which only one half is the same are two states. */
static void halves(void)
{
    struct visits *v = visits_new("./visits");
    struct err err = { .text = "" };
    for (uint64_t i = 0; i < 4; i++)
        visits_add(v, (uint64_t[2]){ i / 2, i % 2 });
    CHECK(!visits_compare(v, &err));
    for (uint64_t i = 0; i < 4; i++)
        CHECK(visits_state(v, i) == i && !visits_again(v, i));
    visits_free(v);
}

static void none(void)
{
    struct visits *v = visits_new("./visits");
    struct err err = { .text = "" };
    CHECK(!visits_compare(v, &err));
    visits_free(v);
}

int main(void)
{
    many();
    halves();
    none();
    return failures != 0;
}
