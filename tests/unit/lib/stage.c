/* SPDX-License-Identifier: MIT */
#include "stage.h"

#include "random.h"
#include "wire.h"

#include <assert.h>
#include <string.h>

/* ---- operations ---- */

static struct op make_op(int type, int code)
{
    return (struct op){ .type = (uint8_t)type, .code = (uint8_t)code, .object = NO_OBJECT };
}

static struct op on_semaphore(int code, const struct instruction *i)
{
    struct op op = make_op(TYPE_SEMAPHORE, code);
    op.object = i->object;
    op.arg[0] = i->n;
    return op;
}

static struct op on_queue(const struct stage *s, int code, const struct instruction *i, uint32_t text)
{
    struct op op = make_op(TYPE_QUEUE, code);
    op.object = (uint32_t)(s->program->semaphores + i->object);
    op.text = text;
    return op;
}

static struct op with_arguments(struct op op, int first, int bits)
{
    op.arg[0] = first;
    op.arg[2] = bits;
    return op;
}

static struct op operation(const struct stage *s, const struct instruction *i, const struct local_state *at)
{
    switch (i->kind) {
    case DO_WAIT:             return on_semaphore(SEMAPHORE_WAIT, i);
    case DO_SIGNAL:           return on_semaphore(SEMAPHORE_SIGNAL, i);
    case DO_REMOVE_SEMAPHORE: return on_semaphore(SEMAPHORE_REMOVE, i);
    case DO_SEND:             return on_queue(s, QUEUE_SEND, i, s->message[i->value]);
    case DO_SEND_LOCAL:       return on_queue(s, QUEUE_SEND, i, s->message[at->local[i->n]]);
    case DO_RECEIVE:          return on_queue(s, QUEUE_RECEIVE, i, 0);
    case DO_IS_FULL:          return on_queue(s, QUEUE_IS_FULL, i, 0);
    case DO_IS_EMPTY:         return on_queue(s, QUEUE_IS_EMPTY, i, 0);
    case DO_REMOVE_QUEUE:     return on_queue(s, QUEUE_REMOVE, i, 0);
    case DO_TOSS:             return with_arguments(make_op(TYPE_TOSS, TOSS_TOSS), i->n, 0);
    case DO_ASSERT:           return with_arguments(make_op(TYPE_ASSERT, ASSERT_ASSERT), madeup_holds(i, at), 0);
    case DO_ABORT:            return with_arguments(make_op(TYPE_ABORT, ABORT_ABORT), madeup_holds(i, at), 0);
    case DO_REAP:             return with_arguments(make_op(TYPE_PROCESS, PROCESS_WAIT),
                                                    i->value == ANY_CHILD ? -1 : i->value, i->n ? 0 : ARG_NOWAIT);
    default:                  return with_arguments(make_op(TYPE_PROCESS, PROCESS_EXIT), i->value, 0);
    }
}

static void arrive(const struct stage *s, int process, const struct local_state *at, struct arrival *a)
{
    uint32_t code = 0;
    memcpy(&code, at, sizeof *at);
    struct random mix = { code };
    *a = (struct arrival){ .op = operation(s, madeup_at(s->program, process, at), at), .mergeable = s->merge == MERGE };
    a->op.process = (uint8_t)process;
    a->op.place = at->pc;
    a->fingerprint[0] = random_next(&mix);
    a->fingerprint[1] = code;
}

/* ---- running ---- */

_Static_assert(sizeof(struct local_state) == sizeof(uint32_t), "a local state is a fingerprint");

struct local_state stage_local(const struct stage *s, int process, uint32_t node)
{
    uint32_t code = (uint32_t)s->system->graphs[process].nodes[node].fingerprint[1];
    struct local_state at;
    memcpy(&at, &code, sizeof at);
    return at;
}

static uint8_t waited(uint32_t result)
{
    if (result == WAIT_NO_CHILD || result == WAIT_NOT_YET)
        return result == WAIT_NO_CHILD ? OUTCOME_NO_CHILD : OUTCOME_NOT_YET;
    assert((result & 0xff) == 0);    /* the low byte of a wait status is 0 after an exit */
    return madeup_reaped((int)(result >> 16), (int)(result >> 8 & 0xff));
}

static uint8_t received(const struct stage *s, uint32_t text)
{
    for (int value = 0; value < MADEUP_VALUES; value++)
        if (s->message[value] == text)
            return (uint8_t)value;
    assert(!"received what was never sent");
    return 0;
}

uint8_t stage_outcome(const struct stage *s, int process, uint32_t node, uint32_t result)
{
    struct local_state at = stage_local(s, process, node);
    const struct instruction *i = madeup_at(s->program, process, &at);
    if (i->kind == DO_REAP)
        return waited(result);
    if (result == RESULT_REMOVED)
        return OUTCOME_REMOVED;
    if (i->kind == DO_RECEIVE)
        return received(s, result);
    if (i->kind == DO_TOSS || i->kind == DO_IS_FULL || i->kind == DO_IS_EMPTY)
        return (uint8_t)result;
    return OUTCOME_NONE;
}

static int run(void *self, const struct leg *leg, uint32_t count, uint32_t *right, struct arrival *a, struct err *err)
{
    (void)err;
    struct stage *s = self;
    int process = (int)leg->process;
    uint32_t node = leg->from, result = leg->result;
    assert(count == 1);
    *right = 0;
    assert(!graph_edge(&s->system->graphs[process], node, result));       /* nothing is run twice */
    struct local_state at = stage_local(s, process, node);
    madeup_go_on(s->program, process, &at, stage_outcome(s, process, node, result));
    arrive(s, process, &at, a);
    s->runs++;
    return 0;
}

bool stage_follow(const struct stage *s, struct world *w, const struct step *path, uint32_t depth)
{
    for (uint32_t i = 0; i < depth; i++) {
        int process = (int)path[i].process;
        if (process >= s->program->processes)
            return false;
        struct local_state at = stage_local(s, process, path[i].node);
        if (memcmp(&at, &w->at[process], sizeof at))
            return false;
        if (!world_step(s->program, w, process, stage_outcome(s, process, path[i].node, path[i].result)))
            return false;
    }
    return true;
}

bool stage_agrees(const struct stage *s, const struct world *w)
{
    for (int process = 0; process < s->program->processes; process++) {
        struct local_state at = stage_local(s, process, s->system->node[process]);
        if (memcmp(&at, &w->at[process], sizeof at))
            return false;
    }
    return true;
}

/* ---- structural properties ---- */

static bool does(const struct stage *s, int process, int code, const struct created *c, uint32_t object)
{
    const struct local_state at = { 0 };
    for (int pc = 0; pc < s->program->length[process]; pc++) {
        const struct instruction *i = &s->program->code[process][pc];
        if (i->kind < DO_WAIT)
            continue;
        struct op op = operation(s, i, &at);
        if (op.type == c->type && op.code == code && op.object == object)
            return true;
    }
    return false;
}

static void declare(struct stage *s, int code, uint32_t object)
{
    const struct created *c = &s->objects[object];
    structure_declare(&s->structure, c->type, (uint8_t)code, c->number, c->index, 0, 1);
    for (int process = 0; process < s->program->processes; process++)
        if (does(s, process, code, c, object))
            structure_declare(&s->structure, c->type, (uint8_t)code, c->number, c->index, process + 1, 1);
}

static void declare_rules(struct stage *s, enum stage_rules rules)
{
    struct random random = { s->program->seed };
    for (uint32_t object = 0; object < s->start.object_count && rules != RULES_NONE; object++) {
        int last = s->objects[object].type == TYPE_SEMAPHORE ? SEMAPHORE_REMOVE : QUEUE_REMOVE;
        for (int code = 0; code <= last; code++)
            if (rules == RULES_ALL || random_percent(&random, 70))
                declare(s, code, object);
    }
}

/* ---- opening ---- */

static void create_objects(struct stage *s)
{
    const struct program *p = s->program;
    uint32_t n = 0;
    for (int i = 0; i < p->semaphores; i++)
        s->objects[n++] = (struct created){ .type = TYPE_SEMAPHORE, .number = p->array ? 0 : (uint32_t)i,
                                            .index = p->array ? i : 0, .arg = { p->initial[i] } };
    for (int i = 0; i < p->queues; i++)
        s->objects[n++] = (struct created){ .type = TYPE_QUEUE, .number = (uint32_t)i, .index = -1, .arg = { p->size[i] } };
    s->start.objects = s->objects;
    s->start.object_count = n;
}

static void start_processes(struct stage *s)
{
    s->start.processes = s->program->processes;
    for (int process = 0; process < s->program->processes; process++) {
        struct local_state at;
        madeup_begin(s->program, process, &at);
        arrive(s, process, &at, &s->start.first[process]);
    }
}

void stage_open(struct stage *s, const struct program *p, enum stage_rules rules, enum stage_merge merge)
{
    memset(s, 0, sizeof *s);
    s->program = p;
    s->merge = merge;
    s->texts = texts_new();
    for (int value = 0; value < MADEUP_VALUES; value++)
        s->message[value] = texts_number(s->texts, (char[3]){ 'm', (char)('0' + value) });
    create_objects(s);
    start_processes(s);
    structure_init(&s->structure);
    declare_rules(s, rules);
    s->runner = (struct runner){ .self = s, .run = run };
    s->history = history_new();
    struct system_parts parts = { .start = &s->start, .history = s->history, .runner = &s->runner, .texts = s->texts,
                                  .structure = rules == RULES_NONE ? NULL : &s->structure };
    s->system = system_new(&parts, NULL);
    assert(s->system);
}

void stage_close(struct stage *s)
{
    system_free(s->system);
    history_free(s->history);
    structure_fini(&s->structure);
    texts_free(s->texts);
}
