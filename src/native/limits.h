/* What the user, or the machine, does not let the program have.
 * SPDX-License-Identifier: MIT */
#ifndef LIMITS_H
#define LIMITS_H

#include "base/err.h"

/* Adds the limits that may have been the cause to the words in err, as ulimit has them: on memory, and on files if it is low. */
void limits_name(struct err *);

#endif
