/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "report/job.h"

#include "objects/types.h"
#include "report/confirm.h"
#include "report/follow.h"
#include "report/helping.h"
#include "report/outcome.h"
#include "base/memory.h"
#include "base/prose.h"
#include "report/collector.h"
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

/* A child that ended by what it did to itself, and whose parent was told how. */
static void note_deaths(const struct run *run, struct outcome *outcome)
{
    for (int p = 1; p < run->system->processes; p++)
        for (uint32_t i = 0; i < run->system->graphs[p].count; i++) {
            const struct op *op = &run->system->graphs[p].nodes[i].op;
            bool seen = !(run->system->graphs[p].nodes[i].flags & NODE_UNSEEN);
            if (!seen || !is_process(op, PROCESS_LEAVE) || !(op->arg[0] & 0x7f))
                continue;
            char *where = run_location(run, op);
            const char *name = sigabbrev_np(op->arg[0] & 0x7f);
            char *line = prose_make("process %d ends by SIG%s%s%s: no error where its parent waits for it and is given its status",
                                    p + 1, name ? name : "RT", where ? " at " : "", where ? where : "");
            outcome_note(outcome, line);
            free(line);
            free(where);
        }
}

/* Does the program have this object, or one of which it is a part? */
static bool is_there(const struct rule *r, const struct created *c)
{
    const struct parts *parts = types_get(c->type)->parts;
    bool in_array = parts && parts->type == r->type && (uint32_t)r->index < parts->count(c->arg);
    return c->number == r->number && (in_array || (c->type == r->type && c->index == r->index));
}

/* The first line that names a process which the program does not have; 0: none. */
static int line_of_no_process(const struct rule *r, int processes)
{
    int first = 0;
    for (int p = processes; p < MAX_PROCESSES; p++)
        if (r->lines[p] && (!first || r->lines[p] < first))
            first = r->lines[p];
    return first;
}

/* A declaration of something that the program does not have is mostly a slip. */
static void warn_of_rules(const struct job *job, const struct run *run, struct outcome *outcome)
{
    for (uint32_t i = 0; job->structure && i < job->structure->count; i++) {
        const struct rule *r = &job->structure->rules[i];
        const struct object_type *type = types_get(r->type);
        bool there = false;
        for (uint32_t o = 0; o < run->system->object_count && !there; o++)
            there = run->system->objects[o].created && is_there(r, run->system->objects[o].created);
        if (!there && r->index < 0)
            outcome_warn(outcome, "line %d of the configuration: the program has no %s %u", r->line, type->name, r->number);
        else if (!there)
            outcome_warn(outcome, "line %d of the configuration: the program has no %s %u with index %d", r->line, type->name,
                         r->number, r->index);
        int line = line_of_no_process(r, outcome->processes);
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
            outcome->local_states[there++] = system_local_states(run->system, p);
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

/* Too many steps shut out another one, each of them. */
static void judge_untried(struct outcome *outcome)
{
    uint64_t untried = outcome->search.counts.untried;
    if (!untried)
        return;
    outcome->search.coverage = COVERAGE_PART;
    outcome_warn(outcome, "%llu time%s so many steps kept another one from going that not all ways to put them off were tried; "
                 "--reduction source tries them all", (unsigned long long)untried, untried == 1 ? "" : "s");
}

/* A thread stood before something else than when the same operations were in an equivalent order. */
static void judge_surprises(struct outcome *outcome)
{
    uint64_t surprises = outcome->search.counts.surprises;
    if (!surprises)
        return;
    outcome->search.coverage = COVERAGE_PART;
    outcome_warn(outcome, "%llu order%s could not be searched: what a thread does there depends on a variable that another one writes "
                 "without synchronisation (a data race, or an atomic variable), which VeriSoft does not see",
                 (unsigned long long)surprises, surprises == 1 ? "" : "s");
}

/* What looks like the program's own doing may come of where it lies. */
static void judge_addresses(const struct run *run, struct outcome *outcome)
{
    bool differs = false;
    for (uint32_t i = 0; i < outcome->finding_count; i++)
        differs |= outcome->findings[i].kind == ERROR_NONDETERMINISM;
    if (differs && run->native && !native_fixed(run->native))
        outcome_warn(outcome, "each start of the program has other addresses, because the system lets none be fixed here (personality is "
                     "refused, as in many containers): what is nondeterministic may depend on an address alone");
}

/* The first process creates them, in their order. */
static void count_by_driver(const struct job *job, struct outcome *outcome)
{
    struct prose words = { 0 };
    const char *name;
    for (uint32_t room = 0, i = 0; (name = job->starter->driver(job->starter->self, i)); i++) {
        struct driven d = { prose_make("%s", name), (int)i + 2, 0 };
        for (uint32_t k = 0; k < outcome->finding_count; k++)
            d.errors += outcome->findings[k].counts_as == COUNTS_AS_ERROR && outcome->findings[k].process == d.process;
        ARRAY_GROW(outcome->drivers, outcome->driver_count, room);
        outcome->drivers[outcome->driver_count++] = d;
        prose_add(&words, "%s %s is process %d%s%s", i ? "," : "Drivers:", name, d.process, d.errors ? ", with an error" : "",
                  d.errors > 1 ? " and more" : "");
    }
    if (words.length)
        outcome_note(outcome, words.text);
    prose_fini(&words);
}

/* What it means that somebody else started the program; and where it did not do the same again, nothing is promised. */
static void judge_starter(const struct job *job, struct outcome *outcome)
{
    struct starter_says s = outcome->says = job->starter->says(job->starter->self);
    count_by_driver(job, outcome);
    outcome_note(outcome, s.promise);
    if (s.untested) {
        outcome->search.coverage = COVERAGE_PART;
        outcome_warn(outcome, "invariants that were never tested: %s", s.untested);
    }
    if (!s.varied)
        return;
    outcome->search.coverage = COVERAGE_PART;
    outcome_warn(outcome, "nondeterminism of the black box: %llu time%s in %llu runs the same steps of the drivers led elsewhere than before; "
                 "the first time a driver came to [%s], and when the same steps were run again to [%s]", (unsigned long long)s.varied,
                 s.varied == 1 ? "" : "s", (unsigned long long)s.runs, s.was, s.is);
}

static void judge_timers(const struct job *job, const struct system *s, struct outcome *outcome)
{
    char words[512], more[64] = "";
    uint32_t overruns = job->native.overruns;
    if (!s->timers)
        return;
    if (overruns)
        snprintf(more, sizeof more, "%u time%s more ", overruns, overruns == 1 ? "" : "s");
    snprintf(words, sizeof words, "timers expired in %s order%s%s, and one that repeats %sexpired %sbefore its last expiry was seen (--overruns)",
             job->native.timers_any ? "any" : "the", job->native.timers_any ? "" : " of their virtual time (--timers any: in any)",
             s->timed ? ", by one clock with sleeps and the time limits of waiting calls" : "", overruns ? "" : "never ", overruns ? more : "again ");
    outcome_note(outcome, words);
}

/* What was not searched because it is outside; and what is not there. */
static void judge_outside(const struct outside *o, struct outcome *outcome)
{
    struct prose w = { 0 };
    for (uint32_t i = 0; i < o->count; i++) {
        bool used = i >= 64 || o->used >> i & 1;
        if (used)
            prose_add(&w, "%s%s", w.text && *w.text ? ", " : "", o->names[i]);
        else
            outcome_warn(outcome, "--outside %s: nothing that the program did is called so", o->names[i]);
    }
    if (w.text && *w.text) {
        char *line = prose_make("outside (--outside): %s. What these do was done as soon as it could be, and no other order of it was searched", w.text);
        outcome_note(outcome, line);
        free(line);
    }
    prose_fini(&w);
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
    double begin = now();
    int rc = search_run(collector->run->system, &settings, &watcher, &outcome->search, err);
    helping_fini(&helping);
    outcome->seconds = now() - begin;
    close_state_space(collector, outcome);
    count(collector->run, outcome);
    judge_untried(outcome);
    judge_surprises(outcome);
    if (outcome->group && job->native.visible)
        races_judge(outcome, collector->run, collector->run->datarace, job);
    if (outcome->group) {
        note_deaths(collector->run, outcome);
        judge_timers(job, collector->run->system, outcome);
        if (job->native.outside)
            judge_outside(job->native.outside, outcome);
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
        warn_of_rules(job, collector->run, outcome);
    if (job->nproc && (outcome->processes > job->nproc || (all && outcome->processes < job->nproc)))
        wrong_nproc(job, collector, outcome);
}

static int search_and_check(const struct job *job, struct run *run, struct outcome *outcome, struct err *err)
{
    struct trace prefix;
    struct collector collector;
    trace_init(&prefix);
    collector_init(&collector, job, run, &prefix, outcome);
    int rc = 0;
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
    judge_addresses(run, outcome);
    if (run->program)
        judge_starter(job, outcome);
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
        warn_of_rules(job, &run, outcome);
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
        if (rc != -ERESTART)
            return rc;
        for (uint32_t i = 0; i < outcome->finding_count; i++)
            if (outcome->findings[i].scenario)
                scenario_remove(job, outcome->findings[i].scenario);
        outcome_fini(outcome);
    }
}

/* The scenario that the search begins with says what was visible. */
static int read_shared(const struct job *job, struct err *err)
{
    struct path path;
    int rc = job->init_path && job->native.visible ? path_read(&path, job->init_path, err) : 0;
    if (rc < 0 || !job->init_path || !job->native.visible)
        return rc;
    rc = shared_read(job->native.visible, path.shared, job->init_path, err);
    path_fini(&path);
    return rc;
}

/* That a program shares memory shows when it does; then everything begins again. */
int job_run(const struct job *job, struct outcome *outcome, struct err *err)
{
    struct job group;
    int rc = read_shared(job, err);
    if (rc < 0)
        return rc;
    rc = job->native.group ? -EXDEV : run_job(job, outcome, err);
    if (rc != -EXDEV)
        return rc;
    if (!job->native.group)
        outcome_fini(outcome);
    *outcome = (struct outcome){ .group = true, .settings = job->group_search };
    rc = job_as_group(job, &group, err);
    return rc < 0 ? rc : run_group(&group, outcome, err);
}
