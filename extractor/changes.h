/* What is left out although it changes what the model reads: there the model would keep an old value and do less than the program, and a verdict on it
 * would be worth nothing. So such a statement is carried over, whatever the default is; where that cannot be, the model *lacks* it, and nothing is
 * verified of the model. What a map says of a statement is believed.
 *
 * Invariant: nothing that is left out of a model which lacks nothing changes what the model reads, as far as touch.h can tell.
 * SPDX-License-Identifier: MIT */
#ifndef CHANGES_H
#define CHANGES_H

#include "extractor/maker.h"
#include "extractor/program.h"

/* ---- event machines ---- */

bool changes_read(struct maker *, const struct function *, const struct tree *);         /* does it change what is in the model, so far? */
void changes_lacking(struct maker *);                            /* when all is made: notes what the model lacks */

/* ---- threads and processes ---- */

void changes_stay(struct program *);                             /* before acts are made: which nodes are carried over; notes what the model lacks */

#endif
