/* Entries of a script, passed between this process and its copy (beside.h): labels in words when they come first, then by number.
 * Invariant: both ends know the same labels, by the same numbers, and the same next new state, once what was passed has come.
 * SPDX-License-Identifier: MIT */
#ifndef PASSING_H
#define PASSING_H

#include "certifier/beside.h"
#include "certifier/labels.h"

struct passing {
    struct beside *line;             /* borrowed */
    uint32_t       told;             /* labels that both know */
    uint64_t       next;             /* number of the next new state */
};

void passing_put(struct passing *, const struct labels *, uint32_t label, uint64_t to);  /* BACK: `to` does not matter */
void passing_put_end(struct passing *);                          /* no more entries; other things may follow */
/* 1: an entry. 0: no more. -1: the other one is gone. New labels are added. */
int  passing_get(struct passing *, struct labels *, uint32_t *label, uint64_t *to);

#endif
