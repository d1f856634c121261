/* What the replay command does: run a scenario on the real program and show it as text.
 * SPDX-License-Identifier: MIT */
#ifndef REPLAY_H
#define REPLAY_H

#include "cli/plan.h"

int replay_show(struct plan *);                            /* its request names a scenario; gives the exit status */

#endif
