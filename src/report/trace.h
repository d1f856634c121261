/* A scenario in memory: the transitions that led from the initial global state to where we are, each with all that is
 * needed to execute it again in another start of the program and to see whether the same thing happens.
 * Invariant: what made an object comes before what uses it, or is it.
 * SPDX-License-Identifier: MIT */
#ifndef TRACE_H
#define TRACE_H

#include "system/system.h"

/* The event in which an object was made: by a call that does so, or by its first use. Memory can hold several, one after the other. */
struct made {
    uint32_t event;                  /* counts from 0; as many as there are: the one that is to come */
    uint32_t nth;                    /* of its type that this process made, counts from 1 */
    struct op op;
};

struct event {
    struct op op;                    /* what the process did */
    uint32_t  choice, result;
    uint32_t  notes;                 /* text: its VS_print lines; 0: none */
    struct op next;                  /* what it stood before afterwards */
    uint64_t  fingerprint[2];        /* of the local state it then was in */
    uint64_t  enabled;               /* processes that could go, before */
    uint32_t  node;                  /* of the run that made it: where the process stood before */
    uint32_t  made, nth;             /* see struct made; only where the operation is on an object */
    struct noted before, after;      /* of an access to a shared variable: what it held (held.h) */
};

struct held;

struct trace {
    struct event *events;
    uint32_t      count, room;
    const struct held *held;         /* borrowed: what variables hold is kept with what is added; NULL: it is not */
};

void trace_init(struct trace *);
void trace_fini(struct trace *);
void trace_append(struct trace *, const struct trace *);
void trace_add(struct trace *, const struct system *, const struct step *);      /* a step the system has executed */
/* Executes the transition and adds it. Not to be undone. */
int  trace_execute(struct trace *, struct system *, int process, uint32_t choice, struct err *);

/* What variables held, as another run knows it that took the same steps, as far as it came. */
void trace_take_held(struct trace *, const struct trace *from);

/* How the object of an operation came to be that comes after these events. */
struct made trace_made(const struct trace *, const struct op *);

bool trace_makes(const struct op *);                     /* is it a call that makes its object, not one that uses it? */

/* During how many last transitions the process was blocked all the time; 0: it can go. */
uint32_t trace_blocked(const struct trace *, const struct system *, int process);

#endif
