/* The counter-example of a program: what its threads did, by the acts of its model.
 * SPDX-License-Identifier: MIT */
#ifndef PROGRAM_TRAIL_H
#define PROGRAM_TRAIL_H

#include "extractor/trail.h"

int trail_read_program(struct trail *, const struct extraction *, const struct property *, const char *replay, struct err *);

#endif
