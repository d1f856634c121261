/* SPDX-License-Identifier: MIT */
#include "report/confirm.h"

#include "objects/types.h"
#include "base/prose.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

void confirm_fini(struct confirmation *c)
{
    free(c->words);
    free(c->first);
    free(c->second);
    free(c->location);
    trace_fini(&c->trace);
    run_stop(&c->run);
    *c = (struct confirmation){ 0 };
}

/* The two runs, and which object of the one is which of the other. */
struct match {
    const struct job *job;
    const struct run *first;
    struct run       *second;
    struct pairing    objects;
    struct err       *err;
};

/* Objects of a group have numbers by the order in which they were met. */
static bool same_object(struct match *m, const struct op *a, const struct op *b)
{
    if (!run_shares(m->first) || a->object == NO_OBJECT || b->object == NO_OBJECT)
        return a->object == b->object;
    return pairing_agree(&m->objects, a->object, b->object);
}

static bool same_op(struct match *m, const struct op *a, const struct op *b)
{
    if (a->type != b->type || a->code != b->code || !same_object(m, a, b) || memcmp(a->arg, b->arg, sizeof a->arg))
        return false;
    return types_mishap(a) || a->text == b->text;
}

static char *op_at(const struct run *run, const struct op *op)
{
    char *does = run_operation(run, NULL, op), *where = run_location(run, op);
    bool asserts = types_get(op->type)->operations[op->code].wrong == WRONG_ASSERTION;
    const char *value = !asserts ? "" : types_traits(op) & OP_ALARM ? ", false," : ", true,";
    char status[sizeof " with exit status 255"] = "";
    if (is_process(op, PROCESS_LEAVE) && !(op->arg[0] & 0x7f))           /* two ends may differ in nothing else */
        snprintf(status, sizeof status, " with exit status %u", (unsigned)op->arg[0] >> 8 & 0xff);
    char *both = prose_make("%s%s%s%s%s%s", does, value, status, where ? " (" : "", where ? where : "", where ? ")" : "");
    free(does);
    free(where);
    return both;
}

/* What differs, as a number: in what respect, and of which operations. */
enum respect { OTHER_OPERATION, OTHER_MEMORY, OTHER_START, OTHER_OBJECT, OTHER_RESULT, OTHER_END };

static uint64_t identity(const struct op *op)
{
    uint64_t words[4 + sizeof op->arg / sizeof *op->arg] = { (uint64_t)op->type << 8 | op->code, op->object, op->place, op->text };
    for (size_t i = 0; i < sizeof op->arg / sizeof *op->arg; i++)
        words[4 + i] = (uint64_t)op->arg[i];
    return XXH3_64bits(words, sizeof words);
}

static uint64_t difference(enum respect respect, int process, uint64_t first, uint64_t second)
{
    uint64_t words[4] = { respect, (uint64_t)(process + 1), first, second };
    assert(process >= -1);
    return XXH3_64bits(words, sizeof words);
}

/* The operation before which the process stood the first time, and the one the second time. */
static struct confirmation other_op(const struct match *m, const struct op *a, const struct op *b, uint32_t step)
{
    char *was = op_at(m->first, a), *is = op_at(m->second, b);
    struct confirmation c = {
        .verdict = CONFIRM_DIFFERENT, .step = step, .process = a->process,
        .difference = difference(OTHER_OPERATION, a->process, identity(a), identity(b)),
        .words = prose_make("came to %s, but to %s when the same steps were run again", was, is),
        .first = run_operation(m->first, NULL, a), .second = run_operation(m->second, NULL, b), .location = run_location(m->first, a),
    };
    free(was);
    free(is);
    return c;
}

static struct confirmation other_memory(const struct run *first, const struct op *op, uint32_t step)
{
    char *does = op_at(first, op);
    struct confirmation c = {
        .verdict = CONFIRM_DIFFERENT, .step = step, .process = op->process,
        .difference = difference(OTHER_MEMORY, op->process, identity(op), 0),
        .words = prose_make("came to %s twice by the same steps, but its memory was not the same", does),
        .location = run_location(first, op),
    };
    free(does);
    return c;
}

struct confirmation confirm_difference(struct run *run, const struct trace *trace, const struct step *last)
{
    const struct graph *g = &run->system->graphs[last->process];
    assert(trace->count && trace->events[trace->count - 1].op.process == last->process);
    const struct op *first = &trace->events[trace->count - 1].next;
    const struct op *second = &g->nodes[graph_edge(g, last->node, last->result)->next].op;
    struct match both = { .first = run, .second = run };
    struct confirmation c = other_op(&both, first, second, trace->count);
    if (!strcmp(c.first, c.second)) {            /* words that would say nothing; what differs is in `difference` */
        free(c.words);
        c.words = prose_make("came to two different calls of %s by the same steps", c.first);
    }
    return c;
}

static bool memory_differs(const struct match *m, const struct op *at, const uint64_t a[2], const uint64_t b[2])
{
    if (!m->first->native || !m->second->native)         /* what their memory is, nobody knows */
        return false;
    return !types_mishap(at) && native_alike(m->first->native, m->second->native) && (a[0] != b[0] || a[1] != b[1]);
}

static const struct op *first_op(const struct run *run, int process)
{
    return &run->start.first[process].op;
}

static struct confirmation other_object(const struct run *first, uint32_t object)
{
    char *name = run_object(first, NULL, object);
    struct confirmation c = {
        .verdict = CONFIRM_DIFFERENT, .process = -1, .difference = difference(OTHER_OBJECT, -1, object, 0),
        .words = prose_make("made %s otherwise when it was started again", name) };
    free(name);
    return c;
}

static struct confirmation start_differs(struct match *m)
{
    const struct start *a = &m->first->start, *b = &m->second->start;
    if (a->processes != b->processes || a->object_count != b->object_count)
        return (struct confirmation){
            .verdict = CONFIRM_DIFFERENT, .process = -1,
            .difference = difference(OTHER_START, -1, (uint64_t)b->processes, b->object_count),
            .words = prose_make("started with %d processes and %u objects, and with %d and %u when it was started again",
                                a->processes, a->object_count, b->processes, b->object_count) };
    for (uint32_t i = 0; i < a->object_count; i++)
        if (a->objects[i].type != b->objects[i].type || memcmp(a->objects[i].arg, b->objects[i].arg, sizeof a->objects[i].arg))
            return other_object(m->first, i);
    for (int p = 0; p < a->processes; p++)
        if (!same_op(m, first_op(m->first, p), first_op(m->second, p)))
            return other_op(m, first_op(m->first, p), first_op(m->second, p), 0);
    for (int p = 0; p < a->processes; p++)
        if (memory_differs(m, first_op(m->first, p), a->first[p].fingerprint, b->first[p].fingerprint))
            return other_memory(m->first, first_op(m->first, p), 0);
    return (struct confirmation){ .verdict = CONFIRM_SAME };
}

static struct confirmation result_differs(const struct match *m, const struct event *a, const struct event *b, uint32_t step)
{
    char *was = run_transition(m->first, NULL, &a->op, a->result), *is = run_transition(m->second, NULL, &b->op, b->result);
    struct confirmation c = {
        .verdict = CONFIRM_DIFFERENT, .step = step, .process = a->op.process,
        .difference = difference(OTHER_RESULT, a->op.process, identity(&a->op) + (uint64_t)a->result, identity(&b->op) + (uint64_t)b->result),
        .words = prose_make("did %s, but %s when the same steps were run again", was, is),
        .first = was, .second = is, .location = run_location(m->first, &a->op),
    };
    return c;
}

/* The event once more; `again` collects what happens now. */
static struct confirmation one_event(struct match *m, const struct event *event, struct trace *again)
{
    uint32_t step = again->count + 1;
    int p = event->op.process;
    struct system *system = m->second->system;
    const struct op *pending = &system_pending(system, p)->op;
    system_next_child(system, event->result);
    bool can_go = system->enabled >> p & 1;
    if (!same_op(m, &event->op, pending) || !can_go || system_choices(system, p) <= event->choice)
        return other_op(m, &event->op, pending, step - 1);
    if (trace_execute(again, system, p, event->choice, m->err) < 0)
        return (struct confirmation){ .verdict = CONFIRM_FAILED };
    const struct event *now = &again->events[again->count - 1];
    assert(again->count == step && now->op.process == p);
    if (now->result != event->result)
        return result_differs(m, event, now, step);
    if (op_from_outside(&now->next) && !op_from_outside(&event->next)) {
        fail(m->err, "a process of the replay was killed from outside");
        return (struct confirmation){ .verdict = CONFIRM_FAILED };
    }
    if (!same_op(m, &event->next, &now->next))
        return other_op(m, &event->next, &now->next, step);
    if (memory_differs(m, &event->next, event->fingerprint, now->fingerprint))
        return other_memory(m->first, &event->next, step);
    return (struct confirmation){ .verdict = CONFIRM_SAME };
}

static struct confirmation end_differs(const struct match *m, const struct trace *again, const struct condition *wrong)
{
    if (!wrong || condition_holds(*wrong, m->second->system, again, m->job->search.livelock_limit))
        return (struct confirmation){ .verdict = CONFIRM_SAME };
    return (struct confirmation){
        .verdict = CONFIRM_DIFFERENT, .step = again->count, .process = wrong->process,
        .difference = difference(OTHER_END, wrong->process, wrong->kind, 0),
        .words = prose_make("was in a %s the first time, but not when the same steps were run again",
                            search_error_names[wrong->kind]) };
}

static struct confirmation compare(struct match *m, const struct trace *trace, struct trace *again, const struct condition *wrong)
{
    struct confirmation c = start_differs(m);
    for (uint32_t i = 0; i < trace->count && c.verdict == CONFIRM_SAME; i++)
        c = one_event(m, &trace->events[i], again);
    pairing_fini(&m->objects);
    return c.verdict == CONFIRM_SAME ? end_differs(m, again, wrong) : c;
}

struct confirmation confirm(const struct job *job, const struct run *first, const struct trace *trace,
                            const struct condition *wrong, struct err *err)
{
    struct run second;
    struct trace again;
    if (run_start(&second, job, RUN_FOLLOW, -1, first->system->texts, err) < 0)
        return (struct confirmation){ .verdict = CONFIRM_FAILED };
    trace_init(&again);
    again.held = second.held;
    struct match m = { .job = job, .first = first, .second = &second, .err = err };
    struct confirmation c = compare(&m, trace, &again, wrong);
    c.run = second;
    c.trace = again;
    return c;
}
