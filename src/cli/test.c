/* The test command: drivers in any language around a black box.
 * SPDX-License-Identifier: MIT */
#include "cli/test.h"

#include "base/memory.h"
#include "cli/check.h"
#include "cli/signals.h"
#include "suite/stage.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

struct staging {
    struct suite    suite;
    struct theatre *theatre;
    struct starter  starter;
};

/* Nothing is foreseen of a box, and states of it cannot be compared. */
static int check_search(const struct plan *p, struct err *err)
{
    const struct search_settings *s = &p->job.group_search;
    if (search_keeps_states(s->strategy))
        return fail(err, "--search %s: compares states, but what a black box holds is not seen; use dfs, iterative or random",
                    search_strategy_names[s->strategy]);
    if (s->reduction == REDUCTION_OPTIMAL)
        return fail(err, "--reduction optimal: foresees steps, which a black box does not allow; use none, sleep or source");
    if (s->reduction == REDUCTION_PERSISTENT)
        return fail(err, "--reduction persistent: is about declared processes and objects of a program; use none, sleep or source");
    return 0;
}

/* Of the suite, unless the command line says otherwise. */
static void set_bounds(struct plan *p, const struct suite_bounds *b)
{
    struct settings *given = &p->request.settings;
    if (!settings_given(given, OPTION_max_depth))
        p->job.group_search.max_depth = b->depth != NO_BOUND ? b->depth : (uint32_t)given->values[OPTION_max_depth].number;
    if (b->states != NO_BOUND && !settings_given(given, OPTION_stop_at_state))
        p->job.group_search.stop_at_state = b->states;
    if (b->errors != NO_BOUND && !settings_given(given, OPTION_stop_at_error))
        given->values[OPTION_stop_at_error].number = (int64_t)b->errors;
    if (b->seconds != NO_BOUND && !settings_given(given, OPTION_time_limit))
        given->values[OPTION_time_limit].number = (int64_t)b->seconds;
}

/* Without declared interfaces anything may matter to anything, also what a driver does after a choice. */
static void choose_search(struct plan *p, const struct suite *suite)
{
    struct search_settings *s = &p->job.group_search;
    const struct settings *given = &p->request.settings;
    if (!settings_given(given, OPTION_reduction))
        s->reduction = suite->declared && s->strategy != SEARCH_RANDOM ? REDUCTION_SOURCE : REDUCTION_NONE;
    set_bounds(p, &suite->bounds);
    s->depth_given = true;                   /* a longer first path would be one more run of the box */
    s->shallow_first = false;
}

/* Copies of the box can run ahead of a search that asks for everything in a known order. */
static struct stage_settings stage_for(const struct plan *p)
{
    const struct search_settings *s = &p->job.group_search;
    const struct value *values = p->request.settings.values;
    bool everything = s->reduction == REDUCTION_NONE && s->strategy != SEARCH_RANDOM && !s->shuffle && !values[OPTION_init_path].text;
    return (struct stage_settings){ .copies = p->request.scenario ? 1 : (uint32_t)values[OPTION_jobs].number, .everything = everything,
                                    .most = s->max_depth ? s->max_depth : UINT32_MAX, .interrupt = signals_interrupt() };
}

int test_stage(struct plan *p, struct err *err)
{
    struct staging *g = p->staging = memory_get(sizeof *g);
    if (p->request.program.count > 1)
        return fail(err, "%s: a second suite; one at a time", p->request.program.items[1]);
    int failed = suite_read(&g->suite, p->request.program.items[0], err);
    if (!failed)
        choose_search(p, &g->suite);
    if (!failed)
        failed = check_search(p, err);
    if (!failed)
        failed = signals_limit_time(p->request.settings.values[OPTION_time_limit].number, err);
    if (!failed)
        failed = home_find(&p->home, err);
    if (failed)
        return failed;
    struct warden_home home = { .folder = g->suite.folder, .drivers = p->home.drivers, .include = p->home.include };
    struct stage_settings how = stage_for(p);
    g->theatre = theatre_open(&g->suite, &home, &how, err);
    return g->theatre ? 0 : err_code(err);
}

void test_fill(struct plan *p)
{
    assert(p->staging);
    if (!p->staging->theatre)
        return;
    p->staging->starter = theatre_starter(p->staging->theatre);
    p->job.starter = &p->staging->starter;
    p->job.native.group = true;
    p->job.native.visible = NULL;
    p->job.native.habits = NULL;
    p->job.watched = NULL;
}

void test_unstage(struct staging *g)
{
    if (!g)
        return;
    theatre_close(g->theatre);
    suite_fini(&g->suite);
    free(g);
}

static int run(const char *self, int count, char **words) { return check_as(&command_test, self, count, words); }

static void help(void)
{
    puts("\nSUITE is a file such as suite.toml (doc/suite.md): how the black box is started and put back, and the drivers, which are\n"
         "commands in any language (doc/drivers.md). With a scenario, that one is run and shown instead.");
}

const struct command command_test = {
    .name     = "test",
    .synopsis = "test SUITE [SCENARIO.path] [options]",
    .summary  = "try all choices and orders of test drivers, in any language, around a black box",
    .options  = IN_TEST,
    .run      = run,
    .scenario = true,
    .help     = help,
};
