/* What the next entry of a script will be, as far as those before it tell: writer and reader both ask, and an entry that is as foretold
 * takes next to nothing in the file.
 *
 * Two transitions that do not depend on each other lead to the same state in either order. So where a state was entered by `arrived` from
 * a state in which another process had been tried before, by `moved`, there mostly is a *twin*: the state that differs from this one by
 * that step alone, and of which all is known already.
 *
 *         parent ──moved──> sibling          The twin's transitions, without those of the process that has moved there, and with `moved`
 *            │                 │             in their place, are those of the state. `moved` leads to the twin. And where a transition
 *         arrived           arrived          leads from the twin to a state E, it leads from here to a state from which `moved` leads to E:
 *            v                 v             to the last one of which that is known, else to a new one.
 *          state ──moved──>  twin
 *
 * A state without such a sibling takes the twin of its parent one step further.
 *
 * The same picture, seen from the parent: where `moved` was told before, and a label of another process leads from the sibling to E, it leads
 * from here to a state from which `moved` leads to E. Of that one all was told already, if it is not new: so this is asked first.
 *
 * What has no twin has the labels of its first child, without those of the process that moved; else what came last after the same two
 * labels. And a label that was tried in the parent, too, leads where `arrived` leads from there.
 *
 * Invariant: it depends on nothing but the entries that it was told. It remembers TWIN_EDGES transitions; when these are full it forgets
 * all of them, so its memory is bounded.
 * SPDX-License-Identifier: MIT */
#ifndef TWIN_H
#define TWIN_H

#include "certifier/labels.h"

enum { TWIN_EDGES = 1 << 22, TWIN_CONTEXTS = 1 << 16 };

struct twin;
struct twin *twin_new(const struct labels *);                    /* borrows; gives, return it with twin_free. The script is at state 0 */
void         twin_free(struct twin *);                           /* NULL is fine */
/* Of a part of a script, before anything else is told: it begins on this path, by `arrived` labels (the first BACK), after `previous` was
 * told in each state; `next` is the number of the next new state. */
void         twin_begin(struct twin *, const uint64_t *states, const uint32_t *arrived, const uint32_t *previous, uint32_t depth,
                        uint64_t next);

/* Two guesses at the next label, BACK for none; and two at the state to which it leads. */
uint32_t twin_label(const struct twin *);
uint32_t twin_other_label(const struct twin *);
uint64_t twin_state(const struct twin *, uint32_t label);
uint64_t twin_other_state(const struct twin *, uint32_t label);
/* The last state to which this label led and nothing foretold it (twin_told); 0 at first. */
uint64_t twin_near(const struct twin *, uint32_t label);
void     twin_told(struct twin *, uint32_t label, uint64_t to);

/* What the entry was. */
void twin_step(struct twin *, uint32_t label, uint64_t to);
void twin_back(struct twin *);                                   /* there must be a state */

bool     twin_over(const struct twin *);                         /* the first state was left, too */
uint64_t twin_here(const struct twin *);                         /* the state whose transitions are told */
uint64_t twin_new_state(const struct twin *);                    /* the number of the next one that is new */
uint64_t twin_region(const struct twin *);                       /* transitions of the state, and of those entered from it, so far */

#endif
