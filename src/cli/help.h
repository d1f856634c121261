/* Help as text, from the tables of options.h and commands.h.
 * SPDX-License-Identifier: MIT */
#ifndef HELP_H
#define HELP_H

#include "cli/commands.h"

void help_usage(void);                                           /* the commonest command lines, on standard error */
void help_all(void);
void help_command(const struct command *);
void help_sample(void);                                          /* a system_file.VS with every parameter at its default */

#endif
