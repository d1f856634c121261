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
/* What the dynamic linker goes by besides the program and its libraries: it maps its cache before them, so that the size of the cache, which it
 * remembers, decides where they lie. Another one (packages were installed meanwhile): the start cannot be compared with one before. -1: there is none. */
int64_t launch_cache_size(void);
/* The runtime has begun. If the process ended before that, it was never the program: `launch_failed` says why. */
bool launch_connected(const struct line *);
int  launch_failed(struct line *, const char *path, struct err *);

#endif
