/* The system against our own worlds, step by step along a random walk: the same operations can go, with the same outcomes;
 * a step undone leaves everything as it was; transitions that are said to be independent are.
 * SPDX-License-Identifier: MIT */
#ifndef WALK_H
#define WALK_H

#include "stage.h"

/* What was walked: a way to a state in which a search can begin. */
struct walk {
    uint32_t length;
    uint8_t  process[64], outcome[64];
};

/* Walks at most `steps` on a stage just opened; false, with words in `wrong`, where something is not as it should be. */
bool walk_random(struct stage *, struct walk *, uint32_t steps, uint64_t seed, char *wrong, size_t room);
/* Walks the same way on another stage, and in a world when it is not NULL. */
bool walk_again(struct stage *, const struct walk *, struct world *);

#endif
