/* SPDX-License-Identifier: MIT */
#include "certifier/tree_climb.h"

#include "base/memory.h"
#include "certifier/tree_part.h"
#include "system/foresight.h"
#include "system/numbers.h"
#include "system/step.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- what the program says ---- */

/* A verdict that rests on what the program does not do. */
static void take_back_verdict(struct climber *c)
{
    struct certification *out = c->out;
    certification_fini(out);
    out->message = NULL;
    out->kind = FOUND_NOTHING;
    out->path_there = false;
    out->entry = 0;
    out->result = CERTIFY_CUT;
    c->over = false;
}

/* Back to where a step leads elsewhere than was thought: it, and those after it, are not told yet. */
static int take_back(struct climber *c)
{
    uint32_t right = system_right(c->system);
    if (right < c->fresh)
        return climb_not_the_same(c);
    while (c->path.depth > right) {
        tree_path_leave(&c->path);
        c->out->transitions--;
        c->out->states--;
    }
    struct tree_visit *v = climb_here(c);
    struct ahead_step t;
    int rc = tree_ahead_step(&c->ahead, right - c->fresh, &t, NULL);
    uint32_t choice = t.step.choice;
    assert(!rc);
    if (v->taken && v->step.process == t.step.process && climb_was_told(v, choice)) {
        v->results[choice / 64] &= ~BIT(choice % 64);
        v->told--;
    }
    return 0;
}

/* Asks the program whether it does what is on the path. False: not, and what it does not do was taken back. */
static bool settle(struct climber *c, int *rc, struct err *err)
{
    enum took took = c->again ? STEP_AGAIN : c->foresight && !c->ahead.known ? foresight_settle(c->foresight, err) : STEP_TAKEN;
    assert(took != STEP_VOID);       /* nothing is deferred */
    c->again = false;
    if (took == STEP_TAKEN)
        return true;
    take_back_verdict(c);
    if (took == STEP_AGAIN)
        *rc = take_back(c);
    else
        *rc = err_code(err) == -ENOTRECOVERABLE ? climb_not_the_same(c) : err_code(err);
    return *rc < 0 || c->over;
}

/* ---- an execution ---- */

/* Checks 3. */
static int check_end(struct climber *c)
{
    uint64_t left = c->system->enabled & ~climb_here(c)->sleep;
    if (climb_here(c)->taken)
        return climb_reject(c, c->path.depth, "execution %llu ends in a state from which others went on", (unsigned long long)c->execution);
    if (!left)
        return 0;
    uint32_t process = (uint32_t)__builtin_ctzll(left);
    char *does = climb_words(c, process, c->system->node[process]);
    climb_reject(c, c->path.depth, "execution %llu ends here, but the program can go on by %s", (unsigned long long)c->execution, does);
    free(does);
    return 0;
}

static int look(struct climber *c, struct err *err)
{
    int rc = check_end(c);
    if (rc < 0 || c->over)
        return rc;
    if (c->system->enabled)
        c->out->sleep_cut++;
    else
        c->out->executions++;
    c->path.execution = c->execution;
    tree_path_look(&c->path);
    if (c->path.undecided) {
        fail(err, "in execution %llu so many steps keep another one from going that not all ways to put them off can be tried: a limit of this "
             "certifier, which neither accepts nor rejects the certificate", (unsigned long long)c->execution);
        return -ERANGE;
    }
    return 0;
}

static int interrupted(const struct climber *c, struct err *err)
{
    const volatile int *interrupt = c->settings->interrupt;
    if (!interrupt || !*interrupt)
        return 0;
    fail(err, "interrupted");
    return -EINTR;
}

static int follow_next(struct climber *c, struct err *err)
{
    struct ahead_step t;
    if (tree_ahead_step(&c->ahead, c->path.depth - c->fresh, &t, err) < 0)
        return climb_reject(c, c->path.depth, "%s", err->text);
    int rc = interrupted(c, err);
    return rc < 0 ? rc : climb_step(c, &t, err);
}

static int follow_execution(struct climber *c, uint32_t back, uint32_t count, struct err *err)
{
    int rc = 0;
    for (; back && rc >= 0 && !c->over; back--)
        rc = climb_leave(c);
    if (rc < 0 || c->over)
        return rc;
    c->execution++;
    c->fresh = c->path.depth;
    do
        while (c->path.depth - c->fresh < count && rc >= 0 && !c->over && !c->again)
            rc = follow_next(c, err);
    while (rc >= 0 && !settle(c, &rc, err));
    return rc >= 0 && !c->over ? look(c, err) : rc;
}

/* ---- all of it ---- */

/* What is still owed in states that another part leaves. */
static void write_debts(const struct climber *c)
{
    for (uint32_t at = 0; at <= c->path.depth; at++) {
        const struct tree_visit *v = &c->path.all[at];
        for (uint32_t i = 0; i < v->debt_count; i++)
            fprintf(c->settings->map, "owes %llu %u %llx %llu\n", (unsigned long long)v->entered, at,
                    (unsigned long long)v->debts[i].processes, (unsigned long long)v->debts[i].execution);
    }
}

static int conclude(struct climber *c)
{
    int rc = 0;
    if (c->out->executions + c->out->sleep_cut == 0)
        return climb_reject(c, 0, "it has no execution");
    uint32_t states = c->path.depth + 1, leaves = c->start && c->start->leave < states ? c->start->leave : states;
    for (uint32_t i = 0; i < leaves && rc >= 0 && !c->over; i++)
        rc = climb_leave(c);
    if (leaves < states && c->settings->map)
        write_debts(c);
    if (c->settings->map)
        tree_part_learned(c->settings->map, c->system);
    if (!c->over && rc >= 0)
        c->out->result = CERTIFY_CERTIFIED;
    c->over = true;
    return rc;
}

/* On the way to where a part begins the program is asked at each step. */
static int go_there(struct climber *c, const struct tree_step *t, uint64_t *sleep, struct err *err)
{
    struct foresight *foresight = c->foresight;
    c->foresight = NULL;
    int rc = climb_execute(c, &(struct ahead_step){ *t, NO_NODE }, sleep, err);
    c->foresight = foresight;
    return rc >= 0 && c->again ? climb_not_the_same(c) : rc;
}

/* What was told of the state before this part; then by the last of it on to the next place, unless it is where the part begins. The
 * others are executed, too, and taken back: to know whether one sleeps on, it must be known what it comes to. */
static int stand_on(struct climber *c, uint32_t number, struct err *err)
{
    const struct tree_place *place = &c->start->path[number];
    bool ends = number + 1 == c->start->depth;
    uint64_t sleep = 0;
    int rc = 0;
    climb_here(c)->entered = place->entered;
    climb_here(c)->shared = true;
    for (uint32_t i = 0; i < place->told_count && rc >= 0 && !c->over; i++) {
        const struct tree_step *t = &c->start->told[place->told + i];
        rc = climb_check(c, t);
        if (rc >= 0 && !c->over)
            rc = go_there(c, t, &sleep, err);
        if (rc < 0 || c->over)
            return rc;
        if (!ends && i + 1 == place->told_count)
            return climb_enter(c, sleep);
        system_undo(c->system, &climb_here(c)->step);
    }
    return rc;
}

/* Processes get the numbers by which the tree calls them. Each has its own, whatever the tree says: so nothing rests on that. */
static int expect_births(struct climber *c, struct err *err)
{
    struct system_birth birth;
    int more = 1;
    for (uint32_t i = 0; (more = tree_get_birth(tree_fields(c->tree), i, &birth, err)) > 0; i++)
        if (!numbers_expect(c->system, &birth))
            return climb_reject(c, 0, "its header gives process %u a number that it cannot have", birth.number + 1);
    return more < 0 ? climb_reject(c, 0, "%s", err->text) : 0;
}

static int begin(struct climber *c, struct err *err)
{
    int rc = climb_enter(c, 0);
    if (c->first_time && !c->over)
        rc = expect_births(c, err);
    for (uint32_t i = 0; c->start && i < c->start->depth && rc >= 0 && !c->over; i++)
        rc = stand_on(c, i, err);
    c->out->states = 1;
    c->path.given = c->path.depth;
    return rc;
}

static int climb(struct climber *c, struct err *err)
{
    enum { OFTEN = 64 };             /* executions */
    uint32_t back, count;
    int rc = begin(c, err);
    while (!c->over && rc >= 0) {
        int more = tree_ahead_next(&c->ahead, &c->path, &back, &count, err);
        if (more < 0)
            rc = climb_reject(c, c->path.depth, "%s", err->text);
        else
            rc = more ? follow_execution(c, back, count, err) : conclude(c);
        if (c->settings->progress && c->execution % OFTEN == 0)
            c->settings->progress(c->settings->progress_arg, c->out->transitions, tree_transitions(c->tree));
    }
    while (c->path.depth != UINT32_MAX && c->path.depth)
        tree_path_leave(&c->path);
    return rc;
}

/* Once, from the first state to the last execution. */
static int climb_once(const struct certify_settings *settings, struct tree_file *tree, struct system *system, bool first_time,
                      struct certification *out, struct err *err)
{
    struct climber c = { .first_time = first_time, .settings = settings, .tree = tree, .system = system, .out = out, .start = tree_start(tree) };
    *out = (struct certification){ .result = CERTIFY_CUT, .tree = true };
    c.execution = c.start ? c.start->first : 0;
    tree_path_init(&c.path, system);
    c.foresight = system_shares(system) ? foresight_new(system) : NULL;
    tree_ahead_init(&c.ahead, tree, system, c.foresight);
    int rc = climb(&c, err);
    tree_ahead_fini(&c.ahead);
    foresight_free(c.foresight);
    out->races = c.path.races;
    out->processes = system->processes;
    tree_path_fini(&c.path);
    return rc;
}

static int begin_again(FILE *map, struct tree_file *tree, struct err *err)
{
    if (map && (fflush(map) || ftruncate(fileno(map), 0) || fseek(map, 0, SEEK_SET)))
        return fail_errno(err, "--map: the file cannot be written again");
    return tree_rewind(tree, err);
}

int tree_certify(const struct certify_settings *settings, struct tree_file *tree, struct system *system, struct certification *out,
                 struct err *err)
{
    char *other = tree_start(tree) ? NULL : certify_other_program(tree_fields(tree), settings->evidence);
    uint64_t premises, rounds = 0;
    uint32_t leads;
    int rc = 0;
    do {
        premises = dependence_premises(system);
        leads = system->leads;
        if (rounds++)
            certification_fini(out);
        if (rounds > 1)
            rc = begin_again(settings->map, tree, err);
        if (rc >= 0)
            rc = climb_once(settings, tree, system, rounds == 1, out, err);
    } while (rc >= 0 && out->result != CERTIFY_ERRORS && (premises != dependence_premises(system) || leads != system->leads));
    if (other && rc >= 0)
        certification_blame(out, other);
    else
        free(other);
    return rc;
}
