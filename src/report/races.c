/* SPDX-License-Identifier: MIT */
#include "report/races.h"
#include "report/shared.h"

#include "native/unseen.h"
#include "native/variable.h"
#include "objects/types.h"
#include "report/naming.h"
#include "report/outcome.h"
#include "base/prose.h"
#include "report/story.h"
#include "report/suppressions.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void make_trace(struct trace *trace, const struct system *system, const struct leg *path, uint32_t count)
{
    trace_init(trace);
    for (uint32_t i = 0; i < count; i++) {
        struct step step = { .process = path[i].process, .choice = path[i].choice, .node = path[i].from, .result = path[i].result,
                             .next = path[i].to };
        trace_add(trace, system, &step);
    }
}

/* ---- both stacks ---- */

static uint32_t step_before(const struct trace *trace, uint32_t step)    /* 1 + the last of its process before it; 0: none */
{
    for (uint32_t i = step; i-- > 0;)
        if (trace->events[i].op.process == trace->events[step].op.process)
            return i + 1;
    return 0;
}

/* "inc (counter.c:9), main (counter.c:20)" of who came to stand before its operation just now. */
static char *stack_of(struct run *run, uint64_t place)
{
    enum { MOST = 16 };
    struct place frames[MOST];
    char name[256];
    struct prose w = { 0 };
    int count = native_stack(run->native, place, frames, MOST);
    for (int i = 0; i < count; i++) {
        if (frames[i].function)
            variable_function(frames[i].function, name, sizeof name);
        prose_add(&w, "%s%s (%s:%d)", i ? ", called by " : "", frames[i].function ? name : "?", run_below_here(frames[i].file), frames[i].line);
    }
    return w.length ? prose_take(&w) : NULL;
}

/* Runs the trace in fresh processes once more, and looks at the stacks where the two stand before what they race with, whose places
 * are named by part. */
static void find_stacks(const struct job *job, const struct run *run, const struct trace *trace, const struct race *race, char *stacks[2])
{
    struct run again;
    struct trace so_far;
    struct err err;
    const struct racer *racers[] = { &race->first, &race->second };
    if (run_start(&again, job, RUN_FOLLOW, -1, run->system->texts, &err) < 0)
        return;
    trace_init(&so_far);
    for (uint32_t i = 0; i < trace->count; i++) {
        const struct event *e = &trace->events[i];
        system_next_child(again.system, e->result);
        if (!(again.system->enabled >> e->op.process & 1) || trace_execute(&so_far, again.system, e->op.process, e->choice, &err) < 0)
            break;
        for (int r = 0; r < 2; r++)
            if (!stacks[r] && step_before(trace, racers[r]->step) == i + 1)
                stacks[r] = stack_of(&again, visible_address(native_visible(again.native), racers[r]->access.place));
    }
    trace_fini(&so_far);
    run_stop(&again);
}

/* ---- words ---- */

/* The last operation on the location in which the bytes are, or on the lock or its like that begins there, for its name. */
static const struct op *operation_on(const struct run *run, const struct trace *trace, uint64_t address, bool location)
{
    for (uint32_t i = trace->count; i-- > 0;) {
        const struct op *op = &trace->events[i].op;
        const struct created *c = op->object != NO_OBJECT && types_get(op->type)->variable == location ? run->system->objects[op->object].created : NULL;
        if (c && c->address && address - c->address < (location ? sizeof(uint64_t) : 1))
            return op;
    }
    return NULL;
}

static char *variable(const struct run *run, const struct trace *trace, const struct race *race)
{
    char name[256];
    if (variable_global(native_where(run->native), race->address, (unsigned)race->size, name, sizeof name))
        return prose_make("%s", name);
    const struct op *op = operation_on(run, trace, race->address, true);
    if (!op)
        op = operation_on(run, trace, race->address, false);
    return op ? naming_object(run, trace, op) : prose_make("memory at 0x%llx", (unsigned long long)race->address);
}

static const char *verb(const struct wire_access *a)
{
    static const char *const verbs[] = { "read", "written", "read atomically", "written atomically" };
    return a->kind & ACCESS_IS_FREE ? "freed" : a->kind & ACCESS_IS_USE ? "used" : verbs[a->kind & (ACCESS_IS_WRITE | ACCESS_IS_ATOMIC)];
}

static char *place(const struct run *run, const struct trace *trace, const struct racer *r)
{
    const struct op *op = &trace->events[r->step].op;    /* in a library of headers its place is further out */
    struct op at = { .place = types_get(op->type)->variable && op->place ? op->place : r->access.place };
    return run_location(run, &at);
}

static void fill(const struct run *run, const struct trace *trace, const struct race *race, struct raced *raced)
{
    const struct racer *racers[] = { &race->first, &race->second };
    *raced = (struct raced){ .variable = variable(run, trace, race), .size = race->size };
    for (int i = 0; i < 2; i++) {
        raced->by[i].process = (int)racers[i]->process + 1;
        raced->by[i].step = racers[i]->step + 1;
        raced->by[i].verb = verb(&racers[i]->access);
        raced->by[i].location = place(run, trace, racers[i]);
    }
}

static void add_racer(const struct run *run, const struct trace *trace, const struct raced *raced, int i, struct prose *w)
{
    char *who = naming_process(run, trace, raced->by[i].process - 1);
    prose_add(w, "%s%s%s by %s", raced->by[i].verb, raced->by[i].location ? " at " : "", raced->by[i].location ? raced->by[i].location : "",
              who);
    free(who);
}

static char *explanation(const struct raced *raced)
{
    struct prose w = { 0 };
    prose_add(&w, "Two processes use the same %llu byte%s, one writes, and no lock, semaphore or other operation lies between: what the "
              "compiler and the machine make of that is not defined (C11, 5.1.2.4).", (unsigned long long)raced->size,
              raced->size == 1 ? "" : "s");
    for (int i = 0; i < 2; i++)
        if (raced->by[i].stack)
            prose_add(&w, "\nprocess %d: %s", raced->by[i].process, raced->by[i].stack);
    return prose_take(&w);
}

void races_describe(const struct run *run, const struct trace *trace, const struct race *race, struct error *error)
{
    struct prose w = { 0 };
    struct raced *raced = &error->raced;
    assert(race->first.step < race->second.step && race->second.step < trace->count && race->first.process != race->second.process);
    error->kind = ERROR_RACE;
    error->depth = trace->count;
    error->process = (int)race->second.process + 1;
    fill(run, trace, race, raced);
    prose_add(&w, "%s is ", raced->variable);
    add_racer(run, trace, raced, 0, &w);
    prose_add(&w, " and ");
    add_racer(run, trace, raced, 1, &w);
    prose_add(&w, ", and nothing orders them");
    error->message = prose_take(&w);
    error->location = raced->by[1].location ? prose_make("%s", raced->by[1].location) : NULL;
}

/* ---- replaying it ---- */

/* Another run may have the program elsewhere. */
static struct race named_by_part(const struct visible *v, struct race race)
{
    race.first.access.place = visible_name(v, race.first.access.place);
    race.second.access.place = visible_name(v, race.second.access.place);
    return race;
}

static bool same_named(const struct visible *v, const struct race *race, const struct race *named)
{
    struct race again = named_by_part(v, *race);
    return datarace_same(&again, named);
}

/* A path that is the same in fresh processes, and has the race, whose places are named by part. What variables held there is taken over. */
static bool confirmed(const struct job *job, const struct run *run, struct trace *trace, const struct race *race, struct err *err)
{
    struct confirmation again = confirm(job, run, trace, NULL, err);
    bool there = false;
    trace_take_held(trace, &again.trace);
    for (uint32_t i = 0; again.verdict == CONFIRM_SAME && again.run.datarace && i < datarace_count(again.run.datarace); i++)
        there |= same_named(native_visible(again.run.native), datarace_get(again.run.datarace, i), race);
    confirm_fini(&again);
    return there;
}

static bool same_text(const char *a, const char *b) { return a && b && !strcmp(a, b); }

/* Of the same variable, at the same two places of the source, in whichever order. */
static bool alike(const struct raced *a, const struct raced *b)
{
    bool straight = same_text(a->by[0].location, b->by[0].location) && same_text(a->by[1].location, b->by[1].location);
    bool crossed = same_text(a->by[0].location, b->by[1].location) && same_text(a->by[1].location, b->by[0].location);
    return same_text(a->variable, b->variable) && (straight || crossed);
}

static bool is_known(const struct outcome *outcome, const struct error *error)
{
    for (uint32_t i = 0; i < outcome->suppressed_count; i++)
        if (alike(&outcome->suppressed[i], &error->raced))
            return true;
    for (uint32_t i = 0; i < outcome->finding_count; i++)
        if (outcome->findings[i].kind == ERROR_RACE && alike(&outcome->findings[i].raced, &error->raced))
            return true;
    return false;
}

static void report(struct collector *collector, struct trace *trace, const struct race *race, struct error *error)
{
    const struct job *job = collector->job;
    struct err err = { .text = "" };
    char *stacks[2] = { NULL, NULL };
    struct visible *visible = job->native.visible;
    struct race named = named_by_part(visible, *race);
    struct wire_part here[WIRE_PARTS];
    memcpy(here, visible->parts, sizeof here);
    error->counts_as = confirmed(job, collector->run, trace, &named, &err) ? COUNTS_AS_ERROR : COUNTS_AS_UNCONFIRMED;
    find_stacks(job, collector->run, trace, &named, stacks);
    visible_move(visible, here);                         /* the path is looked at further */
    error->raced.by[0].stack = stacks[0];
    error->raced.by[1].stack = stacks[1];
    error->explanation = explanation(&error->raced);
    story_tell(collector->run, trace, error);
    collector_add(collector, trace, error);
    collector->outcome->races++;
}

/* Is it one that somebody knows of? */
static bool is_suppressed(const struct collector *collector, const struct race *race, const struct error *error)
{
    struct where *where = native_where(collector->run->native);
    struct suppressed_race r = { .variable = error->raced.variable };
    const struct racer *racers[] = { &race->first, &race->second };
    for (int i = 0; i < 2; i++) {
        r.places[i] = error->raced.by[i].location;
        r.functions[i] = where ? where_call(where, racers[i]->access.place).function : NULL;
    }
    return suppressions_match(collector->job->suppressions, &r);
}

bool races_tell(void *arg, const struct race *race, const struct leg *path, uint32_t count)
{
    struct collector *collector = arg;
    struct trace trace;
    struct error error = { .count = 1 };
    make_trace(&trace, collector->run->system, path, count);
    races_describe(collector->run, &trace, race, &error);
    bool known = is_known(collector->outcome, &error), left_out = !known && !collector->deaf && is_suppressed(collector, race, &error);
    collector->heard |= collector->deaf && !known;
    if (left_out)
        outcome_suppress(collector->outcome, &error.raced);
    if (known || left_out || collector->deaf)
        outcome_error_fini(&error);
    else
        report(collector, &trace, race, &error);
    trace_fini(&trace);
    return known || left_out || (collector->job->races != RACES_STOP && !collector->deaf);
}

/* ---- when the search is over ---- */

static void judge_suppressions(struct outcome *outcome, const struct suppressions *s)
{
    bool all = outcome->search.coverage == COVERAGE_ALL && outcome->search.stopped_by == STOPPED_NOTHING;
    for (uint32_t line = 0; all && (line = suppressions_unused(s, line)); line++)
        outcome_warn(outcome, "%s:%u: there is no data race that this line leaves out", suppressions_file(s), line);
}

void races_judge(struct outcome *outcome, const struct run *run, const struct datarace *d, const struct job *job)
{
    assert(job->native.visible && run->native);
    const struct visible *v = native_visible(run->native);
    judge_suppressions(outcome, job->suppressions);
    outcome->instrumented = v->instrumented || native_instrumented(run->native);
    outcome->weak_orders = v->weak;
    free(outcome->shared);
    outcome->shared = shared_words(run->native);
    free(outcome->unseen);
    outcome->unseen = outcome->instrumented ? unseen_code(native_where(run->native)) : NULL;
    free(outcome->whole);
    outcome->whole = v->whole ? run_location(run, &(struct op){ .place = v->whole }) : NULL;
    free(outcome->round);
    outcome->round = outcome->search.counts.round.times ? run_location(run, &(struct op){ .place = outcome->search.counts.round.place }) : NULL;
    /* Which accesses are ordered is known of a path, not of a state: who enters each state once has not seen all of them. */
    outcome->race_free = d && outcome->instrumented && !datarace_missed(d) && !outcome->races && !outcome->suppressed_count && !outcome->search.states_once;
    if (d && datarace_missed(d)) {
        outcome->search.coverage = COVERAGE_PART;
        outcome_warn(outcome, "the program reads and writes more between two operations than there is room for: not all data races were looked for");
    }
}
