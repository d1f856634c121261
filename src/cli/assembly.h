/* Inline assembly in sources: a compiler tells nothing of what it does to memory. Sources are looked through as the preprocessor leaves them, and what
 * was found becomes a note in the object (include/verisoft-assembly.h, native/unseen.h).
 *
 * Not meant is what cannot touch memory that others have: an empty text (which keeps the compiler from moving accesses), `pause`, fences and the like,
 * and instructions on registers alone, with no operand in memory and no "memory" among what they change. In case of doubt it is meant.
 * SPDX-License-Identifier: MIT */
#ifndef ASSEMBLY_H
#define ASSEMBLY_H

#include "cli/home.h"
#include "cli/words.h"

/* Of C as the preprocessor leaves it: "queue.h:40, queue.h:52"; gives, NULL: none. */
char *assembly_find(const char *text);

/* Adds to a command that compiles `sources` (the words of the user, with files and options) what makes the note, if there is some. */
void assembly_note(struct words *command, const struct words *sources, const struct home *);

/* The words of a command without those that say what it makes, and where. */
void assembly_add_bare(struct words *to, const struct words *from);

#endif
