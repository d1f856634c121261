/* SPDX-License-Identifier: MIT */
#include "simulator/simulator_internal.h"

#include "base/memory.h"
#include "base/prose.h"
#include "checks/checks.h"
#include "report/explain.h"
#include "report/follow.h"
#include "report/outcome.h"
#include "report/shared.h"
#include "report/story.h"
#include "system/datarace.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- the scenario ---- */

static void drop_after(struct simulator *s, uint32_t count)
{
    if (!scenario_drop_after(&s->all, count))
        return;
    s->edition++;
    s->changed_from = count;
}

static void free_cut(struct cut *cut)
{
    free(cut->events);
    free(cut->moments);
    *cut = (struct cut){ 0 };
}

void simulator_put_aside(struct simulator *s)
{
    uint32_t count = s->all.trace.count - s->position;
    free_cut(&s->cut);
    s->cut = (struct cut){ .count = count, .edition = s->edition, .changed_from = s->changed_from };
    if (count) {
        s->cut.events = memory_get(count * sizeof *s->cut.events);
        s->cut.moments = memory_get(count * sizeof *s->cut.moments);
        memcpy(s->cut.events, s->all.trace.events + s->position, count * sizeof *s->cut.events);
        memcpy(s->cut.moments, s->all.moments + s->position, count * sizeof *s->cut.moments);
    }
}

void simulator_put_back(struct simulator *s)
{
    struct cut *cut = &s->cut;
    drop_after(s, s->position);
    struct trace events = { .events = cut->events, .count = 1 };
    for (uint32_t i = 0; i < cut->count; i++, events.events++) {
        trace_append(&s->all.trace, &events);
        scenario_add(&s->all, &cut->moments[i]);
    }
    s->edition = cut->edition;
    s->changed_from = cut->changed_from;
    free_cut(cut);
}

static const uint32_t *find_words(struct simulator *s, const struct op *op)
{
    if (op->object == NO_OBJECT)
        return NULL;
    const struct object *o = &s->run.system->objects[op->object];
    s->words = memory_resize(s->words, (o->words + 1) * sizeof *s->words);
    memcpy(s->words, s->run.system->words + o->state, o->words * sizeof *s->words);
    return s->words;
}

static int explain_failure(const struct simulator *s, enum took took, int process, struct err *err)
{
    if (took == STEP_AGAIN)
        return fail(err, "the program did something else than before when the same steps were run again, so process %d was not "
                    "let go on: it depends on what VeriSoft does not control, or has a data race", process + 1);
    if (err_code(err) == -EXDEV && s->job.native.group)
        return fail(err, "process %d cannot go on: the program does what VeriSoft does not control", process + 1);
    return err_code(err);
}

int simulator_execute(struct simulator *s, int process, uint32_t choice, struct err *err)
{
    struct system *system = s->run.system;
    const struct op op = system_pending(system, process)->op;
    const uint32_t *before = find_words(s, &op);
    enum error_kind kind;
    struct moment m = { .violated = checks_process(system, process, &kind) ? 1 + kind : 0 };
    enum took took = system_execute(system, process, choice, &m.step, err);
    if (took != STEP_TAKEN)
        return explain_failure(s, took, process, err);
    m.passage = types_passage(before, &op, m.step.result);
    simulator_put_aside(s);
    drop_after(s, s->position);
    trace_add(&s->all.trace, system, &m.step);
    scenario_add(&s->all, &m);
    s->position++;
    s->work.executed++;
    return 0;
}

void simulator_go_back(struct simulator *s, uint32_t position)
{
    for (; s->position > position; s->work.undone++)
        system_undo(s->run.system, &s->all.moments[--s->position].step);
}

static int go_forward(struct simulator *s, uint32_t position, struct err *err)
{
    for (; s->position < position; s->position++, s->work.again++) {
        struct step *step = &s->all.moments[s->position].step;
        if (!system_execute_again(s->run.system, step, step))
            return explain_failure(s, STEP_AGAIN, (int)step->process, err);
    }
    return 0;
}

int simulator_go_to(struct simulator *s, uint32_t position, struct err *err)
{
    uint32_t start = s->position;
    simulator_go_back(s, position);
    int rc = go_forward(s, position, err);
    if (rc < 0)
        simulator_go_back(s, start);
    return rc;
}

void simulator_return_to(struct simulator *s, uint32_t position)
{
    int rc = simulator_go_to(s, position, NULL);
    assert(rc >= 0);
    (void)rc;
}

int simulator_follow(struct simulator *s, const struct path *path, const char *name, struct err *err)
{
    names_fini(&s->run.names);
    for (uint32_t i = 0; i < path->count; i++) {
        uint32_t choice;
        struct trace past = simulator_past(s);
        int rc = follow_choice(&s->run, &past, &path->steps[i], name, &choice, err);
        if (rc >= 0)
            rc = simulator_execute(s, path->steps[i].process - 1, choice, err);
        if (rc < 0)
            return rc;
    }
    return 0;
}

/* ---- beginning ---- */

static int check_nproc(const struct simulator *s, struct err *err)
{
    int has = s->run.start.processes;
    if (!s->job.nproc || s->job.nproc == has || run_shares(&s->run))
        return 0;
    return fail(err, "nproc says %d processes, but the program has %d; write nproc %d, or leave it out", s->job.nproc, has, has);
}

void simulator_forget_file(struct simulator *s)
{
    free(s->name);
    free(s->error);
    free(s->program);
    free(s->plan.steps);
    s->name = s->error = s->program = NULL;
    s->plan = (struct route){ 0 };
}

static void set_plan(struct simulator *s)
{
    uint32_t count = s->all.trace.count;
    s->plan.steps = memory_get((count + 1) * sizeof *s->plan.steps);
    s->plan.count = count;
    for (uint32_t i = 0; i < count; i++) {
        s->plan.steps[i].process = s->all.trace.events[i].op.process;
        s->plan.steps[i].choice = s->all.trace.events[i].choice;
    }
}

void simulator_set_header(struct simulator *s, const struct path *path, const char *name)
{
    const char *slash = name ? strrchr(name, '/') : NULL;
    simulator_forget_file(s);
    s->name = name ? prose_make("%s", slash ? slash + 1 : name) : NULL;
    s->error = path->error ? prose_make("%s", path->error) : NULL;
    s->program = path->program ? prose_make("%s", path->program) : NULL;
    set_plan(s);
}

int simulator_begin(struct simulator **out, const struct job *job, bool group, const struct path *path, const char *name,
                 struct err *err)
{
    struct simulator *s = memory_get(sizeof *s);
    s->given = job;
    s->job = *job;
    s->texts = texts_new();
    int rc = group ? job_as_group(job, &s->job, err) : 0;
    if (rc >= 0 && group && s->job.native.visible)
        rc = shared_read(&s->job.native, path->shared, name, err);
    if (rc >= 0)
        rc = run_start(&s->run, &s->job, RUN_FOLLOW, -1, s->texts, err);
    s->all.trace.held = s->run.held;
    if (rc >= 0)
        rc = check_nproc(s, err);
    if (rc >= 0)
        rc = simulator_follow(s, path, name, err);
    if (rc < 0) {
        simulator_free(s);
        return rc;
    }
    simulator_go_back(s, 0);
    simulator_set_header(s, path, name);
    *out = s;
    return 0;
}

/* That a program shares memory shows when it does. */
static int begin_either(struct simulator **out, const struct job *job, const struct path *path, const char *name, struct err *err)
{
    bool group = job->native.group || path_shares(path);
    int rc = simulator_begin(out, job, group, path, name, err);
    return rc == -EXDEV && !group ? simulator_begin(out, job, true, path, name, err) : rc;
}

int simulator_new(struct simulator **out, const struct job *job, const char *scenario, struct err *err)
{
    struct path path;
    path_init(&path);
    int rc = scenario ? path_read(&path, scenario, err) : 0;
    if (rc >= 0)
        rc = begin_either(out, job, &path, scenario, err);
    path_fini(&path);
    return rc;
}

void simulator_free(struct simulator *s)
{
    if (!s)
        return;
    run_stop(&s->run);
    scenario_fini(&s->all);
    free_cut(&s->cut);
    free(s->words);
    simulator_forget_file(s);
    texts_free(s->texts);
    free(s);
}

/* ---- what is asked ---- */

const struct job   *simulator_job(const struct simulator *s)      { return &s->job; }
const struct run   *simulator_run(const struct simulator *s)      { return &s->run; }
const struct trace *simulator_trace(const struct simulator *s)    { return &s->all.trace; }
const char         *simulator_name(const struct simulator *s)     { return s->name; }
const char         *simulator_program(const struct simulator *s)  { return s->program; }
const char         *simulator_error(const struct simulator *s)    { return s->error; }
uint32_t            simulator_position(const struct simulator *s) { return s->position; }
uint32_t            simulator_length(const struct simulator *s)   { return s->all.trace.count; }
uint64_t            simulator_seq(const struct simulator *s)      { return s->seq; }
struct simulator_work simulator_work(const struct simulator *s)   { return s->work; }

struct trace simulator_past(const struct simulator *s)
{
    return (struct trace){ .events = s->all.trace.events, .count = s->position };
}

uint32_t simulator_edition(const struct simulator *s, uint32_t *changed_from)
{
    *changed_from = s->changed_from;
    return s->edition;
}

uint32_t simulator_choices(const struct simulator *s, int process)
{
    return s->run.system->enabled >> process & 1 ? system_choices(s->run.system, process) : 0;
}

char *simulator_choice(struct simulator *s, int process, uint32_t choice)
{
    char *result = follow_result(&s->run, process, choice);
    return result ? result : prose_make("%u", choice);
}

bool simulator_condition(const struct simulator *s, struct condition *c)
{
    struct trace past = simulator_past(s);
    return condition_find(s->run.system, &past, s->job.search.livelock_limit, c);
}

struct passage simulator_passage(const struct simulator *s, uint32_t event) { return s->all.moments[event].passage; }

uint32_t simulator_took(const struct simulator *s, uint32_t event, const uint32_t **from)
{
    *from = s->all.senders + s->all.moments[event].from;
    return s->all.moments[event].from_count;
}

/* Races are known by their steps on the path on which they were first seen: here they count where these steps are the same. */
static bool is_racer(const struct simulator *s, const struct racer *r)
{
    const struct trace *trace = simulator_trace(s);
    const struct op *op = r->step < trace->count ? &trace->events[r->step].op : NULL;
    return op && op->process == r->process && (!types_get(op->type)->variable || op->place == r->access.place);
}

uint32_t simulator_raced(const struct simulator *s, uint32_t event, uint32_t *race)
{
    const struct datarace *d = s->run.datarace;
    while (d && *race < datarace_count(d)) {
        const struct race *r = datarace_get(d, (*race)++);
        assert(r->first.step < r->second.step);
        if (r->second.step == event && is_racer(s, &r->first) && is_racer(s, &r->second))
            return r->first.step;
    }
    return UINT32_MAX;
}

bool simulator_violated(const struct simulator *s, uint32_t event, enum error_kind *kind)
{
    uint32_t violated = s->all.moments[event].violated;
    *kind = (enum error_kind)(violated - 1);
    return violated;
}

uint32_t simulator_kept(const struct simulator *s, uint32_t *of)
{
    const struct event *events = s->all.trace.events;
    uint32_t i = 0;
    *of = s->plan.count;
    while (i < s->plan.count && i < s->all.trace.count && events[i].op.process == s->plan.steps[i].process
           && events[i].choice == s->plan.steps[i].choice)
        i++;
    return i;
}

void simulator_path(struct simulator *s, struct path *path)
{
    uint32_t position = s->position;
    struct error error = { 0 };
    struct condition c;
    bool wrong = simulator_go_to(s, s->all.trace.count, NULL) >= 0 && simulator_condition(s, &c);
    if (wrong)
        explain(&s->run, &s->all.trace, c, &error);
    story_path(&s->run, &s->all.trace, s->job.name, wrong ? &error : NULL, path);
    outcome_error_fini(&error);
    simulator_go_back(s, position);
}
