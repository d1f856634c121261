/* SPDX-License-Identifier: MIT */
#include "certifier/tree_climb.h"

#include "base/memory.h"
#include "base/prose.h"
#include "certifier/labels.h"
#include "certifier/wrong.h"
#include "system/foresight.h"
#include "system/step.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- verdicts ---- */

/* So many steps of the path lead to what is wrong. */
static void save_path(struct climber *c, uint32_t steps)
{
    certification_save(c->out, c->settings->program, c->system, &c->path.all[0].step, sizeof *c->path.all, steps);
}

int climb_reject(struct climber *c, uint32_t steps, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    certification_reject(c->out, c->execution, format, list);
    va_end(list);
    c->over = true;
    if (c->path.depth != UINT32_MAX)
        save_path(c, steps);
    return 0;
}

static int tell_error(struct climber *c, const struct wrong_thing *wrong)
{
    certification_wrong(c->out, wrong);
    c->out->entry = c->execution;
    c->over = true;
    save_path(c, c->path.depth);
    return 0;
}

char *climb_words(const struct climber *c, uint32_t process, uint32_t node)
{
    char *does = labels_operation(c->system, &c->system->graphs[process].nodes[node].op);
    char *words = prose_make("process %u: %s", process + 1, does);
    free(does);
    return words;
}

/* ---- a state ---- */

int climb_enter(struct climber *c, uint64_t sleep)
{
    struct wrong_thing wrong;
    tree_path_enter(&c->path, sleep, c->execution);
    c->out->states++;
    if (c->path.depth > c->out->depth)
        c->out->depth = c->path.depth;
    return wrong_in(c->system, c->settings->ignore_deadlock, &wrong) ? tell_error(c, &wrong) : 0;
}

/* Checks 2: were all results of the current child told? */
static bool all_results(const struct tree_visit *v) { return !v->taken || v->told == v->choices; }

static int reject_results(struct climber *c, uint32_t at)
{
    const struct tree_visit *v = &c->path.all[at];
    char *does = climb_words(c, v->step.process, v->step.node);
    climb_reject(c, at, "%s can have %u results there, and the tree goes on by %u of them", does, v->choices, v->told);
    free(does);
    return 0;
}

static uint64_t children(const struct tree_visit *v) { return v->earlier | (v->taken ? BIT(v->step.process) : 0); }

static int reject_debt(struct climber *c, uint32_t at, const struct tree_debt *d)
{
    char *first = climb_words(c, d->first, d->first_node), *second = climb_words(c, d->second, d->second_node);
    struct prose who = { 0 };
    for (uint64_t left = d->processes; left; left &= left - 1)
        prose_add(&who, "%s%d", who.text ? ", " : "", __builtin_ctzll(left) + 1);
    char *list = prose_take(&who);
    climb_reject(c, at, "in execution %llu %s is in a race with %s, and no execution of the tree has the second of them first: from this state "
           "on, process %s would have to go, and does not", (unsigned long long)d->execution, first, second, list);
    free(first);
    free(second);
    free(list);
    return 0;
}

/* Checks 4: all children of the state were told. */
static int close_state(struct climber *c, uint32_t at)
{
    const struct tree_visit *v = &c->path.all[at];
    if (!all_results(v))
        return reject_results(c, at);
    const struct tree_debt *debt = tree_debt_of(v, children(v));
    if (debt)
        return reject_debt(c, at, debt);
    if (v->shared && c->settings->map)
        fprintf(c->settings->map, "left %llu %u %llx\n", (unsigned long long)v->entered, at, (unsigned long long)children(v));
    return 0;
}

int climb_leave(struct climber *c)
{
    int rc = close_state(c, c->path.depth);
    if (rc >= 0 && !c->over && c->path.depth)
        tree_path_leave(&c->path);
    return rc;
}

/* ---- a step ---- */

bool climb_was_told(const struct tree_visit *v, uint32_t choice)
{
    return v->results[choice / 64] >> choice % 64 & 1;
}

/* A new child: room for what is told of its results. */
static int begin_child(struct climber *c, const struct tree_step *t)
{
    struct tree_visit *v = climb_here(c);
    if (!all_results(v))
        return reject_results(c, c->path.depth);
    if (v->taken)
        v->earlier |= BIT(v->step.process);
    v->choices = system_choices(c->system, (int)t->process);
    v->told = 0;
    uint32_t words = (v->choices + 63) / 64;
    if (words > v->results_room) {
        v->results = memory_resize(v->results, words * sizeof *v->results);
        v->results_room = words;
    }
    memset(v->results, 0, words * sizeof *v->results);
    return 0;
}

static int reject_step(struct climber *c, const struct tree_step *t, const char *why)
{
    const struct system *s = c->system;
    if (t->process >= (uint32_t)s->processes)
        return climb_reject(c, c->path.depth, "the tree goes on by process %u, but the program has %d processes there", t->process + 1, s->processes);
    char *does = climb_words(c, t->process, s->node[t->process]);
    climb_reject(c, c->path.depth, "the tree goes on by %s, %s", does, why);
    free(does);
    return 0;
}

/* Checks 1. */
int climb_check(struct climber *c, const struct tree_step *t)
{
    const struct system *s = c->system;
    struct tree_visit *v = climb_here(c);
    if (t->process >= (uint32_t)s->processes || !(s->enabled >> t->process & 1))
        return reject_step(c, t, "which cannot go there");
    if (v->sleep >> t->process & 1)
        return reject_step(c, t, "which sleeps there: what that leads to was told before");
    bool same = v->taken && v->step.process == t->process;
    if (v->earlier >> t->process & 1)
        return reject_step(c, t, "which was told there before, and then another process");
    int rc = same ? 0 : begin_child(c, t);
    if (rc < 0 || c->over)
        return rc;
    if (t->choice >= v->choices)
        return reject_step(c, t, "with a result that it cannot have there");
    return climb_was_told(v, t->choice) ? reject_step(c, t, "with a result that was told there before") : 0;
}

/* Who sleeps on when the process goes; ask before it does. */
static uint64_t asleep_after(const struct climber *c, uint64_t asleep, uint32_t process)
{
    uint64_t still = 0;
    for (; asleep; asleep &= asleep - 1) {
        int q = __builtin_ctzll(asleep);
        still |= dependence_exchangeable(c->system, (int)process, q) ? BIT(q) : 0;
    }
    return still;
}

/* And who does, seen what it came to. */
static uint64_t asleep_behind(const struct climber *c, uint64_t asleep, const struct step *step)
{
    uint64_t still = 0;
    for (; asleep; asleep &= asleep - 1) {
        int q = __builtin_ctzll(asleep);
        still |= dependence_on_arrival(c->system, step, q) ? 0 : BIT(q);
    }
    return still;
}

/* The program does what it did not do when the same steps were run before. */
int climb_not_the_same(struct climber *c)
{
    return tell_error(c, &(struct wrong_thing){ FOUND_NONDETERMINISM, -1,
        prose_make("on the way to this state the program does not do the same again as it did before: something is not under control"), false });
}

/* By the program, or where it is known to lead, or where it should lead. */
static enum took take(struct climber *c, const struct ahead_step *t, struct step *step, struct err *err)
{
    int p = (int)t->step.process;
    if (t->next != NO_NODE) {
        system_follow(c->system, p, t->step.choice, t->next, 0, step);
        return STEP_TAKEN;
    }
    return c->foresight ? foresight_execute(c->foresight, p, t->step.choice, FORESEE, step, err)
                        : system_execute(c->system, p, t->step.choice, step, err);
}

int climb_execute(struct climber *c, const struct ahead_step *t, uint64_t *sleep, struct err *err)
{
    struct tree_visit *v = climb_here(c);
    uint32_t process = t->step.process, choice = t->step.choice, stamp = dependence_stamp(c->system, (int)process);
    struct step step;
    *sleep = asleep_after(c, v->sleep | v->earlier, process);
    enum took took = take(c, t, &step, err);
    c->again = took == STEP_AGAIN;
    if (took == STEP_FAILED)
        return err_code(err) == -ENOTRECOVERABLE ? climb_not_the_same(c) : err_code(err);
    if (took != STEP_TAKEN)
        return 0;
    *sleep = asleep_behind(c, *sleep, &step);
    v->step = step;
    v->stamp = stamp;
    v->taken = true;
    v->results[choice / 64] |= BIT(choice % 64);
    v->told++;
    return 0;
}

int climb_step(struct climber *c, const struct ahead_step *t, struct err *err)
{
    uint64_t sleep = 0;
    int rc = climb_check(c, &t->step);
    if (rc >= 0 && !c->over)
        rc = climb_execute(c, t, &sleep, err);
    if (rc < 0 || c->over || c->again)
        return rc;
    c->out->transitions++;
    return climb_enter(c, sleep);
}
