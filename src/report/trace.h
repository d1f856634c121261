/* A scenario in memory: the transitions that led from the initial global state to where we are, each with all that is
 * needed to execute it again in another start of the program and to see whether the same thing happens.
 * SPDX-License-Identifier: MIT */
#ifndef TRACE_H
#define TRACE_H

#include "system/system.h"

struct event {
    struct op op;                    /* what the process did */
    uint32_t  choice, result;
    uint32_t  notes;                 /* text: its VS_print lines; 0: none */
    struct op next;                  /* what it stood before afterwards */
    uint64_t  fingerprint[2];        /* of the local state it then was in */
    uint64_t  enabled;               /* processes that could go, before */
};

struct trace {
    struct event *events;
    uint32_t      count, room;
};

void trace_init(struct trace *);
void trace_fini(struct trace *);
void trace_append(struct trace *, const struct trace *);
void trace_add(struct trace *, const struct system *, const struct step *);      /* a step the system has executed */
/* Executes the transition and adds it. Not to be undone. */
int  trace_execute(struct trace *, struct system *, int process, uint32_t choice, struct err *);

/* During how many last transitions the process was blocked all the time; 0: it can go. */
uint32_t trace_blocked(const struct trace *, const struct system *, int process);

#endif
