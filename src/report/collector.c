/* SPDX-License-Identifier: MIT */
#include "report/collector.h"

#include "base/memory.h"
#include "report/explain.h"
#include "report/outcome.h"
#include "report/prose.h"
#include "report/story.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* ---- errors met before ---- */

static bool seen_before(struct collector *collector, XXH128_hash_t key);

static void widen(struct collector *collector)
{
    uint64_t (*old)[2] = collector->seen;
    uint32_t old_mask = collector->seen_mask;
    collector->seen_mask = 2 * old_mask + 1;
    collector->seen_count = 0;
    collector->seen = memory_get(((size_t)collector->seen_mask + 1) * sizeof *collector->seen);
    for (uint32_t i = 0; i <= old_mask; i++)
        if (old[i][0] || old[i][1])
            seen_before(collector, (XXH128_hash_t){ old[i][0], old[i][1] });
    free(old);
}

/* Is it in the table? From now on it is. */
static bool seen_before(struct collector *collector, XXH128_hash_t key)
{
    if (collector->seen_count >= collector->seen_mask / 2)
        widen(collector);
    for (uint32_t at = (uint32_t)key.low64; ; at++) {
        uint64_t *slot = collector->seen[at & collector->seen_mask];
        if (slot[0] == key.low64 && slot[1] == key.high64)
            return true;
        if (!slot[0] && !slot[1]) {
            slot[0] = key.low64;
            slot[1] = key.high64;
            collector->seen_count++;
            return false;
        }
    }
}

/* What makes an error the same as another: the state for a deadlock, else who, where and what. */
static XXH128_hash_t identity(struct collector *collector, struct condition c)
{
    uint64_t key[5] = { c.kind + 1, (uint64_t)c.process };
    if (c.kind == ERROR_DEADLOCK) {
        system_fingerprint(collector->run->system, key + 2);
    } else {
        const struct op *op = &system_pending(collector->run->system, c.process)->op;
        key[2] = op->place;
        key[3] = c.kind == ERROR_LIVELOCK ? 0 : op->text;
        key[4] = c.kind == ERROR_LIVELOCK ? 0 : (uint64_t)op->type << 8 | op->code;
    }
    return XXH3_128bits(key, sizeof key);
}

/* ---- making an error of it ---- */

static void save(struct collector *collector, const struct run *run, const struct trace *trace, struct error *error)
{
    char *name = prose_make("error%u.path", collector->outcome->error_count + 1), *file = outcome_file(collector->job, name);
    struct path path;
    struct err err;
    story_path(run, trace, collector->job->name, error, &path);
    if (path_save(&path, file, &err) < 0) {
        outcome_warn(collector->outcome, "%s", err.text);
        free(name);
    } else {
        error->scenario = name;
    }
    path_fini(&path);
    free(file);
}

static void explain_more(struct error *error, const char *before, const char *more)
{
    char *old = error->explanation;
    error->explanation = prose_make("%s%s%s%s", old ? old : "", old && *old ? "\n" : "", before, more);
    free(old);
}

/* It stands though the replay was different. */
static void explain_again(struct error *error, const struct confirmation *again)
{
    if (error->kind == ERROR_CRASH) {
        free(error->explanation);
        error->explanation = NULL;
        explain_more(error, "This was not the program's doing: when the same steps were run again it lived, and came to ",
                     again->second ? again->second : "the same place");
    } else {
        explain_more(error, "Run again, the process ", again->words);
    }
}

static void keep(struct collector *collector, const struct run *run, const struct trace *trace, struct error *error)
{
    save(collector, run, trace, error);
    outcome_add(collector->outcome, error);
}

void collector_keep(struct collector *collector, const struct trace *trace, struct error *error)
{
    keep(collector, collector->run, trace, error);
}

static bool known_message(const struct outcome *outcome, const char *message)
{
    for (uint32_t i = 0; i < outcome->error_count; i++)
        if (outcome->errors[i].kind == ERROR_NONDETERMINISM && !strcmp(outcome->errors[i].message, message))
            return true;
    return false;
}

void collector_difference(struct collector *collector, const struct trace *trace, const struct confirmation *c)
{
    char *message = c->process < 0 ? prose_make("the program %s", c->words)
                                   : prose_make("process %d %s", c->process + 1, c->words);
    if (known_message(collector->outcome, message)) {
        free(message);
        return;
    }
    struct trace start = *trace;
    start.count = c->step < trace->count ? c->step : trace->count;
    struct error error = { .kind = ERROR_NONDETERMINISM, .depth = start.count, .process = c->process + 1, .message = message };
    error.location = c->location ? prose_make("%s", c->location) : NULL;
    error.explanation = prose_make("%s", explain_nondeterminism);
    story_tell(collector->run, &start, &error);
    if (c->first) {
        story_add(&error, 0, error.process, prose_make("%s, the first time", c->first), NULL,
                  c->location ? prose_make("%s", c->location) : NULL);
        story_add(&error, 0, error.process, prose_make("%s, the second time", c->second), NULL, NULL);
    }
    collector_keep(collector, &start, &error);
}

/* A death that came from outside, and what the processes themselves may do differently, are not expected to come back. */
static bool stands_anyway(const struct run *run, struct condition c)
{
    return c.kind == ERROR_NONDETERMINISM
        || (c.kind == ERROR_CRASH && run_killed_from_outside(run, &system_pending(run->system, c.process)->op));
}

static void report(struct collector *collector, struct condition c, const struct trace *trace)
{
    struct err err = { "" };
    struct confirmation again = confirm(collector->job, collector->run, trace, &c, &err);
    if (again.verdict == CONFIRM_DIFFERENT && !stands_anyway(collector->run, c)) {
        collector_difference(collector, trace, &again);
    } else {
        struct error error = { 0 };
        bool foreseen = collector->run->start.group && again.verdict == CONFIRM_SAME;    /* places are right in the replay only */
        const struct run *run = foreseen ? &again.run : collector->run;
        trace = foreseen ? &again.trace : trace;
        explain(run, trace, c, &error);
        story_tell(run, trace, &error);
        story_end(run, trace, c, &error);
        if (again.verdict == CONFIRM_DIFFERENT)
            explain_again(&error, &again);
        if (again.verdict == CONFIRM_FAILED)
            explain_more(&error, "It could not be replayed in fresh processes: ", err.text);
        keep(collector, run, trace, &error);
    }
    confirm_fini(&again);
}

enum verdict collector_error(struct collector *collector, struct condition c, const struct trace *trace)
{
    report(collector, c, trace);
    if (c.kind == ERROR_DIVERGENCE)
        return STOP;
    return collector->job->stop_at_error && collector->outcome->error_count >= collector->job->stop_at_error ? STOP : GO_ON;
}

/* ---- the watcher ---- */

/* Of a group, the search itself has seen that the last step of the path led to two places. */
static bool ran_twice(const struct run *run, enum error_kind kind, int process)
{
    const struct op *op = &system_pending(run->system, process)->op;
    return kind == ERROR_NONDETERMINISM && !(op->type == TYPE_PROCESS && op->code == PROCESS_NONDETERMINISM);
}

static enum verdict found(void *self, enum error_kind kind, int process, const struct step *path, uint32_t depth)
{
    struct collector *collector = self;
    struct condition c = { kind, process };
    if (collector->sss && kind == ERROR_LIVELOCK)
        sss_livelock(collector->sss, process);
    if (seen_before(collector, identity(collector, c)))
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
    sss_transition(collector->sss, from, to, step);
}

static void progress(void *self, const struct counts *counts, uint32_t depth)
{
    struct collector *collector = self;
    collector->job->progress(collector->job->progress_arg, counts, depth, collector->outcome->error_count,
                             collector->run->start.group);
}

void collector_init(struct collector *collector, const struct job *job, struct run *run, const struct trace *prefix,
                    struct outcome *outcome)
{
    *collector = (struct collector){ .job = job, .run = run, .prefix = prefix, .outcome = outcome, .seen_mask = 63 };
    collector->seen = memory_get(((size_t)collector->seen_mask + 1) * sizeof *collector->seen);
}

void collector_fini(struct collector *collector)
{
    free(collector->seen);
}

struct watcher collector_watcher(struct collector *collector)
{
    return (struct watcher){
        .self = collector, .found = found,
        .state = collector->sss ? state : NULL, .transition = collector->sss ? transition : NULL,
        .progress = collector->job->progress ? progress : NULL,
    };
}
