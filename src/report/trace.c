/* SPDX-License-Identifier: MIT */
#include "report/trace.h"

#include "base/memory.h"
#include "objects/types.h"
#include "report/held.h"
#include "system/hidden.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void trace_init(struct trace *trace)
{
    *trace = (struct trace){ 0 };
}

void trace_fini(struct trace *trace)
{
    free(trace->events);
    trace_init(trace);
}

/* ---- how objects came to be ---- */

bool trace_makes(const struct op *op)
{
    return types_traits(op) & OP_MAKES;
}

static const struct event *last_on(const struct trace *trace, uint32_t object)
{
    for (uint32_t i = trace->count; i-- > 0;)
        if (trace->events[i].op.object == object)
            return &trace->events[i];
    return NULL;
}

static uint32_t made_so_far(const struct trace *trace, const struct op *op)
{
    for (uint32_t i = trace->count; i-- > 0;) {
        const struct event *e = &trace->events[i];
        if (e->op.object != NO_OBJECT && e->made == i && e->op.process == op->process && e->op.type == op->type)
            return e->nth;
    }
    return 0;
}

struct made trace_made(const struct trace *trace, const struct op *op)
{
    const struct event *before = op->fresh || trace_makes(op) ? NULL : last_on(trace, op->object);
    if (!before)
        return (struct made){ trace->count, made_so_far(trace, op) + 1, *op };
    assert(before->made < trace->count);
    const struct event *first = &trace->events[before->made];
    assert(first->op.object == op->object);
    return (struct made){ before->made, first->nth, first->op };
}

static void add(struct trace *trace, struct event event)
{
    struct made made = event.op.object == NO_OBJECT ? (struct made){ 0 } : trace_made(trace, &event.op);
    event.made = made.event;
    event.nth = made.nth;
    assert(event.op.object == NO_OBJECT || made.event <= trace->count);
    ARRAY_GROW(trace->events, trace->count, trace->room);
    trace->events[trace->count++] = event;
}

void trace_append(struct trace *trace, const struct trace *more)
{
    for (uint32_t i = 0; i < more->count; i++)
        add(trace, more->events[i]);
}

static void add_step(struct trace *trace, const struct system *system, const struct step *step)
{
    const struct graph *graph = &system->graphs[step->process];
    const struct edge *edge = graph_edge(graph, step->node, step->result);
    assert(edge);
    const struct node *from = &graph->nodes[step->node], *to = &graph->nodes[step->next];
    struct event event = { .op = from->op, .choice = step->choice, .result = step->result, .next = to->op, .enabled = step->enabled,
                           .node = step->node };
    event.notes = edge->next == step->next ? edge->notes : 0;            /* in a group it may have led elsewhere since */
    memcpy(event.fingerprint, to->fingerprint, sizeof event.fingerprint);
    if (trace->held)
        held_keep(trace->held, system, &event);
    add(trace, event);
}

/* What was done outside within the step is told like all else: who follows it hides nothing. */
void trace_add(struct trace *trace, const struct system *system, const struct step *step)
{
    const struct leg *legs = NULL;
    uint32_t count = hidden_tail(system, step, &legs);
    add_step(trace, system, step);
    for (uint32_t i = 0; i < count; i++)
        add_step(trace, system, &(struct step){ .process = legs[i].process, .choice = legs[i].choice, .enabled = step->enabled,
                                                .node = legs[i].from, .result = legs[i].result, .next = legs[i].to });
}

void trace_take_held(struct trace *trace, const struct trace *from)
{
    for (uint32_t i = 0; i < trace->count && i < from->count; i++) {
        trace->events[i].before = from->events[i].before;
        trace->events[i].after = from->events[i].after;
    }
}

int trace_execute(struct trace *trace, struct system *system, int process, uint32_t choice, struct err *err)
{
    struct step step;
    enum took took = system_execute(system, process, choice, &step, err);
    if (took != STEP_TAKEN)
        return took == STEP_AGAIN ? -EAGAIN : err_code(err);
    trace_add(trace, system, &step);
    return 0;
}

uint32_t trace_blocked(const struct trace *trace, const struct system *system, int process)
{
    assert(process >= 0 && process < system->processes);
    uint64_t bit = UINT64_C(1) << process;
    uint32_t blocked = 0;
    if (system->enabled & bit)
        return 0;
    while (blocked < trace->count && !(trace->events[trace->count - 1 - blocked].enabled & bit))
        blocked++;
    return blocked;
}
