/* SPDX-License-Identifier: MIT */
#include "report/json.h"

#include "base/prose.h"
#include "report/value.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const char *const results[] =
    { [RESULT_COMPLETE] = "complete", [RESULT_INCOMPLETE] = "incomplete", [RESULT_ERRORS] = "errors" };
static const char *const coverages[] =
    { [COVERAGE_ALL] = "all", [COVERAGE_DEPTH] = "depth", [COVERAGE_PART] = "part" };

static json_t *number(uint64_t value) { return json_integer((json_int_t)value); }

/* An estimate; null: there is none. */
static json_t *about(double value)
{
    return value > 0 ? value < 1e15 ? number((uint64_t)(value + 0.5)) : json_real(value) : json_null();
}

/* ---- the tree ---- */

static json_t *step(const struct story_line *line)
{
    json_t *o = json_object();
    json_object_set_new(o, "step", line->step ? number(line->step) : json_null());
    json_object_set_new(o, "process", number((uint64_t)line->process));
    json_object_set_new(o, "operation", value_text(line->text));
    json_object_set_new(o, "location", value_text(line->location));
    json_object_set_new(o, "notes", value_lines(line->notes));
    return o;
}

static void add_race(json_t *o, const struct raced *raced)
{
    json_t *accesses = json_array();
    json_object_set_new(o, "variable", value_text(raced->variable));
    json_object_set_new(o, "size", number(raced->size));
    for (int i = 0; i < 2; i++) {
        json_t *by = json_object();
        json_object_set_new(by, "process", number((uint64_t)raced->by[i].process));
        json_object_set_new(by, "access", value_text(raced->by[i].verb));
        json_object_set_new(by, "location", value_text(raced->by[i].location));
        json_object_set_new(by, "stack", value_text(raced->by[i].stack));
        json_array_append_new(accesses, by);
    }
    json_object_set_new(o, "accesses", accesses);
}

static json_t *error(const struct error *e)
{
    json_t *o = json_object(), *steps = json_array();
    json_object_set_new(o, "kind", value_text(search_error_names[e->kind]));
    json_object_set_new(o, "depth", number(e->depth));
    json_object_set_new(o, "process", number((uint64_t)e->process));
    json_object_set_new(o, "location", value_text(e->location));
    json_object_set_new(o, "message", value_text(e->message));
    json_object_set_new(o, "scenario", value_text(e->scenario));
    json_object_set_new(o, "count", number(e->count));
    json_object_set_new(o, "explanation", value_text(e->explanation));
    if (e->kind == ERROR_RACE)
        add_race(o, &e->raced);
    if (e->replays) {
        json_object_set_new(o, "replays", number(e->replays));
        json_object_set_new(o, "failed_again", number(e->failed));
        json_object_set_new(o, "steps_left_out", number(e->longer));
    }
    for (uint32_t i = 0; i < e->line_count; i++)
        json_array_append_new(steps, step(&e->lines[i]));
    json_object_set_new(o, "steps", steps);
    return o;
}

static json_t *limit(const struct error *e)
{
    json_t *o = json_object();
    json_object_set_new(o, "function", value_text(e->function));
    json_object_set_new(o, "location", value_text(e->location));
    json_object_set_new(o, "paths", number(e->count));
    json_object_set_new(o, "scenario", value_text(e->scenario));
    json_object_set_new(o, "process", number((uint64_t)e->process));
    json_object_set_new(o, "depth", number(e->depth));
    json_object_set_new(o, "message", value_text(e->message));
    json_object_set_new(o, "explanation", value_text(e->explanation));
    return o;
}

static json_t *findings(const struct outcome *outcome, enum counts_as sort)
{
    json_t *all = json_array();
    for (uint32_t i = 0; i < outcome->finding_count; i++)
        if (outcome->findings[i].counts_as == sort)
            json_array_append_new(all, sort == COUNTS_AS_LIMIT ? limit(&outcome->findings[i]) : error(&outcome->findings[i]));
    return all;
}

static json_t *local_states(const struct outcome *outcome)
{
    json_t *all = json_array();
    for (int p = 0; p < outcome->processes; p++)
        json_array_append_new(all, number(outcome->local_states[p]));
    return all;
}

static void add_counts(json_t *o, const struct outcome *outcome)
{
    const struct counts *c = &outcome->search.counts;
    json_object_set_new(o, "states", number(c->states));
    json_object_set_new(o, "transitions", number(c->transitions));
    json_object_set_new(o, "executions", number(c->executions));
    json_object_set_new(o, "sleep_cut", number(c->sleep_cut));
    json_object_set_new(o, "depth_cut", number(c->depth_cut));
    if (outcome->group)
        json_object_set_new(o, "surprises", number(c->surprises));
    if (c->untried)
        json_object_set_new(o, "untried", number(c->untried));
    json_object_set_new(o, "max_depth", number(c->max_depth));
    json_object_set_new(o, "native_transitions", number(outcome->native.transitions));
    json_object_set_new(o, "native_starts", number(outcome->native.starts));
    json_object_set_new(o, "restores", number(outcome->native.restores));
    if (*outcome->native.starts_again)
        json_object_set_new(o, "starts_again", json_string(outcome->native.starts_again));
    json_object_set_new(o, "local_states", local_states(outcome));
    json_object_set_new(o, "seconds", json_real(outcome->seconds));
    json_object_set_new(o, "memory_kb", number(outcome->memory_kb));
    if (outcome->search.divided.missions)
        json_object_set_new(o, "elsewhere", json_pack("{sIsIsI}", "tasks", (json_int_t)outcome->search.divided.missions, "parts",
                                                      (json_int_t)outcome->search.divided.used, "states", (json_int_t)outcome->search.divided.states));
}

/* Of a search with a cache: `states` counts a state each time that it is entered. */
static void add_cache(json_t *o, const struct outcome *outcome)
{
    const struct search_result *r = &outcome->search;
    json_t *cache = json_object();
    json_object_set_new(cache, "states", number(r->cache.states));
    json_object_set_new(cache, "policy", value_text(search_cache_names[outcome->settings.cache_policy]));
    json_object_set_new(cache, "replaced", number(r->cache.replaced));
    json_object_set_new(cache, "distinct", number(r->cache.distinct));
    json_object_set_new(o, "cache", cache);
    json_object_set_new(o, "reexplored", number(r->counts.states - r->cache.distinct));
}

static json_t *coverage_estimate(const struct search_result *r)
{
    json_t *o = json_object();
    json_object_set_new(o, "percent", json_real(r->estimate.percent));
    json_object_set_new(o, "low", json_real(r->estimate.low));
    json_object_set_new(o, "high", json_real(r->estimate.high));
    json_object_set_new(o, "states", number(r->estimate.states));
    json_object_set_new(o, "counted", json_boolean(r->estimate.counted));
    json_object_set_new(o, "sampled", json_boolean(r->estimate.sampled));
    return o;
}

/* What was not under control. */
static json_t *outside(const struct starter_says *s)
{
    json_t *o = json_object();
    json_object_set_new(o, "runs", number(s->runs));
    json_object_set_new(o, "varied", number(s->varied));
    json_object_set_new(o, "first", value_text(s->was));
    json_object_set_new(o, "again", value_text(s->is));
    return o;
}

static json_t *drivers(const struct outcome *outcome)
{
    json_t *all = json_array();
    for (uint32_t i = 0; i < outcome->driver_count; i++)
        json_array_append_new(all, json_pack("{s:o, s:i, s:i}", "name", value_text(outcome->drivers[i].name), "process",
                                             outcome->drivers[i].process, "errors", (int)outcome->drivers[i].errors));
    return all;
}

static json_t *stop_name(enum stopped_by by)
{
    return by == STOPPED_NOTHING ? json_null() : value_text(search_stop_names[by]);
}

static json_t *report(const struct job *job, const struct outcome *outcome)
{
    const struct search_result *r = &outcome->search;
    json_t *o = json_object();
    json_object_set_new(o, "program", value_text(job->name));
    json_object_set_new(o, "result", value_text(results[outcome->result]));
    json_object_set_new(o, "errors", findings(outcome, COUNTS_AS_ERROR));
    json_object_set_new(o, "unsupported", findings(outcome, COUNTS_AS_LIMIT));
    json_object_set_new(o, "unconfirmed", findings(outcome, COUNTS_AS_UNCONFIRMED));
    json_object_set_new(o, "stopped_by", stop_name(r->stopped_by));
    json_object_set_new(o, "coverage", value_text(coverages[r->coverage]));
    json_object_set_new(o, "coverage_estimate", r->estimate.percent > 0 ? coverage_estimate(r) : json_null());
    bool stopped = r->stopped_by != STOPPED_NOTHING;
    json_object_set_new(o, "executions_estimate", stopped ? about(r->counts.executions_estimate) : json_null());
    json_object_set_new(o, "executions_estimate_error", stopped ? about(r->counts.estimate_error) : json_null());
    if (outcome->gave_up)
        json_object_set_new(o, "gave_up", json_integer(outcome->gave_up));
    if (outcome->group) {
        json_object_set_new(o, "instrumented", json_boolean(outcome->instrumented));
        json_object_set_new(o, "unseen", outcome->unseen ? value_text(outcome->unseen) : json_null());
        json_object_set_new(o, "races_suppressed", number(outcome->suppressed_count));
        json_object_set_new(o, "race_free", json_boolean(outcome->race_free && !outcome->unseen && r->coverage == COVERAGE_ALL));
        json_object_set_new(o, "weak_orders", json_boolean(outcome->weak_orders));
        json_object_set_new(o, "counting_loop", value_text(outcome->counts));
        json_object_set_new(o, "whole_access", value_text(outcome->whole));
        json_object_set_new(o, "goes_round", value_text(outcome->round));
    }
    json_object_set_new(o, "livelock_checked", json_boolean(r->livelock_checked));
    json_object_set_new(o, "search", value_text(search_strategy_names[outcome->settings.strategy]));
    json_object_set_new(o, "reduction", value_text(search_reduction_names[outcome->settings.reduction]));
    json_object_set_new(o, "processes", number((uint64_t)outcome->processes));
    json_object_set_new(o, "objects", number(outcome->object_count));
    add_counts(o, outcome);
    if (outcome->settings.cache)
        add_cache(o, outcome);
    json_object_set_new(o, "output", value_text(job->output));
    if (job->certificate) {
        json_object_set_new(o, "certificate", outcome->no_certificate ? json_null() : value_text(job->certificate));
        json_object_set_new(o, "certificate_bytes", number(outcome->certificate_bytes));
        json_object_set_new(o, "no_certificate", value_text(outcome->no_certificate));
    }
    if (job->starter) {
        json_object_set_new(o, "promise", value_text(outcome->says.promise));
        json_object_set_new(o, "black_box", outside(&outcome->says));
        json_object_set_new(o, "drivers", drivers(outcome));
    }
    json_object_set_new(o, "state_space", value_text(outcome->state_space));
    json_object_set_new(o, "warnings", value_lines(outcome->warnings));
    if (outcome->notes)
        json_object_set_new(o, "notes", value_lines(outcome->notes));
    return o;
}

static int dump(json_t *o, FILE *out)                            /* takes */
{
    errno = 0;
    int bad = json_dumpf(o, out, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    json_decref(o);
    bad |= fputc('\n', out) == EOF;
    bad |= fflush(out);
    return bad ? -(errno ? errno : EIO) : 0;
}

int json_report(FILE *out, const struct job *job, const struct outcome *outcome)
{
    return dump(report(job, outcome), out);
}

int json_unusable(FILE *out, const char *program, enum stopped_by stopped, const char *message)
{
    json_t *o = json_object();
    json_object_set_new(o, "program", value_text(program));
    json_object_set_new(o, "result", value_text(stopped == STOPPED_NOTHING ? "unusable" : "incomplete"));
    json_object_set_new(o, "message", value_text(message));
    json_object_set_new(o, "errors", json_array());
    json_object_set_new(o, "unsupported", json_array());
    json_object_set_new(o, "unconfirmed", json_array());
    json_object_set_new(o, "stopped_by", stop_name(stopped));
    return dump(o, out);
}
