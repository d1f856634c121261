/* The entries of a script that was read, to be read a second time: without foretelling them again, which takes longer than to follow them.
 * They are in a file without a name, so many words each, and never whole in memory.
 * SPDX-License-Identifier: MIT */
#ifndef AGAIN_H
#define AGAIN_H

#include "certifier/script.h"

enum { AGAIN_MOST = 1 << 28 };       /* transitions: for more there may not be room on the disk */

struct again;
struct again *again_new(const char *near);                       /* beside this file; NULL: no file can be had. Gives */
void          again_free(struct again *);                        /* NULL is fine */
void          again_add(struct again *, const struct script_entry *);
bool          again_begin(struct again *);                       /* from the first on. False: what was added could not be written */
int           again_next(struct again *, struct script_entry *); /* 1; 0: no more; negative: it cannot be read */

#endif
