/* What the check command does, for another one that checks something else: a search, and its report in all forms.
 * SPDX-License-Identifier: MIT */
#ifndef CHECK_H
#define CHECK_H

#include "cli/commands.h"

int check_as(const struct command *, const char *self, int count, char **words);         /* gives the exit status */

#endif
