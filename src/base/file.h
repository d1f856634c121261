/* Files that are read whole. What is no regular file, such as a pipe that nobody writes to, is refused instead of waited for.
 * SPDX-License-Identifier: MIT */
#ifndef FILE_H
#define FILE_H

#include "base/err.h"

#include <stdio.h>

/* `what` is the subject of the message: "the scenario". NULL with err: it cannot be read. */
FILE *file_open(const char *file, const char *what, struct err *);

#endif
