/* What the terminal, if there is one, can show.
 * SPDX-License-Identifier: MIT */
#ifndef TERMINAL_H
#define TERMINAL_H

#include "cli/settings.h"
#include "report/text.h"

struct look terminal_look(const struct settings *);              /* of standard output; NO_COLOR and --no-color are obeyed */
bool        terminal_for_progress(const struct settings *);      /* standard error can show a line that is written over */

#endif
