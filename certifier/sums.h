/* Which states may be the same: those to which paths of the same sum lead.
 *
 * Most transitions do the same whenever they are taken: they add to a counter, take a lock, go on by a line. So each has a number, and where
 * a path leads is known by the sum of its numbers, as far as the order does not matter. At first all numbers are random. When it is told that
 * two paths of different sums lead to one state, an equation is learned of how often each transition is on the one and on the other (a loop
 * adds up to nothing); it is solved for the newest transition, and all sums are made anew. After some dozens of equations the states of one
 * sum are few: mostly the one.
 *
 * This is only a guess (what is written may depend on the order, or on what another wrote): it decides how short a script is, and nothing else.
 *
 * Invariant: all equations hold for the numbers; in each the transition for which it is solved is in none of the others. Both sides of a
 * file make the same calls, and so the same guesses.
 * SPDX-License-Identifier: MIT */
#ifndef SUMS_H
#define SUMS_H

#include <stdbool.h>
#include <stdint.h>

enum { SUMS_NONE = -1, SUMS_KINDS = 4096, SUMS_EQUATIONS = 256, SUMS_WORK = 12 };
/* KINDS: more of them have numbers, and no equations. WORK: so often, for each state, sums are made anew */

struct sums;
struct sums *sums_new(void);                                     /* gives, return it with sums_free */
void         sums_free(struct sums *);                           /* NULL is fine */

uint32_t sums_kind(struct sums *, uint32_t label, uint32_t before);      /* the kind of a transition: its label, and the process's last one */
/* A new state, the next number from 0 on, by a transition of this kind. `from` SUMS_NONE: nothing is known of how one comes there. */
void     sums_add(struct sums *, int64_t from, uint32_t kind);
uint64_t sums_of(const struct sums *, uint32_t state);
uint64_t sums_after(const struct sums *, uint64_t sum, uint32_t kind);
/* The last state of this sum before `before` (as many as there are: all of them); SUMS_NONE: there is none, or it is hard to find. */
int64_t  sums_last(const struct sums *, uint64_t sum, uint32_t before);
/* It was told that this transition leads to the state. */
void     sums_learn(struct sums *, uint32_t from, uint32_t kind, uint32_t to);
void     sums_forget(struct sums *);                             /* all states, not what was learned */

#endif
