/* A sharing group within the system: its processes come and go, its objects are found on the way, and its steps may be foreseen
 * instead of run (system_foresee).
 *
 * Invariant: `path` is the list of all steps from the initial state to the current one; the first `settled` of them the program
 * has run, and they led where the graphs say. Only files of this folder include it.
 * SPDX-License-Identifier: MIT */
#ifndef GROUP_H
#define GROUP_H

#include "system/system.h"

struct group *group_new(const struct start *);           /* gives; return it with group_free */
void          group_free(struct group *);                /* NULL is fine */
void          group_begin(struct system *);              /* its first process, before it starts */

/* In system.c: graph_add, and what the system adds to a new node. */
uint32_t system_add_node(struct system *, int process, const struct arrival *, uint32_t parent, uint32_t result);

/* As system_operate and system_take_back of step.h. */
int  group_operate(struct system *, const struct node *, struct step *, uint32_t *next, struct err *);
void group_take_back(struct system *, const struct step *);
int  group_settle(struct system *, uint32_t *right, struct err *);
void group_foresee(struct group *, bool);
int  group_defer(struct system *, uint32_t most, uint32_t *set, struct err *);
bool group_believes(const struct group *);
bool group_was_there(const struct system *, int process);
uint32_t group_local_states(const struct system *, int process);
bool group_proven(const struct system *);
uint32_t group_wrong_set(const struct group *);
void group_forget_deferred(struct group *);
uint32_t group_right(const struct group *);
uint64_t group_ends_with(const struct system *, int process);
void group_expect(struct group *, uint32_t result, uint32_t next);       /* the next step leads there; NO_NODE: nobody knows */
void group_next_child(struct group *, int number);
uint32_t group_length(const struct group *);

/* As system_preview, whose caller takes it back and then says group_look_again. */
uint32_t group_preview(struct system *, const struct node *, uint32_t choice);
void     group_look_again(struct system *);

/* In how many ways can the operation go, also because its process was cancelled? */
uint32_t group_choices(const struct system *, const struct node *);
/* Beyond what objects say: must these two stay in this order? Results are of what was executed, UINT32_MAX: it was not. */
bool group_conflict(const struct group *, const struct op *, uint32_t result, const struct op *, uint32_t other_result);
uint64_t group_reach(const struct group *, const struct op *, uint32_t result);  /* as system_reach */
bool group_enables(const struct group *, const struct op *first, uint32_t result, const struct op *second, uint32_t second_result);
uint64_t group_rules(const struct group *);                      /* as system_rules */
bool group_signals(const struct group *);                        /* may signals come before operations? */
bool group_signal_due(const struct system *, int process);       /* does one, before its next? */
bool group_cancels(const struct group *, const struct op *);     /* may its process have been cancelled before it? */
void group_note(struct group *, const struct op *);              /* a process was seen before this */
int  group_host(const struct group *, int process);              /* the UNIX process that it is of */
const struct created *group_created(const struct group *);       /* those of struct start; grows while the program runs */

#endif
