/* Signals of a sharing group: what each thread blocks, what is pending for threads and UNIX processes, what UNIX processes do
 * about each. A part of the table of processes (process.h); here it is only kept, system/signals.c says what becomes of a signal.
 *
 * Sets of signals are 64 bits, signal 1 the lowest. Pending signals wait at a target: a thread, or all threads of a UNIX process
 * (SIGNALS_OF_HOST). Of those below SIGRTMIN one is enough, the others queue up, each in a slot of its target, in which the runtime
 * keeps what is told with it.
 *
 * Invariant: a signal is pending at a target exactly when it has a slot there; of those below SIGRTMIN it has one at most.
 * SPDX-License-Identifier: MIT */
#ifndef SIGNALS_H
#define SIGNALS_H

#include "object.h"
#include "wire.h"

enum { SIGNALS_TARGETS = 2 * MAX_PROCESSES, SIGNALS_ACTION_WORDS = 3 };
enum { SIGNALS_MASKS = 0, SIGNALS_PENDING = SIGNALS_MASKS + 2 * MAX_PROCESSES,
       SIGNALS_SLOTS_AT = SIGNALS_PENDING + 2 * SIGNALS_TARGETS,
       SIGNALS_ACTIONS = SIGNALS_SLOTS_AT + SIGNALS_TARGETS * SIGNAL_SLOTS,
       SIGNALS_WORDS = SIGNALS_ACTIONS + MAX_PROCESSES * 64 * SIGNALS_ACTION_WORDS };
/* Words that one of the functions below changes at most: what is pending at two targets is forgotten, all that a process does about
 * signals becomes what its parent does. */
enum { SIGNALS_CHANGES = 2 * 3 * SIGNAL_SLOTS + 64 * SIGNALS_ACTION_WORDS + 8 };
#define SIGNALS_OF_HOST(host) (MAX_PROCESSES + (host))
#define SIGNALS_BIT(signal)   (UINT64_C(1) << ((signal) - 1))

enum signals_effect { SIGNALS_NOTHING, SIGNALS_ENDS, SIGNALS_STOPS, SIGNALS_HANDLED };

uint64_t signals_mask(const uint32_t *, int thread);
bool     signals_queue_up(int signal);                   /* may it be pending several times? */
uint64_t signals_pending(const uint32_t *, int target);
uint32_t signals_action(const uint32_t *, int host, int signal);         /* SIGACTION_* bits of wire.h */
enum signals_effect signals_effect(const uint32_t *, int host, int signal);

void signals_set_mask(struct log *, uint32_t *, int thread, uint64_t mask);
void signals_set_action(struct log *, uint32_t *, int host, const struct op *sigaction);
void signals_drop(struct log *, uint32_t *, int target, int signal);     /* all of these that are pending there */
int  signals_add(struct log *, uint32_t *, int target, int signal);      /* its slot; -1: no slot is free */
int  signals_take(struct log *, uint32_t *, int target, int signal);     /* the slot of the oldest; it is pending */
/* What comes with it: the thread blocks more, and the action may go back to what it is at the start. */
void signals_handled(struct log *, uint32_t *, int thread, int host, int signal);
void signals_born(struct log *, uint32_t *, int parent, int thread);     /* it blocks what its parent does */
void signals_forked(struct log *, uint32_t *, int parent_host, int host);
void signals_check(const uint32_t *);                                    /* for tests: asserts the invariant */

#endif
