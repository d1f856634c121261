/* Spin and its verifiers: one model with all its never claims, translated once, compiled once for each way to search, and run with one
 * of the claims. What a run found is read from what the verifier says, for its exit status says nothing (Spin 6.5).
 * SPDX-License-Identifier: MIT */
#ifndef SPIN_H
#define SPIN_H

#include "extractor/tool.h"

#include <stdbool.h>

enum spin_build {                    /* without claims: for deadlocks and assertions, which a claim would hide */
    SPIN_PLAIN = 0, SPIN_CLAIM = 1, SPIN_BITSTATE = 0, SPIN_EXACT = 2, SPIN_BUILDS = 4
};

struct spin {
    const struct workshop *shop;
    bool   built[SPIN_BUILDS];
    int    memory;                   /* megabytes that a verifier may use */
    double compile_seconds;
    int    compiled;                 /* how many builds were made */
};

struct spin_query {
    const char *claim;               /* NULL: none */
    bool        no_assertions, no_ends;          /* not looked for */
    bool        unspecified;         /* unspecified receptions are assertions */
    bool        shortest;            /* go on for shorter trails */
    int         errors;              /* stop at this many, with a trail each; 0: at the first */
    const char *features;            /* a + - or ? for each */
    bool        exact;
    int         table;               /* 2^table bits, for a search that is not exact */
    long        depth;
    double      seconds;             /* 0: no limit */
    const char *log;                 /* a file name for what it says */
};

struct spin_found {
    long   errors;
    double states, transitions;
    long   depth;                    /* the deepest */
    double hash_factor;              /* bits for each state; 0: exact */
    bool   finished;                 /* all was searched, as far as this kind of search can tell */
    bool   depth_cut, memory_cut, time_cut;
    char   first[400];               /* the message of the first error: "assertion violated ..." */
    int    which;                    /* the number of the error that `wanted` was found in; 0: none */
    double seconds;
    int    memory_kb;
};

int  spin_translate(struct spin *, const char *model, struct err *);             /* checks that there are Spin and a compiler */
int  spin_run(struct spin *, const struct spin_query *, const char *wanted, struct spin_found *, struct err *);

/* The trail of error number `which` (0: the only one) as the verifier replays it, with all variables at each step; gives. */
char *spin_replay(struct spin *, const struct spin_query *, int which, struct err *);

/* A never claim for this formula, by Spin itself, called `name`; gives. */
char *spin_claim(const struct workshop *, const char *name, const char *formula, struct err *);

#endif
