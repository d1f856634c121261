/* Which transitions depend on each other: all of it, whatever the processes are.
 *
 * Three questions are asked. In a state: may it matter which of two enabled transitions goes first (dependence_now)? Of two
 * steps that were executed, whatever the state: must they stay in this order in every equivalent execution (dependence_conflict)? And
 * which processes need be looked at for that (dependence_reach)? What objects say is in their types (object.h); here is what operations
 * on processes do to each other, and what an arrival at an end or an abort means to others.
 *
 * Invariant: two steps that are in no conflict are independent in every state in which both are enabled; and whoever a step is in
 * conflict with is on its object, or in the reach of one of the two. Who is joined or detached has a number below MAX_PROCESSES.
 * SPDX-License-Identifier: MIT */
#ifndef DEPENDENCE_H
#define DEPENDENCE_H

#include "system/system.h"

/* May it matter, in this state, which of the next transitions of p and q goes first? Both must be enabled and known to the
 * graphs (executed before, here or in a state from which only independent transitions led here). */
bool dependence_now(const struct system *, int p, int q);

/* Does it matter to the next transition of q what this step came to: an end that q awaits, an abort? */
bool dependence_on_arrival(const struct system *, const struct step *, int q);

/* Of two executed steps of different processes, first before second: must they stay in this order in every equivalent
 * execution? Stamps are dependence_stamp's. Unlike dependence_now this does not look at the current state. */
uint32_t dependence_stamp(const struct system *, int process);                 /* of its next transition, before it is executed */
bool     dependence_conflict(const struct system *, const struct step *first, uint32_t first_stamp,
                             const struct step *second, uint32_t second_stamp);
/* The same, but not because of virtual time alone: may the second have learnt something from the first? */
bool     dependence_meet(const struct system *, const struct step *first, uint32_t first_stamp,
                         const struct step *second, uint32_t second_stamp);
/* As dependence_conflict for a transition that is not executed: the next one of `process`, with its stamp of now. */
bool     dependence_conflict_next(const struct system *, const struct step *first, uint32_t first_stamp, int process);
/* RESULT_SIGNAL: a handler runs before its next operation; else UINT32_MAX. */
uint32_t dependence_expected(const struct system *, int process);
/* What was seen of the program that dependence and conflict rest on. When it has changed, what was decided before does not hold. */
uint64_t dependence_premises(const struct system *);
/* All that was seen of the program on which these answers, and who can go, rest, as a number. */
uint64_t dependence_seen(const struct system *);
/* The same as a number that another process, which has seen the same of the program, would come to; also which numbers processes get. Dearer: it looks at
 * all local states. */
uint64_t dependence_knowledge(const struct system *);
/* The processes with whose transitions this step may be in conflict though they are on other objects. */
uint64_t dependence_reach(const struct system *, const struct step *);
/* Is the operation of that node about processes? If so, may it be in conflict with others of that kind only? (Reach may go beyond: it
 * names processes, not operations.) */
enum about { NOT_ABOUT_PROCESSES, ABOUT_PROCESSES, ONLY_PROCESSES };
enum about dependence_about_processes(const struct system *, uint32_t process, uint32_t node);
/* Two executed steps, first before second: is it known that the second could never have gone without the first? */
bool     dependence_enables(const struct system *, const struct step *first, const struct step *second);
bool     dependence_is_local(const struct system *, const struct node *);      /* do only the words of its object say whether it can go? */
/* Both enabled: could the two next transitions be exchanged wherever they stand side by side, as conflict has it? */
bool     dependence_exchangeable(const struct system *, int p, int q);

/* A process is seen before this operation, for the first time: what follows for dependence. */
void     dependence_note(struct system *, const struct op *);
bool     dependence_signals(const struct system *);                        /* may signals come before operations? */

#endif
