/* SPDX-License-Identifier: MIT */
#include "report/story.h"

#include "base/memory.h"
#include "objects/types.h"
#include "report/naming.h"
#include "base/prose.h"
#include "report/shared.h"

#include <stdlib.h>
#include <string.h>

/* Control characters go, but each note stays a line. */
char *story_notes(const struct run *run, uint32_t notes)
{
    if (!notes)
        return NULL;
    struct prose all = { 0 };
    const char *at = texts_string(run->system->texts, notes);
    while (*at) {
        size_t length = strcspn(at, "\n");
        char *line = prose_make("%.*s", (int)length, at);
        prose_one_line(line);
        prose_add(&all, "%s%s", all.length ? "\n" : "", line);
        free(line);
        at += length + (at[length] == '\n');
    }
    return prose_take(&all);
}

void story_add(struct error *error, uint32_t step, int process, char *text, char *notes, char *location)
{
    error->lines = memory_resize(error->lines, (error->line_count + 1) * sizeof *error->lines);
    error->lines[error->line_count++] =
        (struct story_line){ .step = step, .process = process, .text = text, .notes = notes, .location = location };
}

/* Is this the first event of its process? Then what it printed before is told with it. */
static bool first_of_process(const struct trace *trace, uint32_t event)
{
    for (uint32_t i = 0; i < event; i++)
        if (trace->events[i].op.process == trace->events[event].op.process)
            return false;
    return true;
}

char *story_event_notes(const struct run *run, const struct trace *trace, uint32_t event)
{
    const struct event *e = &trace->events[event];
    char *after = story_notes(run, e->notes);
    uint32_t at_start = run->start.first[e->op.process].notes;
    char *before = at_start && first_of_process(trace, event) ? story_notes(run, at_start) : NULL;
    if (!before)
        return after;
    char *both = prose_make("%s%s%s", before, after ? "\n" : "", after ? after : "");
    free(before);
    free(after);
    return both;
}

/* ---- what nobody wants to read ---- */

/* Which processes used an object, or stand before that: a mask. */
static uint64_t users_of(const struct run *run, const struct trace *trace, uint32_t object)
{
    uint64_t users = 0;
    for (uint32_t i = 0; i < trace->count; i++)
        users |= trace->events[i].op.object == object ? UINT64_C(1) << trace->events[i].op.process : 0;
    for (int p = 0; p < run->system->processes; p++)
        users |= system_pending(run->system, p)->op.object == object ? UINT64_C(1) << p : 0;
    return users;
}

bool story_in_library(const struct run *run, const struct trace *trace, const struct op *op)
{
    return naming_is_of_library(run, op) && __builtin_popcountll(users_of(run, trace, op->object)) == 1;
}

char *story_library(uint32_t from, uint32_t to)
{
    return from == to ? prose_make("(in a library)") : prose_make("(in libraries, to step %u)", to);
}

/* One line for several such steps; their numbers stay, for the scenario has them. Gives the first event after them. */
static uint32_t tell_library(const struct run *run, const struct trace *trace, uint32_t from, struct error *error)
{
    int process = trace->events[from].op.process;
    uint32_t to = from;
    while (to < trace->count && trace->events[to].op.process == process && story_in_library(run, trace, &trace->events[to].op))
        to++;
    story_add(error, from + 1, process + 1, story_library(from + 1, to), NULL, NULL);
    return to;
}

void story_tell(const struct run *run, const struct trace *trace, struct error *error)
{
    for (int p = 0; p < run->system->processes; p++) {
        free(error->threads[p]);
        error->threads[p] = naming_thread(run, trace, p);
    }
    for (uint32_t i = 0; i < trace->count;) {
        const struct event *e = &trace->events[i];
        if (story_in_library(run, trace, &e->op)) {
            i = tell_library(run, trace, i, error);
            continue;
        }
        story_add(error, i + 1, e->op.process + 1, run_event(run, trace, i), story_event_notes(run, trace, i),
                  run_location(run, &e->op));
        i++;
    }
}

/* "VS_assert(ac) fails". What is wrong in words stands in the message; here it must fit into a lane. */
static char *ending(const struct run *run, const struct trace *trace, const struct op *op, enum error_kind kind)
{
    static const char *const mishaps[] = {
        [WRONG_CRASH] = "dies", [WRONG_DIVERGENCE] = "does not come back", [WRONG_STRUCTURE] = "breaks a rule",
        [WRONG_UNSUPPORTED] = "does what is not controlled", [WRONG_NONDETERMINISM] = "does something else",
    };
    if (types_mishap(op))
        return prose_make("%s", mishaps[types_get(op->type)->operations[op->code].wrong]);
    char *does = run_waits_in(run, trace, op);
    const char *verb = kind == ERROR_ASSERTION ? "fails" : kind == ERROR_STRUCTURE ? "is not allowed" : "waits";
    bool told = types_get(op->type)->operations[op->code].awaits == AWAITS_CHANGE;
    char *text = told ? prose_make("%s", does) : prose_make("%s %s", does, verb);
    free(does);
    return text;
}

static void end_of(const struct run *run, const struct trace *trace, int process, enum error_kind kind, struct error *error)
{
    const struct op *op = &system_pending(run->system, process)->op;
    story_add(error, 0, process + 1, ending(run, trace, op, kind), NULL, run_location(run, op));
}

void story_end(const struct run *run, const struct trace *trace, struct condition c, struct error *error)
{
    if (c.kind == ERROR_INVARIANT) {
        int mover = trace->count ? trace->events[trace->count - 1].op.process : 0;
        story_add(error, 0, (c.process < 0 ? mover : c.process) + 1, prose_make("the invariant is false"), NULL, NULL);
        return;
    }
    if (c.process >= 0) {
        end_of(run, trace, c.process, c.kind, error);
        return;
    }
    for (int p = 0; p < run->system->processes; p++)
        if (!(system_pending(run->system, p)->flags & NODE_END))
            end_of(run, trace, p, c.kind, error);
}

/* The first word of the line. */
bool story_kind(const struct path *path, enum error_kind *kind)
{
    size_t length = path->error ? strcspn(path->error, " ") : 0;
    for (int k = 0; length && k < ERROR_KIND_COUNT; k++)
        if (length == strlen(search_error_names[k]) && !memcmp(path->error, search_error_names[k], length)) {
            *kind = k;
            return true;
        }
    return false;
}

void story_path(const struct run *run, const struct trace *trace, const char *program, const struct error *error,
                struct path *path)
{
    path_init(path);
    path->shares = run_shares(run);
    path->program = prose_make("%s", program);
    prose_one_line(path->program);
    if (error)
        path->error = prose_make("%s at depth %u: %s%s%s", search_error_names[error->kind], error->depth,
                                 error->location ? error->location : "", error->location ? ": " : "", error->message);
    if (error && error->kind == ERROR_RACE) {
        path->race[0] = error->raced.by[0].step;
        path->race[1] = error->raced.by[1].step;
    } else if (error) {
        path->process = error->process;
    }
    path->shared = run->native ? shared_words(run->native) : NULL;
    for (uint32_t i = 0; i < trace->count; i++) {
        const struct event *e = &trace->events[i];
        struct path_step *step = path_add(path, e->op.process + 1);
        struct trace before = *trace;
        before.count = i;
        step->operation = run_operation(run, &before, &e->op);
        step->result = run_result(run, &e->op, e->result);
        step->location = run_location(run, &e->op);
        step->notes = story_event_notes(run, trace, i);
    }
}
