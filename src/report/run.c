/* SPDX-License-Identifier: MIT */
#include "report/run.h"

#include "base/memory.h"
#include "native/variable.h"
#include "native/where.h"
#include "objects/types.h"
#include "properties/invariant.h"
#include "report/naming.h"
#include "report/held.h"
#include "base/prose.h"
#include "system/datarace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int start_program(struct run *run, const struct job *job, const struct native_settings *settings, struct texts *texts, struct err *err)
{
    run->history = history_new();
    if (!job->starter)
        return native_start(&run->native, settings, run->history, texts, &run->start, err);
    run->starter = job->starter;
    struct starting how = { run->history, texts, settings->output, settings->one_path };
    run->program = job->starter->start(job->starter->self, &how, &run->start, err);
    return run->program ? 0 : -EINVAL;
}

static const struct runner *runner_of(const struct run *run)
{
    return run->program ? run->starter->runner(run->program) : native_runner(run->native);
}

struct where *run_where(const struct run *run) { return run->native ? native_where(run->native) : NULL; }

int run_start(struct run *run, const struct job *job, enum run_purpose purpose, int output, struct texts *texts, struct err *err)
{
    *run = (struct run){ .compiled = job->compiled };
    struct native_settings settings = job->native;
    settings.one_path = purpose != RUN_SEARCH;
    settings.output = output;
    if (job->invariants) {
        invariants_restart(job->invariants);
        settings.noter = (struct noter){ job->invariants, invariants_note, true };
    }
    if (settings.group && settings.visible && purpose != RUN_SEARCH) {
        run->held = held_new(settings.visible, job->invariants);
        settings.noter = (struct noter){ run->held, held_note, job->invariants != NULL };
    }
    settings.demand = purpose != RUN_FOLLOW;
    int rc = start_program(run, job, &settings, texts, err);
    if (rc < 0) {
        run_stop(run);
        return rc;
    }
    if (job->invariants && !run->start.group && invariants_highest(job->invariants) > run->start.processes) {
        rc = fail(err, "--invariant: one of them names process %d; the program has %d", invariants_highest(job->invariants),
                  run->start.processes);
        run_stop(run);
        return rc;
    }
    struct system_parts parts = { .start = &run->start, .history = run->history, .runner = runner_of(run),
                                  .texts = texts, .structure = job->structure, .states = settings.states,
                                  .invariants = job->invariants, .hiding = settings.outside ? &settings.outside->hiding : NULL, .hides = settings.outside && purpose == RUN_SEARCH };
    run->system = system_new(&parts, err);
    if (!run->system) {
        run_stop(run);
        return -EINVAL;
    }
    if (settings.group && settings.visible && purpose != RUN_SEARCH)
        run->datarace = datarace_new(run->system, &(struct datarace_settings){ .visible = settings.visible, .adds = purpose == RUN_TRY });
    return 0;
}

void run_stop(struct run *run)
{
    names_fini(&run->names);
    datarace_free(run->datarace);
    system_free(run->system);
    native_stop(run->native);
    held_free(run->held);
    if (run->program)
        run->starter->stop(run->program);
    history_free(run->history);
    *run = (struct run){ 0 };
}

/* "start producer", which only the one who created it knows; NULL: it is no such start. */
static char *named_start(const struct run *run, const struct trace *before, const struct op *op)
{
    bool starts = is_process(op, PROCESS_START);
    char *thread = starts ? naming_thread(run, before, op->process) : NULL;
    char *does = thread ? prose_make("start %s", thread) : NULL;
    free(thread);
    return does;
}

char *run_operation(const struct run *run, const struct trace *before, const struct op *op)
{
    char *does = named_start(run, before, op);
    if (does)
        return does;
    char *name = naming_object(run, before, op);
    does = run_operation_on(run, op, name);
    free(name);
    return does;
}

char *run_operation_on(const struct run *run, const struct op *op, const char *name)
{
    char *out = NULL;
    PRINT_WHOLE(out, types_print(op, name, run->system->texts, out, room));
    prose_one_line(out);
    return out;
}

char *run_waits_in(const struct run *run, const struct trace *before, const struct op *op)
{
    char *out = named_start(run, before, op);
    if (out)
        return out;
    char *name = naming_object(run, before, op);
    PRINT_WHOLE(out, types_print_waiting(op, name, run->system->texts, out, room));
    prose_one_line(out);
    free(name);
    return out;
}

char *run_result(const struct run *run, const struct op *op, uint32_t result)
{
    char *out = NULL;
    bool given;
    PRINT_WHOLE(out, given = types_print_result(op, result, run->system->texts, out, room));
    if (given) {
        prose_one_line(out);
        return out;
    }
    free(out);
    return NULL;
}

char *run_transition(const struct run *run, const struct trace *before, const struct op *op, uint32_t result)
{
    char *operation = run_operation(run, before, op), *value = run_result(run, op, result);
    if (!value)
        return operation;
    char *both = prose_make("%s = %s", operation, value);
    free(operation);
    free(value);
    return both;
}

char *run_event(const struct run *run, const struct trace *trace, uint32_t event)
{
    struct trace before = *trace;
    before.count = event;
    const struct event *e = &trace->events[event];
    char *does = run_transition(run, &before, &e->op, e->result), *value = held_words(run, e);
    if (!value)
        return does;
    char *both = prose_make("%s (%s)", does, value);
    free(does);
    free(value);
    return both;
}

const char *run_below_here(const char *file)
{
    char here[4096];
    size_t length = getcwd(here, sizeof here) ? strlen(here) : 0;
    if (length && !strncmp(file, here, length) && file[length] == '/')
        file += length + 1;
    return strncmp(file, "./", 2) ? file : file + 2;
}

char *run_location(const struct run *run, const struct op *op)
{
    struct where *where = run_where(run);
    if (run->program && op->place)               /* it says so itself, in words */
        return prose_make("%s", texts_string(run->system->texts, (uint32_t)op->place));
    if (!where || !op->place)
        return NULL;
    struct place at = where_call(where, op->place);
    return at.file && at.line ? prose_make("%s:%d", run_below_here(at.file), at.line) : NULL;
}

char *run_function(const struct run *run, const struct op *op)
{
    struct where *where = run_where(run);
    struct place at = where && op->place ? where_call(where, op->place) : (struct place){ 0 };
    char name[256];
    if (!at.function)
        return NULL;
    variable_function(at.function, name, sizeof name);
    return prose_make("%s", name);
}

char *run_object(const struct run *run, const struct trace *before, uint32_t object)
{
    const struct created *c = run->system->objects[object].created;
    const char *type = run->system->objects[object].type->name;
    if (c && types_get(c->type)->counted == MENTIONED)
        return prose_make("%s", type);
    char *name = naming_object(run, before, &(struct op){ .type = c ? c->type : TYPE_PROCESS, .object = object });
    bool says_type = !strncmp(name, type, strlen(type)) && name[strlen(type)] == ' ';
    char *both = says_type ? prose_make("%s", name) : prose_make("%s%s%s", type, *name ? " " : "", name);
    prose_one_line(both);
    free(name);
    return both;
}

struct visitor {
    void (*each)(void *, const char *file, const char *path);
    void  *arg;
};

static void one_source(void *self, const char *file, const char *path)
{
    const struct visitor *s = self;
    s->each(s->arg, run_below_here(file), path);
}

void run_sources(const struct run *run, void (*each)(void *, const char *file, const char *path), void *arg)
{
    struct visitor s = { each, arg };
    if (run_where(run))
        where_sources(run_where(run), one_source, &s);
}

int run_processes(const struct run *run)
{
    return run_shares(run) ? __builtin_popcountll(~system_unborn(run->system)) : run->start.processes;
}

/* An object may be several variables, between which somebody waits. */
static uint32_t variables_of(const struct run *run, uint64_t object)
{
    const struct visible *v = run->native ? native_visible(run->native) : NULL;
    uint32_t count = 0;
    for (uint32_t i = 0; v && i < v->count; i++)
        count += v->all[i].object == object;
    return count ? count : 1;
}

static uint32_t count_of(const struct run *run, unsigned type)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < run->system->object_count; i++) {
        const struct created *c = run->system->objects[i].created;
        const struct parts *parts = c ? types_get(c->type)->parts : NULL;
        if (c && c->type == type && types_get(type)->variable)
            count += variables_of(run, c->address);
        else
            count += parts ? (parts->type == type ? parts->count(c->arg) : 0) : c && c->type == type;
    }
    return count;
}

static const char *plural(unsigned type)
{
    const char *name = types_get(type)->name;
    char last = name[strlen(name) - 1];
    return last == 'x' ? "es" : last == 's' ? "" : "s";
}

char *run_objects(const struct run *run)
{
    struct prose w = { 0 };
    for (unsigned type = 0; type <= UINT8_MAX; type++) {
        uint32_t count = count_of(run, type);
        if (!count || types_get(type)->counted == NOT_COUNTED)
            continue;
        if (types_get(type)->counted == MENTIONED)
            prose_add(&w, "%s%s", w.length ? ", " : "", types_get(type)->name);
        else
            prose_add(&w, "%s%u %s%s", w.length ? ", " : "", count, types_get(type)->name, count == 1 ? "" : plural(type));
    }
    return prose_take(&w);
}

