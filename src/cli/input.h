/* The program's standard input: a copy of a file, as it was when verisoft was started, so that every start reads the same.
 * SPDX-License-Identifier: MIT */
#ifndef INPUT_H
#define INPUT_H

#include "base/err.h"

/* Gives a descriptor of the copy, or a negative errno with words in err. */
int input_copy(const char *path, struct err *);

/* Gives the name of the file that is verisoft's own standard input, as one would type it, owned by the caller; INPUT_UNNAMED for one
 * that has none any more (a here document); NULL: that is no file. */
#define INPUT_UNNAMED "/dev/stdin"
char *input_own(void);

#endif
