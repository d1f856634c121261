/* Sequences that were inserted into wakeup trees, each kept once, whatever the number of parts of a search that tell it (aside.h); and each of their steps, too.
 * Invariants: what is equal has one number; the steps and clocks of a sequence begin where those of the one before it end.
 * SPDX-License-Identifier: MIT */
#ifndef INSERTIONS_H
#define INSERTIONS_H

#include "search/clocks.h"

enum { LONGEST_INSERTION = UINT16_MAX };         /* steps: positions in a sequence are clocks here */
enum { NOT_NUMBERED = UINT32_MAX };

/* What has a number has it by its hash: what has the same is the same. */
struct numbered {
    uint64_t *hashes;
    uint32_t  count, room;
    uint32_t *slots, mask;           /* 1 + number */
};

/* Its clocks: a row for each step, and one for the last, which is on no path. */
struct insertion {
    uint32_t first;                  /* the state into whose tree it goes */
    uint32_t count, steps, clocks;   /* steps; where they begin, and its clocks */
    uint32_t moves;                  /* so many had a number before */
    uint32_t told;                   /* of the copy that tells: 1 + where, the last time */
};

struct insertions {
    struct numbered   sequences, moves;          /* hashes of these: */
    struct insertion *all;
    struct move      *of;
    uint32_t          all_room, of_room;
    uint32_t         *steps;         /* numbers of moves */
    uint32_t          step_count, step_room;
    uint16_t         *clocks;
    uint32_t          clock_count, clock_room;
};

void     insertions_fini(struct insertions *);
uint64_t insertions_hash(uint64_t hash, const struct move *);                    /* of a sequence, with one more; at first that is `first` */
uint32_t insertions_find(const struct insertions *, uint64_t hash);              /* NOT_NUMBERED: it is not there */
struct insertion insertions_begin(const struct insertions *, uint32_t first, uint32_t count);    /* the next one, whose steps and clocks are added then: */
void     insertions_add_step(struct insertions *, const struct move *);
uint32_t insertions_add_clock(struct insertions *, uint32_t stride);             /* of zeros; gives where it begins */
uint32_t insertions_enter(struct insertions *, uint64_t hash, struct insertion); /* all of them have been; gives its number */
void     insertions_cut(struct insertions *, uint32_t count);                    /* to the first so many sequences */
uint64_t insertions_size(const struct insertions *);                             /* bytes, about */

#endif
