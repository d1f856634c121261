/* Other programs, asked without a shell: what they print, or what they are given to read.
 * SPDX-License-Identifier: MIT */
#ifndef ASK_H
#define ASK_H

#include "base/err.h"

char *ask_line(char *const *command);                            /* the first line that it prints; gives; NULL: it failed, or there is no such program */
char *ask_all(char *const *command);                             /* all that it prints; gives; NULL likewise */
int   ask_to_take(char *const *command, const char *text, struct err *);         /* gives it the text to read, and waits; not 0: it failed */

#endif
