/* Processes that are outside as a whole (--outside, system/hidden.h): what those who number processes and those who see what they stand before tell each
 * other. Of a process that is called by its number it shows only as it is made that this is the one; then everything begins again, with the same
 * numbers: so this is the user's of a search, and outlives its runs, as habits.h does.
 * Invariant: bits are only added, so it begins again at most once for each.
 * SPDX-License-Identifier: MIT */
#ifndef HIDING_H
#define HIDING_H

#include "wire.h"

#include <stdbool.h>
#include <stdint.h>

struct hiding_birth { uint32_t creator, nth, number; bool unix_process; };       /* the child that comes after `nth` others of its creator */

enum { BIRTHS_KEPT = 4 * MAX_PROCESSES };        /* those that come later are numbered as they come */

struct hiding {
    uint64_t numbers;                /* bit p: process p is to be outside, since somebody called it so */
    uint64_t met;                    /* of these: who was made, and it began again for that */
    uint64_t hosts;                  /* UNIX processes that are outside */
    uint64_t makers, parents;        /* UNIX processes that made one of those; that made one under control */
    uint64_t waits;                  /* that waited for any child, where all were outside */
    uint64_t signalled;              /* to whom a signal was sent within a tail, by whoever is outside */
    bool     closes;                 /* what is closed at the end of the one UNIX process under control was taken to be outside */
    bool     again;                  /* what was taken to be so is not: it begins again */
    struct hiding_birth births[BIRTHS_KEPT];
    uint32_t birth_count;
};

#endif
