/* Automata on infinite sequences while they are being made: for buchi.c and those who work for it; all others see buchi.h.
 *
 * A run accepts when it meets each mark in `all` again and again, on edges that it takes or on states that it enters. Marks on edges are a
 * generalised automaton with acceptance on transitions (what a tableau gives); one mark, on states, is a Büchi automaton.
 * Invariant: state 0 is the initial one; `first` is NULL, or edges are sorted by `from`, and those of state s are first[s] to
 * first[s + 1] - 1. automaton_check walks it.
 * SPDX-License-Identifier: MIT */
#ifndef AUTOMATON_H
#define AUTOMATON_H

#include "base/err.h"
#include "properties/cube.h"
#include "properties/ltl.h"

#include <stdint.h>

struct arc { uint32_t from, to; struct cube guard; uint64_t marks; };

struct automaton {
    uint32_t     states, state_room;
    uint64_t    *marks;              /* of states */
    struct arc *edges;
    uint32_t     count, room;        /* of edges */
    uint32_t    *first;
    uint64_t     all;
    bool         on_states;          /* else marks are on edges; where they are not, all are 0 */
};

void     automaton_fini(struct automaton *);                             /* leaves it empty; all zero is empty, too */
uint32_t automaton_state(struct automaton *, uint64_t marks);            /* a new one */
void     automaton_edge(struct automaton *, struct arc);                /* `first` is void then */
void     automaton_sort(struct automaton *);
void     automaton_check(const struct automaton *);
/* Keeps the states that have a number in `now`, under that number; UINT32_MAX: not kept. Marks of those that become one are united. */
void     automaton_renumber(struct automaton *, const uint32_t *now, uint32_t states);

/* Strongly connected components. A run stays in one of them for ever from some moment on; so nothing is changed by the marks of what
 * it can meet only once: edges between components, and states that are on no cycle. */
struct components {
    uint32_t *of;                    /* of each state; what a component leads to has lower numbers */
    uint32_t  count;
    bool     *cyclic;                /* of each component: it has an edge within */
    uint64_t *marks;                 /* of each: those on its states and the edges within, 0 if it is not cyclic */
};
void components_find(struct components *, const struct automaton *);     /* sorted; give back with components_fini */
void components_fini(struct components *);

/* Leaves out what no accepting run passes; no state with an edge is left, but the initial one, when there is no such run. */
void automaton_trim(struct automaton *);
/* Puts `marks` in the place of those that can be met only once, and none where no run that stays accepts. */
void automaton_idle_marks(struct automaton *, uint64_t marks);
/* A mark that is met on every cycle of a component is put on all of it. */
void automaton_saturate(struct automaton *);

/* Fewer states and edges, the same sequences accepted (simulation.c). */
void automaton_reduce(struct automaton *);

/* The generalised automaton of a formula in normal form (tableau.c); symbol i of cubes is symbols[i]. */
int  tableau_make(struct automaton *, const struct ltl *, uint32_t formula, const uint32_t *symbols, uint32_t count, struct err *);

#endif
