/* Does a function that a spinning process is in ever return? Then the loop is in one of its callers. Found out with a
 * breakpoint where it would return to.
 * SPDX-License-Identifier: MIT */
#ifndef RETURNS_H
#define RETURNS_H

#include "native/where.h"

#include <stdbool.h>
#include <sys/types.h>

/* True: it came back to `address` soon. Then `lo` and `hi` are widened to the lines that the caller went through next. */
bool returns_to(pid_t, uint64_t address, struct where *, int *lo, int *hi);
/* It stands in this function, or in one that it calls: `lo` and `hi` are widened to the lines that it goes through next. */
void returns_lines(pid_t, const struct place *here, struct where *, int *lo, int *hi);

#endif
