/* What the user, or the machine, does not let a program have: the limits that may be why the system refused something.
 * SPDX-License-Identifier: MIT */
#ifndef LIMITS_H
#define LIMITS_H

#include "base/err.h"

/* Each adds to the words in err, as ulimit has them: */
void limits_of_memory(struct err *);
void limits_behind(struct err *, int code);      /* those that this errno may come from */
void limits_of_start(struct err *);              /* those that may keep a program from starting: on memory, and on files if it is low */

#endif
