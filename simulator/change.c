/* SPDX-License-Identifier: MIT */
#include "simulator/simulator_internal.h"

#include "report/follow.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

int simulator_move(struct simulator *s, uint32_t position, struct err *err)
{
    if (position > s->all.trace.count)
        return fail(err, "there is no position %u: the scenario has %u transition%s", position, s->all.trace.count,
                    s->all.trace.count == 1 ? "" : "s");
    int rc = simulator_go_to(s, position, err);
    s->seq += rc >= 0;
    return rc;
}

/* The scenario says so anyway: then what comes behind stays. */
static bool is_next(const struct simulator *s, int process, uint32_t choice)
{
    const struct event *next = &s->all.trace.events[s->position];
    return s->position < s->all.trace.count && next->op.process == process && next->choice == choice;
}

/* In its place comes another one, which counts on. */
static void replace(struct simulator *s, struct simulator *fresh)
{
    struct simulator old = *s;
    *s = *fresh;
    s->seq = old.seq + 1;
    s->edition = old.edition + 1;
    s->changed_from = 0;
    *fresh = old;
    simulator_free(fresh);
}

/* Only a group has these; elsewhere processes are there from the beginning, and end without a word. */
static bool is_of_its_own(const struct op *op)
{
    return types_traits(op) & OP_QUIET;
}

/* All that stand before such an operation execute it, until none does. */
static int catch_up(struct simulator *s)
{
    const struct system *system = s->run.system;
    int rc = 0;
    for (int p = 0, left = 4 * MAX_PROCESSES; p < system->processes && left && rc >= 0; p++)
        if (system->enabled >> p & 1 && is_of_its_own(&system_pending(system, p)->op)) {
            rc = simulator_execute(s, p, 0, NULL);
            p = -1;
            left--;
        }
    return rc;
}

/* The same step in another start of the program. */
static int repeat(struct simulator *s, const struct simulator *old, uint32_t event)
{
    const struct event *e = &old->all.trace.events[event];
    struct trace before = old->all.trace, past = simulator_past(s);
    before.count = event;
    struct path_step step = { .process = e->op.process + 1, .operation = run_operation(&old->run, &before, &e->op),
                              .result = run_result(&old->run, &e->op, e->result) };
    uint32_t choice;
    int rc = follow_choice(&s->run, &past, &step, "", &choice, NULL);
    if (rc >= 0)
        rc = simulator_execute(s, e->op.process, choice, NULL);
    free(step.operation);
    free(step.result);
    return rc;
}

/* Gives how many steps of the old one could be made again in the fresh one, which is a group. */
static uint32_t repeat_all(struct simulator *fresh, const struct simulator *old)
{
    uint32_t done = 0;
    int rc = catch_up(fresh);
    while (rc >= 0 && done < old->position) {
        rc = repeat(fresh, old, done);
        if (rc >= 0) {
            done++;
            rc = catch_up(fresh);
        }
    }
    return done;
}

static int start_as_group(struct simulator *s, struct err *err)
{
    static const char why[] = "here the program begins to share memory, pipes or threads between its processes. It was started "
                              "again so that VeriSoft controls these, too";
    struct simulator *fresh;
    struct path empty;
    path_init(&empty);
    int rc = simulator_begin(&fresh, s->given, true, &empty, NULL, err);
    if (rc < 0)
        return rc;
    uint32_t steps = s->position, done = repeat_all(fresh, s);
    replace(s, fresh);
    if (done < steps)
        return fail(err, "%s; of the %u transitions before, %u could be made again", why, steps, done);
    return fail(err, "%s, and brought to the same place: starts, forks and ends of processes are transitions now. Let the "
                "process go again", why);
}

int simulator_go(struct simulator *s, int process, uint32_t choice, struct err *err)
{
    assert(choice < simulator_choices(s, process));
    if (is_next(s, process, choice)) {
        simulator_put_aside(s);
        return simulator_move(s, s->position + 1, err);
    }
    int rc = simulator_execute(s, process, choice, err);
    if (rc == -EXDEV)
        return start_as_group(s, err);
    s->seq += rc >= 0;
    return rc;
}

void simulator_take_back(struct simulator *s)
{
    simulator_go_back(s, s->position - 1);
    simulator_put_back(s);
}

/* All that is executed was executed before, so the program stands still. */
int simulator_rejoin(struct simulator *s, struct err *err)
{
    uint32_t count, kept = simulator_kept(s, &count);
    if (kept == count)
        return s->name ? fail(err, "the scenario is that of %s still", s->name) : fail(err, "no scenario was loaded");
    int rc = simulator_go_to(s, kept, err);
    for (uint32_t i = kept; i < count && rc >= 0; i++)
        rc = simulator_execute(s, s->plan.steps[i].process, s->plan.steps[i].choice, err);
    if (s->position > kept)
        simulator_go_back(s, kept);
    s->seq++;
    return rc;
}

/* The old scenario is kept aside until the new one has been executed. */
static int load_here(struct simulator *s, const struct path *path, const char *name, struct err *err)
{
    uint32_t position = s->position;
    simulator_go_back(s, 0);
    struct scenario old = s->all;
    s->all = (struct scenario){ 0 };
    int rc = simulator_follow(s, path, name, err);
    simulator_go_back(s, 0);
    if (rc < 0) {
        scenario_fini(&s->all);
        s->all = old;
        simulator_return_to(s, position);
        return rc;
    }
    scenario_fini(&old);
    simulator_set_header(s, path, name);
    s->seq++;
    s->edition++;
    s->changed_from = 0;
    return 0;
}

int simulator_load(struct simulator *s, const struct path *path, const char *name, struct err *err)
{
    struct simulator *fresh;
    bool group = s->job.native.group;
    int rc = !group && path_shares(path) ? -EXDEV : load_here(s, path, name, err);
    if (rc != -EXDEV || group)
        return rc;
    rc = simulator_begin(&fresh, s->given, true, path, name, err);
    if (rc >= 0)
        replace(s, fresh);
    return rc;
}
