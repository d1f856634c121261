/* What is left outside (--outside) is run within the transitions of others.
 *
 * A process that stands before an operation which is outside (`outside` of struct op) is not asked whether it goes next: no search sees it enabled. After
 * each step of the search, all such operations that can go are done, one after the other, until none can: they are the *tail* of that step, a part of
 * its invisible code. So a transition is one operation that is under control and all that follows from it outside; a state is one in which
 * what is outside has come to rest. The system has it so: all searches and reductions have it.
 *
 * A thread or a UNIX process may be outside as a whole: then also its creation is, its end, and who waits for it.
 *
 * Who goes next in a tail depends on nothing but the state: of those who do not let others go first the one with the lowest number, with the first
 * of its results. Who only looks again and again (a sleep, a try) goes when nobody else outside can, the one first that has gone least. Two kinds of
 * operations rest until nobody under control can go on, since else there would be no end: a wait that only its time limit ends; and a sleep of a process
 * that is outside altogether, after its first in a tail. Then they go a few times (MOST_RESTS), and if that helps nobody, all stands still.
 *
 *       the search's step       1: lock(a)                                         2: lock(b)
 *       its tail                           1: lock(log)  1: unlock(log)  3: wakes             2: lock(log) ...
 *
 * Why the executions are those of the program without what is outside, if that does not matter to the rest. Dependence is asked of the operations under
 * control alone. If what a process does next under control, and whether it can, is decided by what happened before under control, then two independent
 * transitions lead to the same in either order, but for what is outside. What rests on that, and is not so where something under control does learn of an order
 * outside, is said in the report (native/outside.h finds out what it can).
 *
 * One order is kept always: who was moved in a tail goes on after that step (`hidden_carried`): it cannot have gone before.
 *
 * A step that is executed once more in another order (system_execute_again) is taken to lead those under control where it led them. In its tail,
 * what can be done with the same result is done; else its process only moves. So what is outside may be in no state of the program then; nobody looks at it,
 * the program does not run, and it is undone.
 *
 * Invariants: in a state that a search sees, everybody enabled is under control; each leg from a node that is outside belongs to the tail of the last leg before
 * it that is not. Tails are kept once each, and never go: a step names its tail by number, 0 is the empty one.
 * SPDX-License-Identifier: MIT */
#ifndef HIDDEN_H
#define HIDDEN_H

#include "system/system.h"

/* ---- for whoever looks at a system ---- */

uint32_t hidden_steps(const struct system *, uint32_t legs);     /* how many steps the first so many legs of the path are: those outside are none */
uint32_t hidden_tail(const struct system *, const struct step *, const struct leg **);   /* what was done outside after it: so many legs, borrowed */
uint64_t hidden_carried(const struct system *, const struct step *);     /* whom its tail moved, beside its own process */
uint64_t hidden_standing(const struct system *);                  /* who stands before an operation that is outside */
uint64_t hidden_resting(const struct system *);                  /* of those: who would only let time pass, or look again */
uint64_t hidden_outsiders(const struct system *);                /* threads that were seen to be outside altogether */
bool     hidden_awaited(const struct system *, uint32_t object); /* was somebody under control left waiting for it? */

/* ---- for this folder ---- */

/* Of processes that are outside as a whole (history/hiding.h). An operation that is about to be that of a node, where its process comes by this leg: is it the
 * creation of one? One was created; and is that known too late? */
void hidden_mark(const struct system *, const struct leg *, struct op *);
void hidden_born(struct system *, const struct op *create, int child);
bool hidden_begins_again(const struct system *);
void hidden_expect(struct system *);                     /* before the first step: numbers as they were before it began again */

struct tails;
struct tails *tails_new(void);                           /* gives; return it with tails_free */
void          tails_free(struct tails *);                /* NULL is fine */
/* The number of this tail. The legs are copied. */
uint32_t      tails_keep(struct tails *, const struct leg *, uint32_t count);

/* Where a leg of a tail leads: the program is asked, or it is foreseen. As enum took; `to` when it was TAKEN. */
struct arriving { enum took (*ask)(void *self, uint32_t *to, struct err *); void *self; };

/* The step was just taken: its tail. Other than TAKEN: the step was undone. */
enum took hidden_run(struct system *, struct step *, struct arriving, struct err *);
void      hidden_again(struct system *, struct step *, uint32_t tail);   /* the same, as it was before; the program does not run */
void      hidden_take_back(struct system *, const struct step *);        /* the tail's legs go, and its processes stand where they stood */

#endif
