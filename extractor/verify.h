/* Properties checked by iterative refinement (Holzmann and Smith 2002, 6.1): a quick search with a small table of bits,
 * then with tables of twice the size, then an exhaustive one. An error ends it; so does an exhaustive search that finished. All properties have their
 * quick search before any has a larger one: what is violated mostly shows there, and nobody waits for it.
 *
 *     A   the first search with bits          B   one with a larger table
 *     M   one with the largest table that memory allows, when an exhaustive search did not fit
 *     E   exhaustive                          A/50: a violation, in a trail of 50 steps
 *
 * Invariant: VERDICT_VERIFIED and VERDICT_VACUOUS stand only on an exhaustive search that came to its end.
 * SPDX-License-Identifier: MIT */
#ifndef VERIFY_H
#define VERIFY_H

#include "extractor/claim.h"
#include "extractor/coverage.h"
#include "extractor/extract.h"
#include "extractor/spin.h"
#include "extractor/trail.h"

enum verdict { VERDICT_VERIFIED, VERDICT_VACUOUS, VERDICT_FAILED, VERDICT_UNFINISHED, VERDICT_COUNT };    /* vacuous: verified, but nothing could have gone wrong */
extern const char *const verdict_words[];

struct run_of { char letter; struct spin_found found; int table; long depth; };

struct checked {
    const struct property *property;
    enum verdict  verdict;
    char         *identifier;        /* "E1234", "A/50" */
    char         *words;             /* what it means */
    struct run_of *runs;
    int           run_count, run_room;
    struct trail  trail;             /* of a failure: the shortest */
    struct trail *others;            /* that lead to another end, the shortest first, where several are asked for */
    int           other_count, other_room;
    char         *replay;            /* what they were read from */
    char         *unmet;             /* notes of unspecified receptions (receptions.h), where there are any; or NULL */
    bool          unmet_all;         /* the search for them came to its end */
    const struct claim *claim;       /* NULL: it has none */
    bool         *reached;           /* which states of its automaton, where all was searched; or NULL */
    struct coverage coverage;        /* of what was verified, where the verifier tells */
};

struct verify_settings {
    int    memory;                   /* megabytes */
    double seconds;                  /* for one property; 0: no limit */
    bool   exhaustive;               /* at once, without searches with bits before it */
    int    bits;                     /* not 0: one search alone, with a table of 2^bits bits (VERIFY_FIRST: the first of all) */
    int    trails;                   /* of a violated property, at most */
    int    jobs;                     /* properties that are checked at one time */
};

enum { VERIFY_FIRST = 20 };

struct verification {
    struct checked *items;
    int             count, room;
    struct spin     spin;
    struct claims   claims;
};

struct verify_told {
    void (*one)(void *, struct checked *);       /* of each property: first those that the quick search decides, then the others, in the harness's order */
    void (*open)(void *, const struct verification *, const bool *open);         /* between the two: of which there are larger searches to come */
    void  *arg;
};

/* `names`: which properties, ended by NULL; none: all. Whatever is given, return it with verify_fini. */
int  verify(struct verification *, struct extraction *, const struct workshop *, char *const *names, const struct verify_settings *,
            const struct verify_told *, struct err *);
void verify_fini(struct verification *);
int  verify_largest(const struct verify_settings *);            /* the table, as bits are told, that memory allows */
/* One property, by a process of its own: what Spin and the compiler make is in `made`, a folder that all who check this model share. `live`, unless
 * NULL, is a file in which the verifier tells how far it is (verisoft-live.h). */
int  verify_alone(struct verification *, struct extraction *, const struct workshop *, const char *made, const char *live, const char *name,
                  const struct verify_settings *, struct err *);

/* ---- between the files of it ---- */

/* The quick search of a property, and all the others where there are few states. *open: there are not, and verify_go_on() does the rest. */
int  verify_begin(struct verification *, const struct extraction *, const struct verify_settings *, const struct property *, struct checked *, bool *open,
                  struct err *);
int  verify_go_on(struct verification *, const struct extraction *, const struct verify_settings *, struct checked *, struct err *);
/* All of them, each in one of several processes; told in the same order (verify_jobs.c). */
int  verify_side_by_side(struct verification *, const struct extraction *, const struct verify_settings *, const struct verify_told *, struct err *);
int  verify_trails(struct checked *, const struct extraction *, struct err *);   /* reads the trails from their replay */
void checked_fini(struct checked *);

#endif
