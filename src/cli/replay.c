/* The replay command.
 * SPDX-License-Identifier: MIT */
#include "cli/replay.h"

#include "base/child.h"
#include "cli/signals.h"
#include "cli/terminal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- at the end of the scenario ---- */

static void say_how_to_attach(const struct standing *all, int count)
{
    printf("\nThe program stands still here. To look into it, in another terminal:\n");
    for (int i = 0; i < count; i++)
        printf("  gdb -p %d    # process %d\n", (int)all[i].pid, all[i].process);
    printf("Ctrl-C ends it.\n");
    fflush(stdout);
}

static void wait_here(void *arg, const struct standing *all, int count)
{
    (void)arg;
    struct timespec moment = { .tv_nsec = 50000000 };
    say_how_to_attach(all, count);
    while (!*signals_interrupt())
        nanosleep(&moment, NULL);
}

static void start_gdb(void *arg, const struct standing *all, int count)
{
    (void)arg;
    char pid[16];
    if (!count) {
        fprintf(stderr, "verisoft: no process of the program is left to look into\n");
        return;
    }
    snprintf(pid, sizeof pid, "%d", (int)all[0].pid);
    fprintf(stderr, "verisoft: gdb -p %s (process %d)\n", pid, all[0].process);
    pid_t self = getpid(), child = fork();
    if (child == 0) {
        child_dies_with(self);
        execlp("gdb", "gdb", "-q", "-p", pid, (char *)NULL);
        fprintf(stderr, "verisoft: gdb cannot be started: %s\n", strerror(errno));
        _exit(127);
    }
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
}

static void choose_hold(struct plan *p)
{
    const struct settings *s = &p->request.settings;
    bool gdb = s->values[OPTION_gdb].number, hold = s->values[OPTION_hold].number;
    if (gdb || hold) {
        p->job.hold = gdb ? start_gdb : wait_here;
        p->job.native.threads = true;
    }
}

int replay_show(struct plan *p)
{
    struct err err;
    enum result result;
    choose_hold(p);
    int width = terminal_look(&p->request.settings).width;
    int failed = job_replay(&p->job, p->request.scenario, stdout, width, &result, &err);
    fflush(stdout);
    if (failed)
        return command_failed(failed, &err);
    return result == RESULT_ERRORS ? EXIT_ERRORS : result == RESULT_INCOMPLETE ? EXIT_INCOMPLETE : EXIT_COMPLETE;
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
    .scenario = true,
    .no_scenario = "which scenario? Type: verisoft replay PROGRAM SCENARIO.path",
};
