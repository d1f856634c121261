/* Spin loops: a process that looks again and again at what others may change.
 *
 * One who comes to a look that it has made before, as it was then, and has read the same in between, comes there for ever unless somebody writes: it
 * waits. So a loop costs a step, also one whose state comes back only after many rounds (a counter that begins again). A loop that only counts
 * never comes back. What it is goes on by the same in each round, which is as good as a name for it: of its rounds only the first are operations
 * (--rounds). Those after them are a part of the last, as if nobody wrote meanwhile, unless there are so many that it will hardly end by itself: then it
 * waits, too. Of both the controller is told: what depends on the count was not searched then.
 * SPDX-License-Identifier: MIT */
#ifndef RT_LOOKS_H
#define RT_LOOKS_H

#include "accesses.h"

/* LOOKS: an operation like any other. KEEPS: likewise, but it does not count as having seen the object. WAITS: as it was. COUNTS: a later round of a loop that counts. */
enum rt_looking { RT_LOOKS, RT_KEEPS, RT_STANDS, RT_COUNTS };

/* `seen`: the first of its bytes that are looked at. Who goes through them word by word does not come to the same look again. `with`: what it
 * compares with and would put there, a sum. That may come from memory which the compiler changes without telling: what a compare and exchange found. */
enum rt_looking rt_looks_at(const struct wire_visible *, uint64_t seen, uint64_t with, uint64_t place, const void *frame);
void rt_look_found(uint64_t seen, uint64_t place, uint64_t value, bool whole);   /* what it read; whole: and there is no more of it */

/* It is about to write to memory that is no operation and not on its stack: what is there when it looks again is a part of what it is, as its stack is. So a loop that
 * counts in a variable of its own is one that counts, and one that puts back what was there is as it was. */
void rt_looks_wrote(const void *, uint64_t bytes, bool atomic);

/* Another object at which it looked in the last round, which began with this one; NULL: it was only this one. */
const struct rt_look *rt_other_look(const struct wire_visible *);
/* Did it try to get something in this round, too? What it waits for then is told by locations alone: so where it tries is one from now on. */
bool rt_tried_in_round(uint64_t place);

void rt_note_counting(uint64_t place);           /* not all rounds of this loop are operations: for the report */

/* The controller is to change something about visible locations (enum of wire.h), and starts the program again. */
void rt_demand(int how, const void *, uint64_t bytes, uint64_t other, uint64_t place);

/* What a word comes to that lies there (rt_sum of accesses.h). */
uint64_t rt_sum_at(uint64_t address, uint64_t value);

#endif
