/* Random made-up programs, tuned so that a few processes interact in a few steps in many ways: about half of them
 * can deadlock, a third can violate an assertion, a tenth run for ever.
 * SPDX-License-Identifier: MIT */
#ifndef GENERATE_H
#define GENERATE_H

#include "madeup.h"

void generate(struct program *, uint64_t seed);

/* The dining philosophers of the papers: take left fork, take right fork, put down left, put down right, exit. */
void generate_philosophers(struct program *, int count);

#endif
