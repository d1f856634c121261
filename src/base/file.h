/* Files that are read whole, and written whole or not at all. What is no regular file, such as a pipe that nobody writes to, is
 * refused instead of waited for.
 * SPDX-License-Identifier: MIT */
#ifndef FILE_H
#define FILE_H

#include "base/err.h"

#include <stdbool.h>
#include <stdio.h>

/* `what` is the subject of the message: "the scenario". NULL with err: it cannot be read. */
FILE *file_open(const char *file, const char *what, struct err *);

/* All of a text file; gives, return it with free. NULL with err: it cannot be read, or holds a NUL. */
char *file_text(const char *file, const char *what, struct err *);

/* `write` gives 0 or negative errno; until all went well the file is what it was. What is no regular file, such as /dev/null, is written to
 * as it comes. */
int   file_write(const char *file, const char *what, int (*write)(const void *, FILE *), const void *arg, struct err *);

/* Is there anything to be seen by which file_write would fail? Asked before work that takes long. `file` NULL, or "-": nothing. */
int   file_writable(const char *file, const char *what, struct err *);

/* Is it a header that came with the system or the compiler, by its whole path? clang writes /usr/bin/../include. */
bool file_is_of_the_system(const char *path);

#endif
