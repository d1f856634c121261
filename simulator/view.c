/* SPDX-License-Identifier: MIT */
#include "simulator/view.h"

#include "objects/types.h"
#include "report/explain.h"
#include "report/naming.h"
#include "report/outcome.h"
#include "base/prose.h"
#include "report/story.h"
#include "report/value.h"
#include "report/waiting.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CHOICES = 100 };         /* that are listed; there may be millions */

static json_t *take_text(char *text)
{
    json_t *made = value_text(text);
    free(text);
    return made;
}

static json_t *numbers_of(uint64_t processes)
{
    json_t *all = json_array();
    for (; processes; processes &= processes - 1)
        json_array_append_new(all, json_integer(__builtin_ctzll(processes) + 1));
    return all;
}

json_t *view_location(const char *location)
{
    const char *colon = location ? strrchr(location, ':') : NULL;
    if (!colon)
        return json_null();
    char *file = prose_make("%.*s", (int)(colon - location), location);
    return json_pack("{s:o, s:i}", "file", take_text(file), "line", atoi(colon + 1));
}

static json_t *location_of(const struct run *run, const struct op *op)
{
    char *location = run_location(run, op);
    json_t *made = view_location(location);
    free(location);
    return made;
}

/* ---- where ---- */

json_t *view_choices(struct simulator *s, int process)
{
    json_t *all = json_array();
    uint32_t count = simulator_choices(s, process);
    for (uint32_t i = 0; i < count && i < MOST_CHOICES; i++)
        json_array_append_new(all, json_pack("{s:i, s:o}", "choice", (int)i, "text", take_text(simulator_choice(s, process, i))));
    return all;
}

enum state { ENDED, READY, BLOCKED };
static const char *const state_names[] = { [ENDED] = "ended", [READY] = "ready", [BLOCKED] = "blocked" };

static enum state state_of(const struct system *system, int p)
{
    return system_pending(system, p)->flags & NODE_END ? ENDED : system->enabled >> p & 1 ? READY : BLOCKED;
}

static const char *color_of(const struct simulator *s, const struct inside *inside, int p)
{
    const struct system *system = simulator_run(s)->system;
    const struct trace *trace = simulator_trace(s);
    uint32_t position = simulator_position(s);
    if (inside->process == p)
        return "green";
    if (system_pending(system, p)->flags & NODE_END)
        return NULL;
    if (inside->process >= 0)
        return "yellow";
    if (position < trace->count && trace->events[position].op.process == p)
        return "blue";
    return system->enabled >> p & 1 ? "green" : "red";
}

static void add_why(const struct simulator *s, const struct inside *inside, int p, json_t *o)
{
    const struct run *run = simulator_run(s);
    struct trace past = simulator_past(s);
    struct prose w = { 0 };
    uint64_t whom = 0;
    if (system_aborted(run->system))
        prose_add(&w, "VS_abort ends the scenario here.");
    else
        whom = waiting_why(run, &past, p, inside->process, &w);
    json_object_set_new(o, "why", take_text(prose_take(&w)));
    json_object_set_new(o, "waits_for", numbers_of(whom));
}

static void add_pending(struct simulator *s, int p, json_t *o)
{
    const struct run *run = simulator_run(s);
    const struct op *op = &system_pending(run->system, p)->op;
    struct trace past = simulator_past(s);
    const struct event *end = NULL;
    bool ended = run->start.group && is_process(op, PROCESS_EXIT);
    json_object_set_new(o, "created", json_boolean(!is_process(op, PROCESS_NONE)));
    json_object_set_new(o, "operation", take_text(ended ? waiting_end(&past, p, true, &end) : run_waits_in(run, &past, op)));
    json_object_set_new(o, "location", location_of(run, end ? &end->op : op));
    json_object_set_new(o, "choices", view_choices(s, p));
    json_object_set_new(o, "choice_count", json_integer(simulator_choices(s, p)));
}

/* What the system has of it is where it will come to: nobody knows that yet. */
static void add_inside(const struct inside *inside, json_t *o)
{
    json_t *location = json_null();
    if (inside->file)
        location = json_pack("{s:o, s:i}", "file", value_text(inside->file), "line", inside->line);
    json_object_set_new(o, "created", json_true());
    json_object_set_new(o, "operation", json_null());
    json_object_set_new(o, "location", location);
    json_object_set_new(o, "choices", json_array());
    json_object_set_new(o, "choice_count", json_integer(0));
}

static json_t *process_of(struct simulator *s, const struct inside *inside, int p)
{
    bool in_code = inside->process == p;
    enum state state = in_code ? READY : state_of(simulator_run(s)->system, p);
    struct trace past = simulator_past(s);
    json_t *o = json_pack("{s:i, s:o, s:s, s:s?}", "process", p + 1, "name", take_text(naming_process(simulator_run(s), &past, p)),
                          "state", state_names[state], "color", color_of(s, inside, p));
    if (in_code)
        add_inside(inside, o);
    else
        add_pending(s, p, o);
    json_object_set_new(o, "why", json_null());
    json_object_set_new(o, "waits_for", json_array());
    if (state == BLOCKED)
        add_why(s, inside, p, o);
    return o;
}

static json_t *condition_of(const struct simulator *s)
{
    struct condition c;
    struct error error = { 0 };
    struct trace past = simulator_past(s);
    if (!simulator_condition(s, &c))
        return json_null();
    explain(simulator_run(s), &past, c, &error);
    json_t *o = json_pack("{s:s, s:s, s:o, s:o, s:o}", "kind", search_error_names[c.kind], "heading", explain_heading(c.kind),
                          "location", view_location(error.location), "message", value_text(error.message),
                          "explanation", value_text(error.explanation));
    json_object_set_new(o, "process", c.process < 0 ? json_null() : json_integer(c.process + 1));
    outcome_error_fini(&error);
    return o;
}

static json_t *inside_of(const struct inside *inside)
{
    if (inside->process < 0)
        return json_null();
    return json_pack("{s:i, s:o, s:i, s:o}", "process", inside->process + 1, "file", value_text(inside->file),
                     "line", inside->line, "function", value_text(inside->function));
}

/* The loaded scenario was left: after how many of its transitions, and how many are set aside. */
static json_t *departed_of(const struct simulator *s)
{
    uint32_t of, kept = simulator_kept(s, &of);
    return kept == of ? json_null() : json_pack("{s:I, s:I}", "after", (json_int_t)kept, "aside", (json_int_t)(of - kept));
}

json_t *view_where(struct simulator *s, const struct inside *inside, uint64_t seq)
{
    const struct system *system = simulator_run(s)->system;
    uint32_t changed_from, edition = simulator_edition(s, &changed_from);
    json_t *processes = json_array();
    for (int p = 0; p < system->processes; p++)
        json_array_append_new(processes, process_of(s, inside, p));
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:b, s:o}", "seq", (json_int_t)seq, "edition", (json_int_t)edition,
                     "changed_from", (json_int_t)changed_from, "position", (json_int_t)simulator_position(s),
                     "length", (json_int_t)simulator_length(s), "departed", departed_of(s), "inside", inside_of(inside),
                     "condition", inside->process < 0 ? condition_of(s) : json_null(),
                     "finished", (int)(inside->process < 0 && system_finished(system)), "processes", processes);
}

/* ---- events ---- */

static void add_object(const struct run *run, const struct trace *until, const struct op *op, json_t *o)
{
    bool on_one = op->object != NO_OBJECT;
    json_object_set_new(o, "object", on_one ? json_integer(op->object) : json_null());
    json_object_set_new(o, "object_name", on_one ? take_text(run_object(run, until, op->object)) : json_null());
}

/* The events with which it races, each once: a read and a write at one place are two accesses. */
static json_t *races_of(const struct simulator *s, uint32_t event)
{
    json_t *all = json_array();
    for (uint32_t race = 0, with, last = UINT32_MAX; (with = simulator_raced(s, event, &race)) != UINT32_MAX; last = with)
        if (with != last)
            json_array_append_new(all, json_integer(with));
    return all;
}

static void add_passage(const struct simulator *s, uint32_t event, json_t *o)
{
    static const char *const roles[] =
        { [ROLE_NONE] = NULL, [ROLE_SEND] = "send", [ROLE_RECEIVE] = "receive", [ROLE_TAKE] = "take", [ROLE_GIVE] = "give" };
    struct passage passage = simulator_passage(s, event);
    const uint32_t *from;
    json_t *senders = json_array();
    for (uint32_t i = 0, count = simulator_took(s, event, &from); i < count; i++)
        json_array_append_new(senders, json_integer(from[count - 1 - i]));
    json_object_set_new(o, "role", value_text(roles[passage.role]));
    json_object_set_new(o, "part", json_integer(passage.part));
    json_object_set_new(o, "from", senders);
    json_object_set_new(o, "races", races_of(s, event));
}

static json_t *event_of(const struct simulator *s, uint32_t i)
{
    const struct run *run = simulator_run(s);
    const struct trace *trace = simulator_trace(s);
    const struct event *e = &trace->events[i];
    struct trace before = *trace, until = *trace;
    before.count = i;
    until.count = i + 1;
    enum error_kind kind;
    char *notes = story_event_notes(run, trace, i);
    json_t *o = json_pack("{s:i, s:o, s:o, s:o, s:I}", "process", e->op.process + 1,
                          "text", take_text(run_event(run, trace, i)),
                          "operation", take_text(run_operation(run, &before, &e->op)),
                          "result", take_text(run_result(run, &e->op, e->result)), "choice", (json_int_t)e->choice);
    json_object_set_new(o, "label", value_text(types_get(e->op.type)->operations[e->op.code].name));
    add_object(run, &until, &e->op, o);
    add_passage(s, i, o);
    json_object_set_new(o, "location", location_of(run, &e->op));
    json_object_set_new(o, "condition", value_text(simulator_violated(s, i, &kind) ? search_error_names[kind] : NULL));
    json_object_set_new(o, "notes", value_lines(notes));
    free(notes);
    return o;
}

json_t *view_events(const struct simulator *s, uint32_t from, uint32_t to)
{
    json_t *all = json_array();
    for (uint32_t i = from; i < to; i++)
        json_array_append_new(all, event_of(s, i));
    return all;
}

/* ---- objects ---- */

json_t *view_objects(struct simulator *s)
{
    const struct run *run = simulator_run(s);
    struct object_words words = simulator_objects(s);
    struct trace past = simulator_past(s);
    json_t *all = json_array();
    for (uint32_t i = 0; i < words.count; i++) {
        if (!run->system->objects[i].type->print)        /* only kept in order, and has no state */
            continue;
        bool changed = strcmp(words.now[i], words.before[i]);
        json_t *o = json_pack("{s:I, s:s, s:o, s:o, s:b, s:o, s:o}", "object", (json_int_t)i,
                              "type", run->system->objects[i].type->name, "name", take_text(run_object(run, &past, i)),
                              "state", value_text(words.now[i]), "changed", (int)changed,
                              "before", value_text(changed ? words.before[i] : NULL), "users", numbers_of(run->system->users[i]));
        json_array_append_new(all, o);
    }
    simulator_free_objects(&words);
    return all;
}

/* ---- the state space ---- */

static json_t *labels_of(const struct space *space)
{
    json_t *all = json_array();
    for (uint32_t i = 0; i < space->label_count; i++)
        json_array_append_new(all, value_text(space->labels[i]));
    return all;
}

static json_t *notes_of(const struct space *space)
{
    json_t *all = json_array();
    for (uint32_t i = 0; i < space->note_count; i++) {
        const struct space_note *note = &space->notes[i];
        json_t *process = note->process ? json_integer(note->process) : json_null();
        json_array_append_new(all, json_pack("{s:I, s:o, s:o}", "state", (json_int_t)note->state, "what", value_text(note->what),
                                             "process", process));
    }
    return all;
}

static void add_transitions(const struct space *space, json_t *o)
{
    json_t *from = json_array(), *to = json_array(), *process = json_array(), *label = json_array();
    for (uint32_t i = 0; i < space->count; i++) {
        const struct space_transition *t = &space->transitions[i];
        json_array_append_new(from, json_integer(t->from));
        json_array_append_new(to, json_integer(t->to));
        json_array_append_new(process, json_integer(t->process));
        json_array_append_new(label, json_integer(t->label));
    }
    json_object_set_new(o, "from", from);
    json_object_set_new(o, "to", to);
    json_object_set_new(o, "process", process);
    json_object_set_new(o, "label", label);
}

json_t *view_space(const struct space *space)
{
    json_t *o = json_pack("{s:I, s:o, s:o, s:o, s:b}", "states", (json_int_t)space->states, "program", value_text(space->program),
                          "search", value_text(space->search), "reduction", value_text(space->reduction),
                          "complete", (int)space->complete);
    json_object_set_new(o, "labels", labels_of(space));
    add_transitions(space, o);
    json_object_set_new(o, "notes", notes_of(space));
    return o;
}
