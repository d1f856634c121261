/* The state-space file: which states were entered and by which transitions (doc/sss.md is the format). Of an iterative
 * search the last layer remains.
 *
 * Invariant: the file never grows beyond its bound, and its last line says whether it is complete.
 * SPDX-License-Identifier: MIT */
#ifndef SSS_H
#define SSS_H

#include "report/run.h"

struct sss;
struct sss *sss_open(const char *file, const struct job *, const struct run *, struct err *);   /* NULL: err says why */
int  sss_close(struct sss *, struct err *);                      /* takes; 0, or negative when it could not all be written */

void sss_transition(struct sss *, uint64_t from, uint64_t to, const struct step *);
void sss_state(struct sss *, uint64_t number, uint32_t depth);   /* the system is in it; what is wrong there is noted too */
void sss_livelock(struct sss *, int process);                    /* to which the last transition led; counts from 0 */

#endif
