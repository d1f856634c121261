/* The trails of a program's model, each tried on the program (trial.h): its operations as deeds, and, where the program does not do them, what let the
 * model do so.
 * SPDX-License-Identifier: MIT */
#ifndef TRYOUT_H
#define TRYOUT_H

#include "extractor/trail.h"

struct bench;

struct tryout {
    const struct extraction *x;
    const char   *self;              /* this program, for the lines that replay a scenario */
    const char   *output;            /* the folder of scenarios */
    struct bench *bench;             /* the program, compiled when it is needed first; NULL: not yet */
    int           confirmed, refuted;
};

struct checked;
void tryout(struct tryout *, const struct checked *, struct trail *);            /* fills in trial, trial_words, scenario of the trail */
void tryout_fini(struct tryout *);

#endif
