/* Büchi automata: from a formula of temporal logic to an automaton that accepts exactly the infinite sequences of states of which the
 * formula is so. It moves with the sequence, one edge for each state, and accepts when it is in an accepting state again and again.
 * To look for violations of a property, translate its negation.
 *
 * The translation has four steps, each in a file of its own.
 *
 * 1. Normal form (ltl_normal.c). Negations go down to the symbols; what is written in a longer way than need be is shortened.
 *
 * 2. A tableau (tableau.c) to a generalised automaton with acceptance on edges. A state is a set of promises: parts of the formula that
 *    must be so from here on. For each part there is a list of ways to keep it, each of them a guard (what must be so now) and
 *    a set of promises for the next state on:
 *
 *        p U q:  keep q;  or keep p, and promise p U q again, which is noted as put off
 *        p V q:  keep q and p;  or keep q, and promise p V q again
 *        X p:    promise p
 *
 *    the ways of p && q are all pairs, of p || q both lists. An edge of a state is one way to keep all its promises. A run is a proof of
 *    the formula, unless it puts off one and the same until for ever: so there is a mark for each until, on every edge that does not
 *    put it off, and a run accepts when it meets each mark again and again. This is the construction of Gastin and Oddoux (Fast LTL
 *    to Büchi Automata Translation, 2001, sections 3 and 4: the lists are the transitions of their very weak alternating automaton,
 *    and the edges are those of their generalised one) with Couvreur's way of noting what is put off (On-the-fly Verification of Linear
 *    Temporal Logic, 1999, section 3). Where we differ: theirs decides afterwards from guard and promises whether an edge fulfils an
 *    until, and may then leave out a way only when all is known of an edge; with the note in the way itself, a way that asks as much,
 *    promises as much and puts off as much as another can be left out as soon as it is found, in every list, because all three only
 *    grow when ways are joined. And X (p || q) is promised whole, not split: fewer choices that are made too early.
 *
 * 3. Simplification (automaton.c, simulation.c): states from which nothing is accepted, and states that others can stand in for, go.
 *
 * 4. Counting the marks (buchi.c): a Büchi automaton has one kind of acceptance, on states. A copy of the automaton for each mark waits
 *    for that one and moves on to the next copy (or several, when an edge has several marks); past the last one it is in an
 *    accepting state, and begins again. Only within a component where a run can stay and accept; elsewhere one copy is enough (Gastin and
 *    Oddoux, section 5; Babiak and others 2013, section 5). The order of the marks changes the size; every order is tried when there are
 *    few. Then step 3 again.
 *
 * Left out: determinism is not sought for its own sake, and formulas whose truth does not depend on a beginning (<>[]p) are not
 * put aside to be checked late: both pay for formulas that are much larger than requirements are. What becomes too large is refused,
 * in words; how large that is stands in tableau.c.
 *
 * Invariant: state 0 is the initial one; edges are sorted by state, and there is at most one from a state to another; each state
 * can be reached, and something is accepted from it (but if nothing is accepted at all, there is state 0 alone, without edges).
 * SPDX-License-Identifier: MIT */
#ifndef BUCHI_H
#define BUCHI_H

#include "base/err.h"
#include "properties/cube.h"
#include "properties/ltl.h"

#include <stdbool.h>
#include <stdint.h>

struct buchi_edge {
    uint32_t from, to;
    uint32_t first, count;           /* its guard: cubes[first], ...; one of them must allow the symbols of the state */
};

struct buchi {
    char    **symbols;               /* bit i of cubes is symbols[i] */
    uint32_t  symbol_count;
    uint32_t  state_count;
    bool     *accepting;             /* of each state */
    struct buchi_edge *edges;
    uint32_t  edge_count;
    struct cube *cubes;
    uint32_t  cube_count;
};

/* NULL with err when it becomes too large. The table may grow. */
struct buchi *buchi_new(struct ltl *, uint32_t formula, struct err *);   /* gives; return it with buchi_free */
void          buchi_free(struct buchi *);                                /* NULL is fine */
void          buchi_check(const struct buchi *);                         /* asserts the invariant */

bool buchi_allows(const struct buchi *, const struct buchi_edge *, uint64_t symbols);     /* bit i: symbols[i] is true */
/* Does it accept these letters, of which what begins at `again` is repeated for ever? Bit i of a letter: symbols[i] is true. */
bool buchi_accepts(const struct buchi *, const uint64_t *letters, uint32_t count, uint32_t again);
/* Does it accept these letters, whatever follows them? */
bool buchi_decided(const struct buchi *, const uint64_t *letters, uint32_t count);
/* Accepts whatever follows: it is accepting, and its only edge leads to itself and asks nothing. */
bool buchi_is_final(const struct buchi *, uint32_t state);

/* ---- to look at, and for others to read: each gives a string ---- */

char *buchi_guard(const struct buchi *, const struct buchi_edge *);      /* (p && !q) || r; true when it asks nothing */
char *buchi_state(const struct buchi *, uint32_t state);                 /* its label in the never claim: T0_init, accept_S3, accept_all */

/* A never claim in Promela, with `name` (NULL: none) and a comment (NULL: none) behind the brace. The symbols must be defined elsewhere, as
 * names or macros: each stands in parentheses. lines[s], unless NULL, becomes the line of the label of state s, from 1 on. */
char *buchi_never(const struct buchi *, const char *name, const char *comment, int *lines);
char *buchi_text(const struct buchi *);

/* Two that tell, beside the automaton, which states a run has reached: reached[s], or NULL when that is not known. `title`, unless NULL, is
 * the formula. */
char *buchi_svg(const struct buchi *, const char *title, const bool *reached, struct err *);     /* NULL with err: too large to be read */
struct json_t *buchi_json(const struct buchi *, const char *title, const bool *reached);         /* gives; doc/ltl.md lists its keys */

#endif
