/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "report/job.h"

#include "objects/types.h"
#include "properties/invariant.h"
#include "report/confirm.h"
#include "report/dividing.h"
#include "report/follow.h"
#include "report/helping.h"
#include "report/outcome.h"
#include "base/memory.h"
#include "base/prose.h"
#include "report/collector.h"
#include "report/judge.h"
#include "report/races.h"
#include "report/scenario.h"
#include "report/shared.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- before the search ---- */

/* In a group they come on the way: to where there are more than nproc, or to an end. */
static void show_processes(const struct job *job, struct run *run, struct trace *trace)
{
    enum { LONGEST = 1000 };
    uint64_t enabled;
    while (run_shares(run) && run_processes(run) <= job->nproc && (enabled = run->system->enabled) && trace->count < LONGEST)
        if (trace_execute(trace, run->system, __builtin_ctzll(enabled), 0, NULL) < 0)
            return;
}

static void wrong_nproc(const struct job *job, struct collector *collector, struct outcome *outcome)
{
    int processes = outcome->processes;
    struct error error = { .kind = ERROR_STRUCTURE };
    error.message = prose_make("nproc says %d process%s, but the program has %d", job->nproc,
                               job->nproc == 1 ? "" : "es", processes);
    error.explanation = prose_make("nproc stands in system_file.VS or was given as --nproc. Write nproc %d, or leave it out: "
                                   "VeriSoft counts the processes itself.", processes);
    struct trace trace;
    trace_init(&trace);
    trace_append(&trace, collector->prefix);
    show_processes(job, collector->run, &trace);
    error.depth = trace.count;
    collector_add(collector, &trace, &error);
    trace_fini(&trace);
    outcome->search.stopped_by = STOPPED_STOP_AT_ERROR;
}

/* Who creates the others, and that they begin, is not the search's to order where somebody else started the program: only then. */
static int raise_curtain(struct run *run, struct trace *prefix, struct err *err)
{
    struct system *s = run->system;
    for (int p = 0; p < s->processes;) {
        const struct op *op = &system_pending(s, p)->op;
        bool begins = s->enabled >> p & 1 && (is_process(op, PROCESS_START) || is_process(op, PROCESS_CREATE));
        int rc = begins ? trace_execute(prefix, s, p, 0, err) : 0;
        if (rc < 0)
            return rc;
        p += !begins;
    }
    return 0;
}

static int go_to_start(const struct job *job, struct run *run, struct trace *prefix, struct err *err)
{
    if (!job->init_path)
        return run->program ? raise_curtain(run, prefix, err) : 0;
    struct path path;
    int rc = path_read(&path, job->init_path, err);
    if (rc < 0)
        return rc;
    rc = follow_path(run, &path, job->init_path, prefix, err);
    path_fini(&path);
    return rc;
}

/* A program that ends before it does anything is mostly one that wants other arguments, and said so on a discarded output. */
static int gave_up(const struct run *run)
{
    const struct op *op = &run->start.first[0].op;
    bool at_once = run->start.processes == 1 && system_finished(run->system) && op->code == PROCESS_EXIT;
    return at_once ? op->arg[0] : 0;
}

/* The same of a sharing group, when it was searched: one thread, one way, and an end that says that something went wrong. */
static int group_gave_up(const struct run *run, const struct outcome *outcome)
{
    const struct graph *g = &run->system->graphs[0];
    bool alone = outcome->processes == 1 && outcome->search.counts.executions <= 1;
    for (uint32_t i = 0; alone && i < g->count; i++)
        if (is_process(&g->nodes[i].op, PROCESS_LEAVE) && g->nodes[i].op.arg[0])
            return g->nodes[i].op.arg[0] >> 8;
    return 0;
}

/* Does the program have this object, or one of which it is a part? */
static bool is_there(const struct declaration *d, const struct created *c)
{
    const struct parts *parts = types_get(c->type)->parts;
    bool in_array = parts && parts->type == d->type && (uint32_t)d->index < parts->count(c->arg);
    return c->number == d->number && (in_array || (c->type == d->type && c->index == d->index));
}

/* The first line that names a process which the program does not have; 0: none. */
static int line_of_no_process(const struct declaration *d, int processes)
{
    int first = 0;
    for (int p = processes; p < MAX_PROCESSES; p++)
        if (d->lines[p] && (!first || d->lines[p] < first))
            first = d->lines[p];
    return first;
}

/* A declaration of something that the program does not have is mostly a slip. */
static void warn_of_declarations(const struct job *job, const struct run *run, struct outcome *outcome)
{
    for (uint32_t i = 0; job->structure && i < job->structure->count; i++) {
        const struct declaration *d = &job->structure->declarations[i];
        const struct object_type *type = types_get(d->type);
        bool there = false;
        for (uint32_t o = 0; o < run->system->object_count && !there; o++)
            there = run->system->objects[o].created && is_there(d, run->system->objects[o].created);
        if (!there && d->index < 0)
            outcome_warn(outcome, "line %d of the configuration: the program has no %s %u", d->line, type->name, d->number);
        else if (!there)
            outcome_warn(outcome, "line %d of the configuration: the program has no %s %u with index %d", d->line, type->name,
                         d->number, d->index);
        int line = line_of_no_process(d, outcome->processes);
        if (line)
            outcome_warn(outcome, "line %d of the configuration: the program has only %d process%s", line, outcome->processes,
                         outcome->processes == 1 ? "" : "es");
    }
}

/* ---- the search ---- */

static void open_state_space(const struct job *job, struct collector *collector, struct outcome *outcome)
{
    if (!job->save_state_space)
        return;
    struct err err;
    char *file = outcome_file(job, "sss.VS");
    collector->sss = sss_open(file, job, collector->run, &err);
    if (!collector->sss)
        outcome_warn(outcome, "%s", err.text);
    free(file);
}

static void close_state_space(struct collector *collector, struct outcome *outcome)
{
    if (!collector->sss)
        return;
    struct err err;
    if (sss_close(collector->sss, &err) < 0)
        outcome_warn(outcome, "%s", err.text);
    else
        outcome->state_space = prose_make("sss.VS");
    collector->sss = NULL;
}

static void count(const struct run *run, struct outcome *outcome)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    outcome->memory_kb = (uint64_t)usage.ru_maxrss;
    int processes = run_shares(run) ? run->system->processes : outcome->processes, there = 0;
    for (int p = 0; p < processes; p++)
        if (system_was_there(run->system, p))
            outcome->local_states[there++] = system_local_states(run->system, p) + outcome->search.elsewhere[p];
    if (run_shares(run)) {
        outcome->processes = there;
        outcome->object_count = run->system->object_count;
        free(outcome->objects);
        outcome->objects = run_objects(run);
    }
    if (run->native) {
        outcome->native = native_counts(run->native);
        return;
    }
    struct starter_counts counts = run->starter->counts(run->program);
    outcome->native = (struct native_counts){ .transitions = counts.transitions, .starts = counts.starts };
}

/* Something was waited for in vain, because everything has to end. */
static int stopped(const struct job *job, struct outcome *outcome)
{
    outcome->search.stopped_by = search_stopped_by(job->interrupt);
    return 0;
}

static void look_for_races(const struct job *job, struct collector *collector)
{
    struct run *run = collector->run;
    struct datarace_settings settings = { .visible = job->native.visible, .adds = true, .tell = races_tell, .arg = collector };
    if (run_shares(run) && job->native.visible && job->races != RACES_IGNORE)
        run->datarace = datarace_new(run->system, &settings);
}

static int search(const struct job *job, struct collector *collector, struct outcome *outcome, struct err *err)
{
    look_for_races(job, collector);
    open_state_space(job, collector, outcome);
    if (job->certificate)
        job->recorder.begin(job->recorder.self, collector->run->system);
    struct watcher watcher = collector_watcher(collector);
    struct search_settings settings = job->search;
    struct helping helping;
    settings.helpers = helping_lend(&helping, collector, job->search.helpers.jobs);
    settings.dispatch = dividing_lend(collector);
    double begin = now();
    int rc = search_run(collector->run->system, &settings, &watcher, &outcome->search, err);
    rc = collector->again ? -ERESTART : rc;
    helping_fini(&helping);
    outcome->seconds = now() - begin;
    close_state_space(collector, outcome);
    count(collector->run, outcome);
    judge_search(job, outcome);
    if (outcome->group && job->native.visible)
        races_judge(outcome, collector->run, collector->run->datarace, job);
    if (outcome->group) {
        judge_group(job, collector->run, outcome);
        outcome->gave_up = group_gave_up(collector->run, outcome);
    }
    if (rc < 0)
        outcome->search.coverage = COVERAGE_PART;
    if (rc == -ECANCELED)
        outcome->search.stopped_by = STOPPED_STOP_AT_ERROR;
    return rc == -EINTR ? stopped(job, outcome) : rc == -ECANCELED ? 0 : rc;
}

/* ---- after it ---- */

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static int random_enabled(const struct system *system, uint64_t *random)
{
    uint64_t mask = system->enabled;
    assert(mask);
    for (uint64_t skip = next_random(random) % (uint64_t)__builtin_popcountll(mask); skip; skip--)
        mask &= mask - 1;
    return __builtin_ctzll(mask);
}

/* One walk through what was searched, as deep as the search went; true: it came upon something wrong. */
static bool walk(const struct job *job, struct run *run, struct trace *trace, uint32_t depth, struct condition *wrong)
{
    uint64_t random = job->search.seed | 1;
    for (uint32_t i = 0; ; i++) {
        if (condition_find(run->system, trace, 0, wrong))
            return wrong->kind != ERROR_DEADLOCK || !job->search.ignore_deadlock;
        if (!run->system->enabled || i == depth)
            return false;
        int process = random_enabled(run->system, &random);
        uint32_t choice = (uint32_t)(next_random(&random) % system_choices(run->system, process));
        if (trace_execute(trace, run->system, process, choice, NULL) < 0)
            return false;
    }
}

static void not_run_again(const struct job *job, struct outcome *outcome, const struct err *err)
{
    outcome->search.coverage = COVERAGE_PART;
    if (!search_stopped_by(job->interrupt))
        outcome_warn(outcome, "no path could be run again to see whether the program is deterministic: %s", err->text);
}

/* A search without errors is believed only when one of its paths, run again in fresh processes, is the same. */
static void run_one_again(const struct job *job, struct collector *collector, struct outcome *outcome)
{
    enum { LONGEST = 1000 };
    uint32_t depth = outcome->search.counts.max_depth < LONGEST ? outcome->search.counts.max_depth : LONGEST;
    struct trace trace;
    struct condition wrong;
    trace_init(&trace);
    trace_append(&trace, collector->prefix);
    if (walk(job, collector->run, &trace, depth, &wrong)) {
        collector_error(collector, wrong, &trace);
    } else {
        struct err err = { .text = "" };
        struct confirmation again = confirm(job, collector->run, &trace, NULL, &err);
        if (again.verdict == CONFIRM_DIFFERENT && !(job->starter && job->starter->goes_on))
            collector_difference(collector, &trace, &again);
        if (again.verdict == CONFIRM_FAILED)
            not_run_again(job, outcome, &err);
        confirm_fini(&again);
    }
    trace_fini(&trace);
}

static enum result result_of(const struct outcome *outcome)
{
    const uint32_t *counted = outcome->counted;
    assert(counted[COUNTS_AS_ERROR] + counted[COUNTS_AS_LIMIT] + counted[COUNTS_AS_UNCONFIRMED] == outcome->finding_count);
    if (outcome->counted[COUNTS_AS_ERROR])
        return RESULT_ERRORS;
    bool whole = outcome->search.coverage == COVERAGE_ALL && outcome->search.stopped_by == STOPPED_NOTHING
              && !outcome->finding_count && !outcome->gave_up;
    return whole ? RESULT_COMPLETE : RESULT_INCOMPLETE;
}

static bool diverged(const struct outcome *outcome)
{
    return outcome->search.stopped_by == STOPPED_DIVERGENCE;
}

/* The processes and objects of a group are known when it was searched. Those that it has not, it may have where it was not. */
static void check_group(const struct job *job, struct collector *collector, struct outcome *outcome)
{
    bool all = outcome->search.coverage == COVERAGE_ALL && !outcome->finding_count;
    if (all)
        warn_of_declarations(job, collector->run, outcome);
    if (job->nproc && (outcome->processes > job->nproc || (all && outcome->processes < job->nproc)))
        wrong_nproc(job, collector, outcome);
}

/* A part of another's search. */
static int serve(const struct job *job, struct collector *collector, struct outcome *outcome, struct trace *prefix, struct err *err)
{
    int rc = go_to_start(job, collector->run, prefix, err);
    if (rc < 0)
        return rc;
    look_for_races(job, collector);
    return dividing_serve(collector, &outcome->search, err);
}

static int search_and_check(const struct job *job, struct run *run, struct outcome *outcome, struct err *err)
{
    struct trace prefix;
    struct collector collector;
    trace_init(&prefix);
    collector_init(&collector, job, run, &prefix, outcome);
    int rc = 0;
    if (job->search.commission.words) {
        rc = serve(job, &collector, outcome, &prefix, err);
        goto out;
    }
    if (job->nproc && job->nproc != outcome->processes && !outcome->group)
        wrong_nproc(job, &collector, outcome);
    else if ((rc = go_to_start(job, run, &prefix, err)) >= 0)
        rc = search(job, &collector, outcome, err);
    if (rc >= 0 && outcome->group)
        check_group(job, &collector, outcome);
    if (rc >= 0 && !outcome->counted[COUNTS_AS_ERROR] && !diverged(outcome) && !search_stopped_by(job->interrupt))
        run_one_again(job, &collector, outcome);
    if (rc >= 0 && outcome->search.stopped_by == STOPPED_NOTHING)
        rc = stopped(job, outcome);  /* while that was done */
    judge_start(job, run, outcome);
out:
    collector_fini(&collector);
    trace_fini(&prefix);
    return rc;
}

static int run_job(const struct job *job, struct outcome *outcome, struct err *err)
{
    *outcome = (struct outcome){ .group = job->native.group, .settings = job->search };
    outcome->search.coverage = COVERAGE_PART;
    struct texts *texts = texts_new();
    struct run run;
    int rc = run_start(&run, job, RUN_SEARCH, job->native.output, texts, err);
    if (rc < 0)
        goto out;
    outcome->processes = run.start.processes;
    outcome->object_count = run.start.object_count;
    outcome->objects = run_objects(&run);
    outcome->gave_up = outcome->group ? 0 : gave_up(&run);
    if (!outcome->group)
        warn_of_declarations(job, &run, outcome);
    rc = search_and_check(job, &run, outcome, err);
    if (outcome->finding_count > outcome->counted[COUNTS_AS_ERROR])
        outcome->search.coverage = COVERAGE_PART;
    run_stop(&run);
out:
    if (rc == -EINTR && search_stopped_by(job->interrupt) == STOPPED_TIME_LIMIT)
        rc = stopped(job, outcome);
    outcome->result = result_of(outcome);
    texts_free(texts);
    return rc;
}

static int watch(const struct job *job, struct job *group, struct err *err)
{
    const char *executable = NULL;
    int rc = job->watched(job->watched_arg, &executable, err);
    if (executable)
        group->native.executable = executable;
    return rc;
}

int job_as_group(const struct job *job, struct job *group, struct err *err)
{
    *group = *job;
    group->native.group = true;
    group->native.states = search_keeps_states(job->group_search.strategy);
    group->native.pooled = group->native.states && job->group_search.reduction == REDUCTION_NONE;
    group->search = job->group_search;
    const char *why = search_refuses_group(group->search.strategy, group->search.reduction);
    if (!why)
        return job->watched ? watch(job, group, err) : 0;
    return fail(err, "--search %s --reduction %s: %s", search_strategy_names[group->search.strategy],
                search_reduction_names[group->search.reduction], why);
}

/* Which variables are shared without a lock shows while the program is searched; with each more everything begins again. */
static int run_group(const struct job *job, struct outcome *outcome, struct err *err)
{
    for (uint32_t passes = 1; ; passes++) {
        int rc = run_job(job, outcome, err);
        outcome->passes = passes;
        if (rc != -ERESTART || job->search.commission.words)
            return rc;               /* what is asked for is of a search without it */
        for (uint32_t i = 0; i < outcome->finding_count; i++)
            if (outcome->findings[i].scenario)
                scenario_remove(job, outcome->findings[i].scenario);
        outcome_fini(outcome);
    }
}

static void make_visible(void *visible, uint64_t address, uint64_t size)
{
    if (!visible_has(visible, address, size))
        visible_add(visible, address, size);
}

void job_look_closer(const struct job *job, const struct invariants *asked)
{
    assert(job->native.visible);
    invariants_places(asked, make_visible, job->native.visible);
}

/* The scenario that the search begins with says what was visible. */
static int read_shared(const struct job *job, struct err *err)
{
    struct path path;
    int rc = job->init_path && job->native.visible ? path_read(&path, job->init_path, err) : 0;
    if (rc < 0 || !job->init_path || !job->native.visible)
        return rc;
    rc = shared_read(&job->native, path.shared, job->init_path, err);
    path_fini(&path);
    return rc;
}

/* That a program shares memory shows when it does; then everything begins again. Only in a sharing group can something be outside. */
int job_run(const struct job *job, struct outcome *outcome, struct err *err)
{
    struct job group;
    bool at_once = job->native.group || job->native.outside;
    int rc = at_once ? -EXDEV : run_job(job, outcome, err);
    if (rc != -EXDEV)
        return rc;
    if (!at_once)
        outcome_fini(outcome);
    *outcome = (struct outcome){ .group = true, .settings = job->group_search };
    rc = job_as_group(job, &group, err);
    if (rc >= 0)
        rc = read_shared(&group, err);
    return rc < 0 ? rc : run_group(&group, outcome, err);
}
