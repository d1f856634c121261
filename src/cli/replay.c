/* The replay command.
 * SPDX-License-Identifier: MIT */
#include "cli/replay.h"

#include <stdio.h>

int replay_show(const struct plan *p)
{
    struct err err;
    bool found = false;
    int failed = job_replay(&p->job, p->request.scenario, stdout, &found, &err);
    fflush(stdout);
    if (failed)
        return command_failed(failed, &err);
    return found ? EXIT_ERRORS : EXIT_COMPLETE;
}

static int run(const char *self, int count, char **words)
{
    struct plan plan;
    struct err err;
    int failed = plan_make(&plan, &command_replay, self, count, words, &err);
    int code = failed ? command_failed(failed, &err) : replay_show(&plan);
    plan_free(&plan);
    return code;
}

const struct command command_replay = {
    .name     = "replay",
    .synopsis = "replay PROGRAM SCENARIO.path [options] [-- program's arguments]",
    .summary  = "run a scenario on the real program, step by step, and say what happens",
    .options  = IN_REPLAY,
    .run      = run,
    .no_scenario = "which scenario? Type: verisoft replay PROGRAM SCENARIO.path",
};
