/* Other programs, asked without a shell: what they print, or what they are given to read.
 * SPDX-License-Identifier: MIT */
#ifndef ASK_H
#define ASK_H

#include "base/err.h"
#include "base/prose.h"

#include <stdbool.h>
#include <sys/types.h>

char *ask_line(char *const *command);                            /* the first line that it prints; gives; NULL: it failed, or there is no such program */
char *ask_all(char *const *command);                             /* all that it prints; gives; NULL likewise */
int   ask_to_take(char *const *command, const char *text, struct err *);         /* gives it the text to read, and waits; not 0: it failed */

/* One that may take its time to answer, and is not waited for. */
struct asking { pid_t pid; int from; struct prose said; };       /* pid 0: nothing was asked */
bool  ask_begin(struct asking *, char *const *command);          /* false: there is no such program */
bool  ask_hear(struct asking *, int milliseconds, char **told);  /* true: it has ended within these (-1: whenever that is); *told: as ask_all gives it */
void  ask_forget(struct asking *);                               /* ends it; fine when nothing was asked */

#endif
