/* Ctrl-C and its like: the first asks the search to stop and report, the second, half a second later or more, ends us at once.
 * A closed pipe is no reason to die: writing then fails, and that is dealt with where it is written.
 * SPDX-License-Identifier: MIT */
#ifndef SIGNALS_H
#define SIGNALS_H

#include "base/err.h"

#include <stdint.h>
#include <sys/types.h>

void                signals_catch(void);
int                 signals_limit_time(int64_t seconds, struct err *);   /* from now on; 0: no limit */
const volatile int *signals_interrupt(void);                     /* enum interrupt (search.h): why to stop */

/* Waits for a child that leads a process group, and kills the group when asked to stop. Gives its wait status. */
int                 signals_wait(pid_t child);

#endif
