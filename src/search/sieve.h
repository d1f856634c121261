/* About how many states there are, where there are too many to be counted.
 *
 * A pass is a search of all states that were not kept, which enters only a share of those that it meets, chosen by their fingerprints (site
 * percolation). So, other than a search that is given up somewhere, it comes everywhere. Of each state that is met it is noted how many
 * of the entered ones lead to it: to n1 states one, to n2 states two. How many there are to which none leads is asked of every sample
 * of species: at least n1^2 / (2 n2) (Chao 1984). States that lead to the same state are near each other, and entered together more often than by
 * chance, so twice that is taken.
 *
 * Where few states are entered, most of the space lies behind states that were left out, and the estimate is still too small. So there are
 * several: in each pass the share is larger, until one has used up its budget, or half of it. As long as there is much that was never met,
 * the estimate N grows with the states R that are entered, about as R^s; near the truth it does not. By how much it falls short
 * at slope s (sieve.c) was read off the nine programs of examples/certification; bench/certification 5 shows how well it holds, tests/unit/sieve.c for other spaces.
 *
 * Passes use one table of bits. A state of which one process can do one thing only is entered at twice the share: it is a corridor, and who
 * stops in corridors comes nowhere. Of the states that are met, every second one is noted, which saves room.
 * SPDX-License-Identifier: MIT */
#ifndef SIEVE_H
#define SIEVE_H

#include "search/bloom.h"

enum { SIEVE_PASSES_MOST = 64, SIEVE_NOTES = 3 };

struct sieve {
    struct bloom *bloom;             /* borrowed */
    uint64_t      salt;              /* other passes choose other states */
    double        kept, budget;      /* states that are not to be met; states that a pass may enter */
    double        share;             /* of the pass that goes on */
    uint64_t      entered, met[SIEVE_NOTES];             /* by this pass; noted states to which at least 1, 2, 3 of them lead */
    struct { double entered, states; } passes[SIEVE_PASSES_MOST];        /* of each that came to its end: what it entered, how many it thinks there are */
    int           count;
};

void sieve_init(struct sieve *, struct bloom *, uint64_t kept, uint64_t salt);
bool sieve_begin(struct sieve *);                /* a pass, which has to begin at `share` of the states that wait. False: there are enough */
/* A transition of the pass leads to this state, which is not kept. `corridor`: only one goes on from there. True: enter it. */
bool sieve_meets(struct sieve *, const uint64_t fingerprint[2], bool corridor);
void sieve_end(struct sieve *);                  /* the pass came to its end; one that did not is forgotten */
/* What the passes come to: states in all, and what the last pass thinks, which is mostly less. False: nothing, or too little for that. */
bool sieve_tells(const struct sieve *, double *states, double *least);

#endif
