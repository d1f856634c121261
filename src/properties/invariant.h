/* What must be true in every state: expressions of C over the program's variables (doc/invariants.md).
 *
 * x@2 is x in process 2; without @ the expression is meant for every process, each with its own. (In a sharing group all have the same.) next(e) is e in the state after a
 * transition: such an expression must be true of every transition.
 * Variables are found by the program's debug information when it has been started. The values that are needed are noted where a process is
 * first seen to stand (struct noter of native.h); from then on an expression is computed from what was noted, and the program does not run.
 * Those of a sharing group are noted wherever it comes to stand.
 *
 * Numbers are 64 bits wide. What cannot be computed (a null pointer that is followed, a division by zero) is not true.
 * SPDX-License-Identifier: MIT */
#ifndef INVARIANT_H
#define INVARIANT_H

#include "history/graph.h"

#include <sys/types.h>

struct where;
struct memory_view;
struct invariants;
struct invariants *invariants_new(void);                         /* gives; return it with invariants_free */
void               invariants_free(struct invariants *);         /* NULL is fine */
int                invariants_add(struct invariants *, const char *text, struct err *);         /* copies; err says what is wrong with it */
int                invariants_watch(struct invariants *, const char *text, struct err *);       /* the same, but it need not be true: its value is asked for */
uint32_t           invariants_count(const struct invariants *);
const char        *invariants_text(const struct invariants *, uint32_t invariant);
bool               invariants_of_transitions(const struct invariants *);         /* does one of them have next()? */

/* The program was started anew: its variables may be elsewhere. */
void invariants_restart(struct invariants *);
/* As struct noter wants it; the first call looks for the variables. */
int invariants_note(void *invariants, struct where *, struct memory_view *, const struct noted **, uint32_t *count, struct err *);

/* The highest number of a process that one of them names with @; 0: none does. */
int invariants_highest(const struct invariants *);

/* What was noted of each process (NULL: it died, and nobody can say): in a state; or before and after a transition. `shared`: all have the
 * same variables, those of the first. */
struct invariant_view { int processes; const struct noted *now[MAX_PROCESSES], *next[MAX_PROCESSES]; bool transition, shared; };

struct breach { uint32_t invariant; int process; };              /* process: for which it is not true; -1: it names its own */
/* The first that is not true, of those that do not need to know about one who died: of those without next() in a state, of those with it
 * for a transition. False: all are. */
bool invariants_broken(const struct invariants *, const struct invariant_view *, struct breach *);
/* The value of one in a state, for the first process. False: it has none. */
bool invariants_value(const struct invariants *, const struct invariant_view *, uint32_t invariant, int64_t *value);
/* The variables, fields and elements that they ask for, as far as they always lie in the same place; after the program has been seen to have them. */
void invariants_places(const struct invariants *, void (*each)(void *, uint64_t address, uint64_t size), void *);
/* The variables of it and what they hold: "door_open@1 = 1, heater@1 = 1". Gives. */
char *invariants_values(const struct invariants *, const struct invariant_view *, struct breach);

#endif
