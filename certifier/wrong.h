/* What is wrong in a state: the certifier's own questions, which it shares with nobody.
 * SPDX-License-Identifier: MIT */
#ifndef WRONG_H
#define WRONG_H

#include "system/system.h"

/* The kind of error as reports name it ("deadlock", "assertion"), NULL: nothing is wrong. `process` is who it is about; -1: all. */
const char *wrong_in(const struct system *, bool ignore_deadlock, int *process);
char       *wrong_words(const struct system *, const char *kind, int process);   /* a sentence; gives */

#endif
