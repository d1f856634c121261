/* The simulate command, and the -simul of the 2001 manual. This version has no graphical simulator, and says so: a scenario is
 * shown as text, and without one there is nothing to show.
 * SPDX-License-Identifier: MIT */
#include "cli/replay.h"

#include <stdio.h>

static int guided(struct plan *p)
{
    printf("The graphical simulator is not part of this version of VeriSoft. This is what it would show, as text\n"
           "(verisoft replay does the same):\n\n");
    fflush(stdout);
    return replay_show(p);
}

static int run(const char *self, int count, char **words)
{
    struct plan plan;
    struct err err;
    int failed = plan_make(&plan, &command_simulate, self, count, words, &err);
    int code = failed ? command_failed(failed, &err) : guided(&plan);
    plan_free(&plan);
    return code;
}

const struct command command_simulate = {
    .name     = "simulate",
    .synopsis = "PROGRAM -simul [SCENARIO.path] [options] [-- program's arguments]",
    .summary  = "walk through a scenario; in this version as text, like replay (also: verisoft simulate PROGRAM ...)",
    .options  = IN_REPLAY,
    .run      = run,
    .no_scenario = "the graphical simulator, which would let you choose each step, is not part of this version. To have every "
                   "scenario tried, type: verisoft PROGRAM. To see one of them as text, type: verisoft replay PROGRAM error1.path",
};
