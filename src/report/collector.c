/* SPDX-License-Identifier: MIT */
#include "report/collector.h"

#include "objects/types.h"
#include "report/explain.h"
#include "report/outcome.h"
#include "base/prose.h"
#include "report/scenario.h"
#include "report/shrink.h"
#include "report/story.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TRIES = 3 };             /* replays of what none of them confirms */

/* ---- putting it into the outcome ---- */

static struct error *finding_of(const struct collector *collector, const struct alike *alike)
{
    assert(alike->finding == NO_FINDING || alike->finding < collector->outcome->finding_count);
    return alike->finding == NO_FINDING ? NULL : &collector->outcome->findings[alike->finding];
}

static const char *const stems[] =
    { [COUNTS_AS_ERROR] = "error", [COUNTS_AS_LIMIT] = "unsupported", [COUNTS_AS_UNCONFIRMED] = "unconfirmed" };

/* In the file of `before`, which this run wrote and which this one takes the place of, or in a new one. */
static void save(struct collector *collector, const struct run *run, const struct trace *trace, const struct error *before,
                 struct error *error)
{
    const struct job *job = collector->job;
    bool same = before && before->scenario && before->counts_as == error->counts_as;
    struct path path;
    struct err err;
    story_path(run, trace, job->name, error, &path);
    error->scenario = same ? scenario_replace(job, before->scenario, &path, &err) : scenario_save(job, stems[error->counts_as], &path, &err);
    if (!error->scenario)
        outcome_warn(collector->outcome, "%s", err.text);
    if (before && before->scenario && !same)
        scenario_remove(job, before->scenario);
    path_fini(&path);
}

/* It becomes finding number `at`, in the place of what was there. */
static void put(struct collector *collector, uint32_t at, const struct run *run, const struct trace *trace, struct error *error)
{
    const struct error *before = at < collector->outcome->finding_count ? &collector->outcome->findings[at] : NULL;
    error->count = before ? before->count : 1;
    save(collector, run, trace, before, error);
    outcome_put(collector->outcome, at, error);
}

void collector_add(struct collector *collector, const struct trace *trace, struct error *error)
{
    put(collector, collector->outcome->finding_count, collector->run, trace, error);
}

/* ---- one that is not the same each time ---- */

static bool is_known(struct outcome *outcome, uint64_t difference)
{
    for (uint32_t i = 0; i < outcome->finding_count; i++) {
        struct error *e = &outcome->findings[i];
        if (e->kind == ERROR_NONDETERMINISM && e->difference == difference) {
            e->count++;
            return true;
        }
    }
    return false;
}

void collector_difference(struct collector *collector, const struct trace *trace, const struct confirmation *c)
{
    assert(c->verdict == CONFIRM_DIFFERENT && c->difference);
    if (is_known(collector->outcome, c->difference))
        return;
    char *message = c->process < 0 ? prose_make("the program %s", c->words)
                                   : prose_make("process %d %s", c->process + 1, c->words);
    struct trace start = *trace;
    start.count = c->step < trace->count ? c->step : trace->count;
    struct error error = { .kind = ERROR_NONDETERMINISM, .depth = start.count, .process = c->process + 1, .message = message,
                           .difference = c->difference };
    error.location = c->location ? prose_make("%s", c->location) : NULL;
    error.explanation = prose_make("%s", explain_nondeterminism);
    story_tell(collector->run, &start, &error);
    if (c->first) {
        story_add(&error, 0, error.process, prose_make("%s, the first time", c->first), NULL,
                  c->location ? prose_make("%s", c->location) : NULL);
        story_add(&error, 0, error.process, prose_make("%s, the second time", c->second), NULL, NULL);
    }
    collector_add(collector, &start, &error);
}

/* ---- replaying it ---- */

static void explain_more(struct error *error, const char *before, const char *more)
{
    char *old = error->explanation;
    error->explanation = prose_make("%s%s%s%s", old ? old : "", old && *old ? "\n" : "", before, more);
    free(old);
}

static void explain_replays(struct error *error)
{
    char *often = error->failed == error->replays ? prose_make("each of %u times.", error->replays)
                                                  : prose_make("%u of %u times.", error->failed, error->replays);
    explain_more(error, "Run again from the start, it failed ", often);
    free(often);
    if (!error->longer)
        return;
    char *fewer = prose_make("%u step%s more.", error->longer, error->longer == 1 ? "" : "s");
    explain_more(error, "It was found with ", fewer);
    free(fewer);
}

static bool spins(const struct run *run, int process)
{
    return process >= 0 && system_pending(run->system, process)->op.code == PROCESS_DIVERGENCE;
}

/* What the replay makes of it. Of a loop that waits for others the replay would take as long again, and says no more. */
static struct confirmation replay(struct collector *collector, struct condition c, const struct trace *trace, struct err *err)
{
    if (c.kind == ERROR_UNSUPPORTED && spins(collector->run, c.process))
        return (struct confirmation){ .verdict = CONFIRM_FAILED };
    return confirm(collector->job, collector->run, trace, &c, err);
}

/* Of what may vary: a shorter scenario, if there is one, and how often it fails. */
static void try_again(struct collector *collector, struct condition c, const struct trace *trace, struct confirmation *again, struct error *error)
{
    const struct starter *starter = collector->job->starter;
    struct err err;
    if (again->verdict == CONFIRM_SAME) {
        shrink(collector->job, again, c, starter->shrinks);
        error->longer = trace->count - again->trace.count;
    }
    error->failed = again->verdict == CONFIRM_SAME;
    for (error->replays = 1; error->replays < starter->replays && !search_stopped_by(collector->job->interrupt); error->replays++) {
        bool same = again->verdict == CONFIRM_SAME;
        struct confirmation more = confirm(collector->job, same ? &again->run : collector->run, same ? &again->trace : trace, &c, &err);
        error->failed += more.verdict == CONFIRM_SAME;
        if (same || more.verdict != CONFIRM_SAME) {
            confirm_fini(&more);
        } else {
            confirm_fini(again);
            *again = more;
        }
    }
}

/* One who looks and counts was taken to wait after very many rounds: its count may end it later. */
static bool somebody_counts(const struct system *s)
{
    for (int p = 0; p < s->processes; p++) {
        const struct op *op = &system_pending(s, p)->op;
        if (s->alive >> p & 1 && types_get(op->type)->operations[op->code].awaits == AWAITS_CHANGE && op->arg[1] == LOCATION_COUNTS)
            return true;
    }
    return false;
}

static bool may_go_on(struct condition c, const struct run *run) { return c.kind == ERROR_DEADLOCK && run_shares(run) && somebody_counts(run->system); }

static enum counts_as counts_as(struct condition c, const struct run *run, enum confirmed verdict)
{
    if (c.kind == ERROR_UNSUPPORTED)
        return COUNTS_AS_LIMIT;
    if (may_go_on(c, run))
        return COUNTS_AS_UNCONFIRMED;
    bool seen_twice = verdict == CONFIRM_SAME || c.kind == ERROR_NONDETERMINISM;
    return seen_twice ? COUNTS_AS_ERROR : COUNTS_AS_UNCONFIRMED;
}

static void describe(struct collector *collector, struct condition c, const struct confirmation *again, const struct trace **trace,
                     const struct run **run, const struct err *err, struct error *error)
{
    bool foreseen = run_shares(collector->run) && again->verdict == CONFIRM_SAME;       /* places are right in the replay only */
    *run = foreseen ? &again->run : collector->run;
    *trace = foreseen ? &again->trace : *trace;
    explain(*run, *trace, c, error);
    story_tell(*run, *trace, error);
    story_end(*run, *trace, c, error);
    error->counts_as = counts_as(c, *run, again->verdict);
    assert(error->counts_as != COUNTS_AS_ERROR || again->verdict == CONFIRM_SAME || c.kind == ERROR_NONDETERMINISM);
    if (may_go_on(c, *run))
        explain_more(error, "Who counts may be ended by its count, later: ", "then this is no deadlock. A count that nobody uses is not there if it is compiled with -O1.");
    else if (error->counts_as == COUNTS_AS_UNCONFIRMED)
        explain_more(error, "It could not be replayed in fresh processes, so it may not be true: ",
                     again->verdict == CONFIRM_FAILED ? err->text : again->words);
    if (error->replays)
        explain_replays(error);
    if (error->counts_as == COUNTS_AS_UNCONFIRMED)
        return;
    if (again->verdict == CONFIRM_DIFFERENT)
        explain_more(error, "Run again, the process ", again->words);
}

/* A loop is one by how long it took; that it takes less another time says nothing. */
static bool is_difference(const struct job *job, struct condition c, const struct confirmation *again)
{
    return again->verdict == CONFIRM_DIFFERENT && !(job->starter && job->starter->goes_on) && c.kind != ERROR_NONDETERMINISM && c.kind != ERROR_DIVERGENCE;
}

static void report(struct collector *collector, struct condition c, const struct trace *trace, struct alike *alike)
{
    struct err err = { .text = "" };
    struct confirmation again = replay(collector, c, trace, &err);
    const struct error *before = finding_of(collector, alike);
    struct error error = { 0 };
    if (collector->job->starter && again.verdict != CONFIRM_FAILED)
        try_again(collector, c, trace, &again, &error);
    if (is_difference(collector->job, c, &again)) {
        alike->tries++;
        collector_difference(collector, trace, &again);
    } else {
        const struct run *run;
        describe(collector, c, &again, &trace, &run, &err, &error);
        alike->tries += error.counts_as == COUNTS_AS_UNCONFIRMED;
        if (before && error.counts_as == COUNTS_AS_UNCONFIRMED) {
            outcome_error_fini(&error);
        } else {
            alike->finding = before ? alike->finding : collector->outcome->finding_count;
            put(collector, alike->finding, run, trace, &error);
        }
    }
    confirm_fini(&again);
}

/* One that the machine did not let us confirm counts here, too: the next would fare no better. */
static bool enough(const struct collector *collector)
{
    const uint32_t *counted = collector->outcome->counted;
    uint64_t most = collector->job->stop_at_error;
    return most && counted[COUNTS_AS_ERROR] + counted[COUNTS_AS_UNCONFIRMED] - collector->outcome->races >= most;
}

enum verdict collector_error(struct collector *collector, struct condition c, const struct trace *trace)
{
    report(collector, c, trace, alikes_of(&collector->alikes, collector->run->system, c));
    return enough(collector) || spins(collector->run, c.process) ? STOP : GO_ON;
}

/* ---- the watcher ---- */

/* Of a group, the search itself has seen that the last step of the path led to two places. */
static bool ran_twice(const struct run *run, enum error_kind kind, int process)
{
    const struct op *op = kind == ERROR_NONDETERMINISM ? &system_pending(run->system, process)->op : NULL;
    return op && !is_process(op, PROCESS_NONDETERMINISM);
}

/* Another path to what is known: is it worth a replay? */
static bool worth_a_look(const struct collector *collector, const struct alike *alike, uint32_t depth)
{
    const struct error *known = finding_of(collector, alike);
    if (!known || known->counts_as == COUNTS_AS_UNCONFIRMED)
        return alike->tries < MOST_TRIES;
    return collector->prefix->count + depth < known->depth;
}

/* Nobody is left but who looks and counts: is it its count that ends it? Then this is no deadlock. */
static bool wants_patience(struct collector *collector, enum error_kind kind)
{
    const struct native_settings *n = &collector->job->native;
    if (kind != ERROR_DEADLOCK || !n->habits || !n->visible || n->habits->patient || !somebody_counts(collector->run->system))
        return false;
    n->habits->patient = collector->again = true;
    n->visible->loop_count = 0;
    return true;
}

static enum verdict found(void *self, enum error_kind kind, int process, const struct step *path, uint32_t depth)
{
    struct collector *collector = self;
    struct condition c = { kind, process };
    if (collector->sss && kind == ERROR_LIVELOCK)
        sss_livelock(collector->sss, process);
    if (wants_patience(collector, kind))
        return STOP;
    struct alike *alike = alikes_of(&collector->alikes, collector->run->system, c);
    struct error *known = finding_of(collector, alike);
    if (alikes_new_path(&collector->alikes, alike, collector->prefix, path, depth) && known)
        known->count++;
    if (!worth_a_look(collector, alike, depth))
        return GO_ON;
    struct trace trace;
    trace_init(&trace);
    trace_append(&trace, collector->prefix);
    for (uint32_t i = 0; i < depth; i++)
        trace_add(&trace, collector->run->system, &path[i]);
    enum verdict verdict = STOP;
    if (ran_twice(collector->run, kind, process)) {
        struct confirmation twice = confirm_difference(collector->run, &trace, &path[depth - 1]);
        collector_difference(collector, &trace, &twice);
        confirm_fini(&twice);
    } else {
        verdict = collector_error(collector, c, &trace);
    }
    trace_fini(&trace);
    return verdict;
}

static void state(void *self, uint64_t number, uint32_t depth)
{
    struct collector *collector = self;
    sss_state(collector->sss, number, depth);
}

static void transition(void *self, uint64_t from, uint64_t to, const struct step *step)
{
    struct collector *collector = self;
    const struct recorder *recorder = &collector->job->recorder;
    if (collector->sss)
        sss_transition(collector->sss, from, to, step);
    if (recorder->transition)
        recorder->transition(recorder->self, from, to, step);
}

static void execution(void *self, uint64_t number, const struct step *path, uint32_t depth)
{
    struct collector *collector = self;
    collector->job->recorder.execution(collector->job->recorder.self, number, path, depth);
}

static void progress(void *self, const struct counts *counts, uint32_t depth)
{
    struct collector *collector = self;
    collector->job->progress(collector->job->progress_arg, counts, depth, collector->outcome->counted[COUNTS_AS_ERROR],
                             run_shares(collector->run));
}

void collector_init(struct collector *collector, const struct job *job, struct run *run, const struct trace *prefix,
                    struct outcome *outcome)
{
    *collector = (struct collector){ .job = job, .run = run, .prefix = prefix, .outcome = outcome };
    alikes_init(&collector->alikes);
}

void collector_fini(struct collector *collector)
{
    for (uint32_t i = 0; i < collector->outcome->finding_count; i++) {
        struct error *e = &collector->outcome->findings[i];
        e->scenario = e->scenario ? scenario_final(collector->job, stems[e->counts_as], e->scenario) : NULL;
    }
    alikes_fini(&collector->alikes);
}

struct watcher collector_watcher(struct collector *collector)
{
    return (struct watcher){
        .self = collector, .found = found,
        .state = collector->sss ? state : NULL, .transition = collector->sss || collector->job->recorder.transition ? transition : NULL,
        .execution = collector->job->recorder.execution ? execution : NULL,
        .progress = collector->job->progress ? progress : NULL,
    };
}
