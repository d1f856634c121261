/* What is wrong in a state: the certifier's own questions, which it shares with nobody.
 * SPDX-License-Identifier: MIT */
#ifndef WRONG_H
#define WRONG_H

#include "system/system.h"

/* The kinds, as reports name them. */
#define FOUND_KINDS(X) \
    X(STRUCTURE, "structure") X(ASSERTION, "assertion") X(CRASH, "crash") X(DIVERGENCE, "divergence") X(UNSUPPORTED, "unsupported") \
    X(NONDETERMINISM, "nondeterminism") X(INVARIANT, "invariant") X(DEADLOCK, "deadlock")
#define FOUND_KIND(kind, name) FOUND_##kind,
enum found_kind { FOUND_NOTHING, FOUND_KINDS(FOUND_KIND) FOUND_KIND_COUNT };
#undef FOUND_KIND
extern const char *const wrong_names[FOUND_KIND_COUNT];         /* NULL for FOUND_NOTHING */

struct wrong_thing {
    enum found_kind kind;
    int             process;         /* who it is about; -1: all */
    char           *words;           /* a sentence; owned by who asked */
    bool            ours;            /* VeriSoft cannot follow it: that is no error of the program */
};

/* False: nothing is wrong. In a state; with the transition that led there, which is its last step. */
bool wrong_in(const struct system *, bool ignore_deadlock, struct wrong_thing *);
bool wrong_with(const struct system *, const struct step *, struct wrong_thing *);

#endif
