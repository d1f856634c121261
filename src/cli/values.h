/* Structures that are passed by value, and with gcc those that are stored where a function has returned one, variables that a function within another one uses, and
 * instructions that are called by their names (_mm_stream_si32): of these accesses to memory compilers do not tell (-fsanitize=thread). They are found in what gcc writes down of its own work (-fdump-tree-tsan, raw), or in what clang makes before the machine's code, and become a
 * note in the object, as inline assembly does (assembly.h).
 *
 * A variable of the function itself is not meant, unless its address is given away: stored, or passed to a function that is not known to keep none (those of the
 * C++ library that start a thread or make a reference to keep do). Nor what stands in headers of the system: a container's own affairs.
 * SPDX-License-Identifier: MIT */
#ifndef VALUES_H
#define VALUES_H

#include "cli/home.h"
#include "cli/words.h"

#include <stdio.h>

#define VALUES_STAGE "--stage"       /* of the command cc: what follows is a command of gcc's */

/* With clang: adds to a command that compiles `sources` what makes the note, if there is something to note. */
void  values_note(struct words *command, const struct words *sources, const struct home *);
char *values_find_passed(const char *text);      /* in the text that clang makes (-emit-llvm); as values_find */

void  values_add(struct words *command);         /* to a command of gcc: makes it run its stages by ours */
char *values_find(FILE *dump);                   /* "main.c:12, main.c:20"; gives, NULL: there are none */
int   values_stage(int count, char **words);     /* a stage; gives its status */

#endif
