/* The start of the program: an executable with the runtime in it, run in an environment that is the same every time.
 * SPDX-License-Identifier: MIT */
#ifndef LAUNCH_H
#define LAUNCH_H

#include "native/line.h"
#include "native/native.h"

#include <sys/types.h>

/* Can this program be checked at all? Does not run it. */
int launch_check(const struct native_settings *, struct err *);
/* Starts it; `nobody` becomes its standard input, unless the settings have one. `comparable` says whether its addresses and its secret numbers are the same
 * as in any other start: some machines do not allow that. */
int launch(const struct native_settings *, struct line *, int nobody, pid_t *, bool *comparable, struct err *);
/* The runtime has begun. If the process ended before that, it was never the program: `launch_failed` says why. */
bool launch_connected(const struct line *);
int  launch_failed(struct line *, const char *path, struct err *);

#endif
