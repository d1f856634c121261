/* The types that a file defines, as text, in the order in which they stand there; and the headers of the system that it includes.
 * A model that keeps C's own meaning is compiled with these. A type without a name gets one, vs_anon_LINE_COLUMN.
 * SPDX-License-Identifier: MIT */
#ifndef TYPES_H
#define TYPES_H

#include "extractor/clang/tree.h"

void types_includes(struct prose *, const struct source *);      /* include "pthread.h", for what the user's own files include */
/* A line for each type that is defined by these declarations, beginning with `what`; not for those of the system's headers. */
void types_put(struct prose *, const struct source *, const struct cursors *declarations, const char *what);
bool types_is_new(const char *line);                             /* the first time that it is asked: what several files include is told once */

#endif
