/* The processes of a sharing group, that come and go, and what operations do to them.
 * SPDX-License-Identifier: MIT */
#include "system/glimpse.h"
#include "system/group.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

struct group *group_new(const struct start *start)
{
    struct group *g = memory_get(sizeof *g);
    g->created = start->objects;
    g->parent[0] = g->next_child = -1;
    g->families[0] = UINT64_MAX;                 /* until they are known not to be */
    return g;
}

void group_free(struct group *g)
{
    if (!g)
        return;
    free(g->births);
    free(g->path);
    free(g->memory);
    free(g->noted);
    free(g->sets);
    glimpses_free(g->glimpses);
    tails_free(g->tails);
    free(g->awaited);
    free(g);
}

/* ---- processes ---- */

void group_add_first_nodes(struct system *s, int p)
{
    static const uint8_t codes[] = { [NODE_NONE] = PROCESS_NONE, [NODE_START] = PROCESS_START, [NODE_KILLED] = PROCESS_EXIT };
    for (uint32_t i = 0; i < sizeof codes; i++) {
        struct arrival a = { .op = { .type = TYPE_PROCESS, .code = codes[i], .process = (uint8_t)p, .object = NO_OBJECT },
                             .fingerprint = { (uint64_t)p + 1, i } };
        system_add_node(s, p, &a, NO_NODE, 0);
    }
    step_place(s, p, NODE_NONE);
}

static void move_to(struct system *s, int p, uint32_t node)
{
    system_log_room(s, 1);
    object_set(&s->log, &s->node[p], node);
    step_place(s, p, node);
}

void group_begin(struct system *s)
{
    assert(s->processes == 1 && !s->group->count);
    s->ends = s->group->ends;
    group_add_first_nodes(s, 0);
    step_place(s, 0, NODE_START);
    s->alive = s->enabled = BIT(0);
    hidden_expect(s);
}

/* Where a process begins that has a number which others had before: a node of its own for each, so that none comes twice on a path. And one
 * that is outside (hidden.h) begins there. */
static uint32_t start_of(struct system *s, int p, bool outside)
{
    enum { NODE_START_OUTSIDE = NODE_KILLED + 1 };       /* in a fingerprint only */
    uint32_t before = s->group->states ? 0 : process_generation(group_table(s), p);
    struct arrival a = { .op = { .type = TYPE_PROCESS, .code = PROCESS_START, .process = (uint8_t)p, .object = NO_OBJECT,
                                 .outside = outside ? OUTSIDE_PROCESS : NOT_OUTSIDE },
                         .fingerprint = { (uint64_t)before << 32 | ((uint64_t)p + 1), outside ? NODE_START_OUTSIDE : NODE_START },
                         .mergeable = true };
    return before || outside ? system_add_node(s, p, &a, NO_NODE, 0) : NODE_START;
}

static void bear(struct system *s, int child, bool outside)
{
    assert(child < s->processes && !(s->alive & BIT(child)));
    system_log_room(s, 1);
    object_set(&s->log, &s->group->outsider[child], outside);
    s->group->outsiders |= outside ? BIT(child) : 0;
    move_to(s, child, start_of(s, child, outside));
    s->alive |= BIT(child);
    s->enabled |= BIT(child);
}

static void tell_ended(struct system *s, int process)
{
    for (struct object *o = s->objects; o < s->objects + s->object_count; o++)
        if (o->type->ended) {
            system_log_room(s, OBJECT_CHANGES_OF_MANY);
            o->type->ended(&s->log, s->words + o->state, process);
        }
}

static void kill_family(struct system *s, int host, int but)
{
    uint64_t family = 0;
    for (uint64_t m = s->alive & ~(but < 0 ? 0 : BIT(but)); m; m &= m - 1)
        family |= process_host(group_table(s), __builtin_ctzll(m)) == host ? m & -m : 0;
    for (uint64_t m = family; m; m &= m - 1)
        tell_ended(s, __builtin_ctzll(m));
    s->alive &= ~family;
    s->enabled &= ~family;
    s->leaving &= ~family;
    for (; family; family &= family - 1)
        move_to(s, __builtin_ctzll(family), NODE_KILLED);
}

static void note_leaving(struct system *s, int p, const struct op *op)
{
    s->leaving = is_process(op, PROCESS_ALONE) ? s->leaving | BIT(p) : s->leaving & ~BIT(p);
}

/* ---- what an operation does ---- */

/* Does it change where others stand? */
static bool moves_others(const struct op *op)
{
    return is_process(op, PROCESS_CREATE) || is_process(op, PROCESS_ALONE) || is_process(op, PROCESS_KILL);
}

static inline bool was_cancelled(const struct system *s, const struct op *op)
{
    return op_is_cancellable(op) && process_cancelled(group_table(s), op->process);
}

bool group_is_interrupted(const struct system *s, const struct op *op) { return signal_is_due(s, op) || was_cancelled(s, op); }

uint32_t group_choices(const struct system *s, const struct node *n)
{
    if (signal_is_due(s, &n->op))
        return signal_choices(s, n);
    uint32_t choices = signal_operates(&n->op) ? signal_operation_choices(s, &n->op) : timer_operates(&n->op) ? timer_choices(s, &n->op)
                                               : n->type->choices(s->words + n->state, &n->op);
    return choices ? choices : was_cancelled(s, &n->op);
}

static void tell_killed(struct system *s, int host)
{
    for (struct object *o = s->objects; o < s->objects + s->object_count; o++)
        if (o->type->killed) {
            system_log_room(s, OBJECT_CHANGES_OF_MANY);
            o->type->killed(&s->log, s->words + o->state, host);
        }
}

static void tell_forked(struct system *s, int parent, int child)
{
    for (struct object *o = s->objects; o < s->objects + s->object_count; o++)
        if (o->type->forked) {
            system_log_room(s, OBJECT_CHANGES_OF_MANY);
            o->type->forked(&s->log, s->words + o->state, parent, child);
        }
}

static uint32_t perform(struct system *s, const struct node *n, uint32_t choice)
{
    const struct op *op = &n->op;
    if (signal_is_due(s, op))
        return signal_deliver(s, n, choice);
    if (was_cancelled(s, op))
        return RESULT_CANCELLED;
    if (signal_operates(op))
        return signal_operate(s, n, choice);
    if (timer_operates(op))
        return timer_operate(s, n, choice);
    if (is_process(op, PROCESS_CREATE))
        choice = numbers_child_of(s, op);
    uint32_t result = n->type->execute(&s->log, s->words + n->state, op, choice);
    if (!about_processes(op))
        return result;
    if (is_process(op, PROCESS_CREATE) && result != UINT32_MAX) {
        bear(s, (int)result, op->outside);
        hidden_born(s, op, (int)result);
        signal_born(s, op->process, (int)result);
        if (op->arg[0])
            tell_forked(s, s->group->host[op->process], (int)result);
    }
    int host = s->group->host[op->process];
    if (is_process(op, PROCESS_FINISH) || is_process(op, PROCESS_LEAVE))
        tell_ended(s, op->process);
    if (is_process(op, PROCESS_FINISH) && process_has_ended(group_table(s), host)) {
        tell_killed(s, host);
        signal_child_ended(s, host);
    }
    if (is_process(op, PROCESS_ALONE))
        kill_family(s, host, op->process);
    assert(s->alive & BIT(op->process));         /* who does it ends by arriving at its end, not before */
    if (is_process(op, PROCESS_LEAVE))
        result = signal_child_ended(s, host);
    return result;
}

void group_kill(struct system *s, int host)
{
    kill_family(s, host, -1);
    tell_killed(s, host);
}

/* A process stands before the first operation on an object since its memory was set up. */
static void renew(struct system *s, const struct op *op)
{
    assert(op->object < s->object_count);
    const struct object *o = &s->objects[op->object];
    uint32_t *words = s->words + o->state;
    o->type->init(op->arg, s->scratch);
    system_log_room(s, o->words);
    for (uint32_t i = 0; i < o->words; i++)
        if (words[i] != s->scratch[i])
            object_set(&s->log, &words[i], s->scratch[i]);
}

/* ---- executing, and taking back ---- */

void group_perform(struct system *s, const struct node *n, struct step *step)
{
    STEP_ASSERT(s->enabled & BIT(step->process) || n->flags & NODE_OUTSIDE);
    step->tail = 0;
    group_carry(s, 0);
    s->stamp = dependence_stamp(s, (int)step->process);
    bool out = s->timed && time_runs_out(s, n);
    step->log = (uint32_t)(s->log.top - s->log_start) + 1;
    step->result = perform(s, n, step->choice);
    if (s->timed)
        time_passes(s, n, step->result, out);
    assert(s->log.top <= s->log_end);            /* whoever changes more than OBJECT_CHANGES_OF_GROUP words asks for room first */
    group_push(s, step);
}

void group_arrive(struct system *s, uint32_t to)
{
    STEP_ASSERT(s->group->count);
    struct leg *last = &s->group->path[s->group->count - 1];
    STEP_ASSERT(to < s->graphs[last->process].count);
    const struct op *op = &s->nodes[last->process][to].op;
    last->to = to;
    note_leaving(s, (int)last->process, op);
    if (op->fresh && op->object != NO_OBJECT)
        renew(s, op);
}

enum took group_operate(struct system *s, const struct node *n, struct step *step, uint32_t *next, struct err *err)
{
    int rc = s->group->glimpses ? glimpse_all(s, err) : 0;
    if (rc < 0)
        return system_failed(err, rc);
    n = system_pending(s, (int)step->process);           /* it may have moved */
    group_perform(s, n, step);
    enum took took = group_run_last(s, err);
    if (took != STEP_TAKEN) {
        step_undo(s, step);
        return took;
    }
    *next = s->group->path[s->group->count - 1].to;
    group_arrive(s, *next);
    return STEP_TAKEN;
}

void group_look_again(struct system *s)
{
    s->alive = 0;
    for (int p = 0; p < s->processes; p++) {
        step_place(s, p, s->node[p]);
        s->alive |= s->at[p]->flags & NODE_END ? 0 : BIT(p);
        note_leaving(s, p, &s->at[p]->op);
    }
}

uint32_t group_preview(struct system *s, const struct node *n, uint32_t choice)
{
    bool otherwise = signal_is_due(s, &n->op) || signal_operates(&n->op) || timer_operates(&n->op) || was_cancelled(s, &n->op);
    assert(!is_process(&n->op, PROCESS_CREATE) || s->group->states);     /* else which number it gets is remembered */
    otherwise |= is_process(&n->op, PROCESS_CREATE);
    return otherwise ? perform(s, n, choice) : n->type->execute(&s->log, s->words + n->state, &n->op, choice);
}

void group_take_back(struct system *s, const struct step *step)
{
    const struct op *op = &s->nodes[step->process][step->node].op;
    object_take_back(&s->log, s->log_start + step->log - 1);
    if (step->tail)
        hidden_take_back(s, step);
    const struct leg *last = group_pop(s);
    STEP_ASSERT(last->process == step->process && last->from == step->node);
    note_leaving(s, (int)step->process, op);
    if (moves_others(op))
        group_look_again(s);
}

uint64_t system_ends_with(const struct system *s, int p)
{
    if (!s->group)
        return 0;
    const struct op *op = &system_pending(s, p)->op;
    if (is_process(op, PROCESS_ALONE))
        return process_family(group_table(s), s->group->host[p]) & s->alive & ~BIT(p);
    return is_process(op, PROCESS_KILL) && op->arg[1] && !(op->arg[2] & KILL_THREAD) ? process_family(group_table(s), op->arg[0]) & s->alive & ~BIT(p) : 0;
}

void system_next_child(struct system *s, uint32_t number)
{
    if (s->group && number < MAX_PROCESSES)
        s->group->next_child = (int)number;
}

uint64_t system_family(const struct system *s, int process)
{
    uint64_t family = 0;
    for (int p = 0; p < s->processes; p++)
        family |= s->group->host[p] == s->group->host[process] ? BIT(p) : 0;
    return family;
}

uint64_t system_unborn(const struct system *s)
{
    uint64_t born = 0;
    for (int p = 0; p < s->processes; p++)
        born |= is_process(&system_pending(s, p)->op, PROCESS_NONE) ? 0 : BIT(p);
    return ~born;
}

/* ---- what was seen ---- */

/* Did the program ever run the step by which this process comes to be? */
static bool was_born(const struct system *s, int process)
{
    bool there = process == 0;
    for (int p = 0; p < s->processes && !there; p++)
        for (uint32_t i = NODE_KILLED + 1; i < s->graphs[p].count && !there; i++) {
            const struct node *n = &s->nodes[p][i];
            const struct edge *edge = is_process(&n->op, PROCESS_CREATE) ? graph_edge(&s->graphs[p], i, (uint32_t)process) : NULL;
            there = edge && !(n->flags & NODE_UNSEEN) && !(s->nodes[p][edge->next].flags & NODE_UNSEEN);
        }
    return there;
}

bool system_was_there(const struct system *s, int p) { return !s->group || was_born(s, p); }

uint32_t system_local_states(const struct system *s, int p)
{
    if (!s->group)
        return s->graphs[p].count;
    uint32_t count = 1;                          /* its start; not: before it and after it was killed */
    for (uint32_t i = NODE_KILLED + 1; i < s->graphs[p].count; i++)
        count += !(s->nodes[p][i].flags & NODE_UNSEEN);
    return count;
}
