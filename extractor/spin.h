/* Spin and its verifiers: one model with all its never claims, translated once, compiled once for each way to search, and run with one
 * of the claims. A verifier is compiled without optimisation, which takes a tenth of the time; when it has run for long enough that
 * compiling it again will pay, it is compiled again. What a run found is read from what the verifier says, for its exit status says nothing (Spin 6.5).
 * SPDX-License-Identifier: MIT */
#ifndef SPIN_H
#define SPIN_H

#include "extractor/tool.h"

#include <stdbool.h>

enum spin_build {                    /* bits; without a claim: for deadlocks and assertions, which one would hide; whole: no reduction;
                                      * nearest: breadth first, so that the first violation has the shortest trail; it knows no cycles */
    SPIN_CLAIM = 1, SPIN_EXACT = 2, SPIN_WHOLE = 4, SPIN_NEAREST = 8, SPIN_BUILDS = 16
};

struct spin {
    const struct workshop *shop;
    const char *made;                /* the folder of what Spin and the compiler make; processes that check side by side share it */
    struct spin_verifier { bool built, optimised; double compile, spent; } builds[SPIN_BUILDS];      /* spent: seconds that it ran */
    const char *c, *header;          /* of a program's model: what its statements do; else NULL */
    char *const *options;            /* for the compiler of that */
    int    option_count;
    long   size;                     /* bytes of the program's data */
    int    memory;                   /* megabytes that a verifier may use */
    double compile_seconds;
    int    compiled;                 /* how many builds were made */
    const char *live;                /* a file in which a verifier tells how far it is, as struct vs_live; NULL: it does not */
};

struct spin_query {
    const char *claim;               /* NULL: none */
    bool        no_assertions, no_ends;          /* not looked for */
    bool        unspecified;         /* unspecified receptions are looked for, and no other assertions */
    bool        noting;              /* these are all noted, and none is a violation */
    bool        fair;                /* weak fairness; Spin's reduction does not go with it */
    bool        next;                /* the claim tells apart what the reduction takes for the same */
    bool        shortest;            /* go on for shorter trails */
    int         trails;              /* go on for so many violations, with a trail of each; 0: for one */
    char        mode;                /* of a program: what is looked for, d: deadlocks, a: what is wrong, p: progress; 0: a formula */
    bool        telling;             /* a trail is replayed: C tells what it does */
    const char *features;            /* a + - or ? for each */
    bool        exact;
    int         table;               /* 2^table bits, for a search that is not exact */
    long        depth;
    double      seconds;             /* 0: no limit */
    int         processor;           /* seconds that it may compute; 0: no limit */
    const char *log;                 /* a file name for what it says */
};

struct spin_found {
    long   errors;
    double states, transitions;
    long   depth;                    /* the deepest */
    double hash_factor;              /* bits for each state; 0: exact */
    bool   finished;                 /* all was searched, as far as this kind of search can tell */
    bool   depth_cut, memory_cut, time_cut;
    char   limit[200];               /* what the model of a program had no room for; or "" */
    char   first[400];               /* the message of the first error: "assertion violated ..." */
    long   error_depth;              /* of the shallowest error; 0: there is none */
    double seconds;
    int    memory_kb;
};

int  spin_translate(struct spin *, const char *model, struct err *);             /* checks that there are Spin and a compiler */
int  spin_share(struct spin *, const char *model, struct err *); /* the same, in `made`, unless somebody has done it there; one at a time */
int  spin_run(struct spin *, const struct spin_query *, struct spin_found *, struct err *);

/* The trail of the last error as the verifier replays it, with all variables at each step; gives. */
char *spin_replay(struct spin *, const struct spin_query *, int which, struct err *);       /* which: of several trails, from 1; 0: of one. Gives */

#endif
