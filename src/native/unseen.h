/* Code of the program that does not tell of its reads and writes, though other code does: libraries that were not compiled so, and sources
 * within, as far as the compiler left a note of how it was called (gcc does); inline assembly, and structures passed by value, of which we leave notes (cli/assembly.h, cli/values.h). Of the C
 * library those functions that the program calls, and that do not tell either (base/library.h).
 * SPDX-License-Identifier: MIT */
#ifndef UNSEEN_H
#define UNSEEN_H

#include "native/where.h"

/* "libz.so.1, fast.s, inline assembly at lock.h:12, strtok()"; gives, return it with free. NULL: nothing of the kind is known. */
char *unseen_code(struct where *);

#endif
