/* What the system needs to know of the type of processes beyond object.h.
 *
 * The table of processes: word 0 is their number, then a word for each UNIX process. That of a sharing group (created with
 * arg[1] set) is larger: it knows threads, too, and who belongs to whom. There a UNIX process has the number of its first thread.
 * SPDX-License-Identifier: MIT */
#ifndef PROCESS_H
#define PROCESS_H

#include "object.h"

/* The word of process p is state[1 + p] of the table of processes: 0 while it runs, this value once it stands before `end`. */
uint32_t process_ended(const struct op *end);

/* ---- in a group ---- */

int      process_host(const uint32_t *table, int process);               /* the UNIX process it belongs to; -1: not created */
int      process_parent(const uint32_t *table, int host);                /* the UNIX process that forked it; -1: none, or a thread */
uint32_t process_children(const uint32_t *table, int process);           /* how many it has created so far */
uint64_t process_family(const uint32_t *table, int host);                /* all that belong to this UNIX process */
bool     process_has_ended(const uint32_t *table, int host);             /* the UNIX process, with all its threads */
/* Of the number of a thread: was it given already; is the one that had it last over, so that nobody can ask for it any more; did this
 * process join it; how many had it before that one? */
bool     process_was_born(const uint32_t *table, int process);
bool     process_is_over(const uint32_t *table, int process);
bool     process_joined_by(const uint32_t *table, int process, int joiner);
uint32_t process_generation(const uint32_t *table, int process);
enum { PROCESS_MOST_CREATED = 0xffff };              /* by one process, and owners of one number before: more are not counted */
bool     process_has_joined(const uint32_t *table, int thread);          /* or is gone without a trace: no such thread */
uint64_t process_live(const uint32_t *table, int host);                  /* its threads that have not ended, without timers */
void     process_reap(struct log *, uint32_t *table, int host);          /* it has ended, and nobody is to wait for it */
uint32_t *process_signals(uint32_t *table);                              /* as signals.h has them */
uint32_t *process_timers(uint32_t *table);                               /* as timers.h has them */
bool     process_cancelled(const uint32_t *table, int process);

#endif
