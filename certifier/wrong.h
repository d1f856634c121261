/* What is wrong in a state: the certifier's own questions, which it shares with nobody.
 * SPDX-License-Identifier: MIT */
#ifndef WRONG_H
#define WRONG_H

#include "system/system.h"

struct wrong_thing {
    const char *kind;                /* as reports name it: "deadlock", "assertion", ... */
    int         process;             /* who it is about; -1: all */
    char       *words;               /* a sentence; owned by who asked */
    bool        ours;                /* VeriSoft cannot follow it: that is no error of the program */
};

/* False: nothing is wrong. In a state; with the transition that led there, which is its last step. */
bool wrong_in(const struct system *, bool ignore_deadlock, struct wrong_thing *);
bool wrong_with(const struct system *, const struct step *, struct wrong_thing *);

#endif
