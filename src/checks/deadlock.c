/* SPDX-License-Identifier: MIT */
#include "checks/checks.h"

bool checks_deadlock(const struct system *s)
{
    return !s->enabled && !system_finished(s) && !system_aborted(s);
}
