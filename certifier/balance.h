/* Is a state the same one wherever a script speaks of it? Found out at the end, for all states at once, and without keeping what they are.
 *
 * An entry that leads to a known state is a pair of its number and of the fingerprint of where the program is then. When the entries are true,
 * these pairs are, each as often as entries lead there, those of the states as they were when they were entered. Two such heaps of pairs
 * are the same if and only if two polynomials are: the products of (K + number + A a + B b + C c), where a, b and c are the parts of the
 * fingerprint, for they are products of different irreducible factors. Both are computed at one place (K, A, B, C), modulo 2^61 - 1, which is
 * drawn by chance when the script is there already. Two different polynomials of degree n have the same value there with a probability of
 * at most n / 2^61 (Schwartz 1980); and that is done at two places, independent of each other. (R. Blum, W. Evans, P. Gemmell, S. Kannan and M. Naor,
 * Checking the correctness of memories, 1994, check a memory that they do not trust in this way.)
 *
 * How many entries lead to a state is known only behind the last one. So there the fingerprints of all states are gone through once more, in order:
 * whoever counts them (tally.h) has them, in a file. Which entry is a lie is not found out so: then the script is followed again, with the
 * fingerprints kept.
 * SPDX-License-Identifier: MIT */
#ifndef BALANCE_H
#define BALANCE_H

#include "certifier/tally.h"

#include <stdbool.h>

enum { BALANCE_PLACES = 2 };

struct balance {
    uint64_t  place[BALANCE_PLACES][4];          /* C, B, A, K */
    uint64_t  led[BALANCE_PLACES];               /* the product over all entries that led to a known state */
    uint32_t *often;                             /* by state: how many of them led there, */
    uint64_t  count, room;
    uint64_t *over;                              /* and UINT32_MAX more for each time that the state is in here */
    uint32_t  over_count;
};

int  balance_init(struct balance *, struct err *);               /* 0, or negative with err: chance cannot be had */
void balance_fini(struct balance *);                             /* all zero is fine */
void balance_enter(struct balance *);                            /* the next state: from 0 on */
/* An entry has led to this state, which was entered, and there the program's fingerprint is this one. */
void balance_lead(struct balance *, uint64_t state, const uint64_t fingerprint[2]);
/* Until now every entry has led where it should. `entered`: the fingerprints of the states, in order. 0, or negative with err. */
int  balance_holds(const struct balance *, struct tally *entered, bool *holds, struct err *);

#endif
