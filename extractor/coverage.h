/* Which statements of the program a search of the model came to, by what the verifier tells when it has come to its end (verisoft-live.h). A statement that may
 * stand on several lines of the model, one for each machine that calls it, is reached when one of these is.
 * SPDX-License-Identifier: MIT */
#ifndef COVERAGE_H
#define COVERAGE_H

#include "extractor/extract.h"

struct covered { const struct function *function; int node; bool reached; };

struct coverage {
    struct covered *items;           /* each statement that is in the model, once */
    int             count, room;
};

void coverage_read(struct coverage *, const struct extraction *, const char *live);      /* none, when the verifier has told nothing; return it with coverage_fini */
void coverage_fini(struct coverage *);

#endif
