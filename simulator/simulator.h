/* The simulator: where the system stands, which transitions are possible, what was done and what the scenario says next. It knows
 * nothing of pages, terminals or debuggers.
 *
 * There is one scenario, and a position in it; all its transitions have been executed once. Going back and forth is in memory:
 * the program runs only when a transition is executed that is new. Events, positions and processes count from 0 (processes are
 * printed from 1).
 *
 * Invariant: the system is at the state after the first `position` events. What fails leaves all as it was.
 * SPDX-License-Identifier: MIT */
#ifndef SIMULATOR_H
#define SIMULATOR_H

#include "report/condition.h"
#include "report/path.h"
#include "report/run.h"
#include "report/trace.h"

struct simulator;

/* `scenario` NULL: manual, the empty scenario. The job is borrowed. -EINVAL when the scenario does not fit the program. */
int  simulator_new(struct simulator **, const struct job *, const char *scenario, struct err *);
void simulator_free(struct simulator *);                                 /* NULL is fine */

const struct job   *simulator_job(const struct simulator *);             /* in use: a group's, if it turned out to be one */
const struct run   *simulator_run(const struct simulator *);             /* its system is at the position */
const struct trace *simulator_trace(const struct simulator *);           /* the whole scenario */
struct trace        simulator_past(const struct simulator *);            /* what was done of it; borrowed until a change */
const char         *simulator_name(const struct simulator *);            /* of the scenario's file, no folder; NULL: manual */
const char         *simulator_program(const struct simulator *);         /* that file says it is of this; NULL: it does not say */
const char         *simulator_error(const struct simulator *);           /* the header of that file; NULL: none */
uint32_t simulator_position(const struct simulator *);
uint32_t simulator_length(const struct simulator *);
uint64_t simulator_seq(const struct simulator *);                        /* grows with every change */
uint32_t simulator_edition(const struct simulator *, uint32_t *changed_from);    /* protocol.md says what it is */

/* How many of its first transitions are those of the scenario that was loaded, which has `*of`; all of them: it was not left. */
uint32_t simulator_kept(const struct simulator *, uint32_t *of);

int  simulator_move(struct simulator *, uint32_t position, struct err *);
int  simulator_go(struct simulator *, int process, uint32_t choice, struct err *);
void simulator_take_back(struct simulator *);                            /* right after simulator_go: all is as before it */
uint32_t simulator_choices(const struct simulator *, int process);       /* 0: it cannot go */
char *simulator_choice(struct simulator *, int process, uint32_t choice);        /* what it would give back. Gives */
int  simulator_load(struct simulator *, const struct path *, const char *name, struct err *);    /* position 0 then */
int  simulator_rejoin(struct simulator *, struct err *);                 /* the loaded scenario again, to where it was left */
void simulator_forget_file(struct simulator *);                          /* the scenario comes from none: manual */
void simulator_path(struct simulator *, struct path *);                  /* as a file has it, with the error it ends in */
bool simulator_condition(const struct simulator *, struct condition *);  /* is something wrong at the position? */

/* What an event did to its object, and of a receive the events whose message it took. */
struct passage simulator_passage(const struct simulator *, uint32_t event);
uint32_t simulator_took(const struct simulator *, uint32_t event, const uint32_t **from);
/* A data race of the scenario that ends in this event: the number of the event with which it races, the next from `*race` on, which moves
 * behind it. UINT32_MAX: there is no more. */
uint32_t simulator_raced(const struct simulator *, uint32_t event, uint32_t *race);
/* Was its operation itself an error: a false assertion, or one that was declared not to happen? */
bool simulator_violated(const struct simulator *, uint32_t event, enum error_kind *);

/* The state of each object in words, now and before the transition that led here (the same at position 0). Gives two arrays of as
 * many strings as the system has objects; return them with simulator_free_objects. */
struct object_words { char **now, **before; uint32_t count; };
struct object_words simulator_objects(struct simulator *);
void     simulator_free_objects(struct object_words *);

/* Work that was done so far: transitions executed for the first time, once more in memory, and taken back. */
struct simulator_work { uint64_t executed, again, undone; };
struct simulator_work simulator_work(const struct simulator *);

#endif
