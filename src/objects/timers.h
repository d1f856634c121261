/* Timers of a sharing group: which are armed, and in which order they expire. A part of the table of processes (process.h), for a timer is a
 * process, which stands before its next expiry, and has the number of that.
 *
 * Virtual time is that of all timers together, in microseconds: it goes on to the time of a timer when that expires, and else stands
 * still, for computing takes no time. Threads have clocks of their own (runtime/clock.c), which nothing here reads. In a program that also waits
 * with time limits (system/time.c) it goes on to the end of such a wait, too; then the slot of a process that is no timer says until when it waits.
 *
 * Invariant: what is deleted is not armed; what waits is no timer.
 * SPDX-License-Identifier: MIT */
#ifndef TIMERS_H
#define TIMERS_H

#include "object.h"
#include "wire.h"

enum { TIMERS_NOW, TIMERS_TABLE = TIMERS_NOW + 2, TIMERS_STATE = 0, TIMERS_DUE, TIMERS_INTERVAL = TIMERS_DUE + 2,
       TIMERS_EACH = TIMERS_INTERVAL + 2, TIMERS_WORDS = TIMERS_TABLE + MAX_PROCESSES * TIMERS_EACH };

bool     timers_armed(const uint32_t *, int timer);
bool     timers_deleted(const uint32_t *, int timer);
bool     timers_repeats(const uint32_t *, int timer);
uint64_t timers_due(const uint32_t *, int timer);
uint32_t timers_overruns(const uint32_t *, int timer);   /* expiries since the last that somebody has seen */
int      timers_channel(const uint32_t *, int timer);    /* that counts its expiries; -1: none does */

uint64_t timers_now(const uint32_t *);
bool     timers_measured(const uint32_t *, int timer);   /* a wait of somebody has ended by its time since it was armed */
bool     timers_waits(const uint32_t *, int process);    /* it has said for how long it is going to wait: until timers_due */
bool     timers_begins(const struct op *, uint64_t *span);       /* is it about to say so? */
void     timers_stop_waiting(struct log *, uint32_t *, int process, bool late);          /* late: its time was over; 2 + MAX_PROCESSES + 3 changes at most */

int      timers_of(const struct op *settime_or_gettime);
void     timers_born(struct log *, uint32_t *, const struct op *create, int timer);
void     timers_set(struct log *, uint32_t *, const struct op *settime);
enum timers_order { TIMERS_BY_TIME, TIMERS_ANY };
void     timers_expire(struct log *, uint32_t *, int timer, bool again, enum timers_order);
uint32_t timers_canonical(const uint32_t *, uint32_t *out);              /* as `canonical` of a type: times from now on */
void     timers_check(const uint32_t *);                                 /* for tests: asserts the invariant */
bool     timers_possible(const struct op *);              /* of CREATE, SETTIME and EXPIRE: can a program say so? */

#endif
