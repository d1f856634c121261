/* What the system adds to a node of a graph when it is new: on which words its operation is, when it can go, what is to be looked at there.
 * What is seen of the program by it, on which others rest (who uses an object, who may do what, that somebody kills), is noted here, too.
 * SPDX-License-Identifier: MIT */
#include "system/declared.h"
#include "system/group.h"

#include <assert.h>

/* The objects of a group are found as they are used. All up to the one with this number. */
static void find_objects(struct system *s, uint32_t number)
{
    for (; s->object_count <= number; s->object_count++) {
        const struct created *c = &s->group->created[s->object_count];
        const struct object_type *type = types_get(c->type);
        struct object *o = &s->objects[s->object_count];
        *o = (struct object){ .type = type, .state = s->word_count, .created = c };
        o->words = (uint32_t)type->size(c->arg, (char[256]){ "" }, 256);
        assert((int32_t)o->words >= 0 && s->word_count + o->words <= s->group_room);
        type->init(c->arg, s->words + o->state);
        s->word_count += o->words;
    }
}

/* A process is seen before an operation that is not declared, on an object of which something is. */
static void learn(struct system *s, const struct op *op)
{
    const struct object *o = &s->objects[op->object];
    if (!o->declared)
        return;
    uint64_t *may = &s->may[o->may + op->code];
    if (*may & BIT(op->process)
        || structure_declared(s->structure, op->type, op->code, o->created->number, o->created->index))
        return;
    *may |= BIT(op->process);
    s->learned++;
}

static uint32_t flags_of(const struct system *s, const struct op *op)
{
    static const struct { uint32_t trait, flag; } flag_of[] = {
        { OP_ENDS, NODE_END }, { OP_ALARM, NODE_ALARM }, { OP_ABORTS, NODE_ABORT }, { OP_PATIENT, NODE_PATIENT },
        { OP_YIELDS, NODE_YIELDS },
    };
    uint32_t traits = types_traits(op), flags = 0;
    if (traits & OP_ENDS && !s->group)
        traits &= ~(uint32_t)OP_ABORTS;      /* it ends alone: others have memory of their own, and go on */
    for (size_t i = 0; i < sizeof flag_of / sizeof *flag_of; i++)
        flags |= traits & flag_of[i].trait ? flag_of[i].flag : 0;
    flags |= op->outside ? NODE_OUTSIDE : 0;
    if (op->object != NO_OBJECT && !declared_allows(s, op))
        flags |= NODE_ALARM;
    return flags;
}

/* A guard that never holds: the first word of the table of processes, a count, is not 0. */
static void prepare_end(const struct system *s, struct node *n)
{
    assert(s->words[s->objects[s->table].state]);
    n->ended = process_ended(&n->op);
    n->guard.word = s->objects[s->table].state;
    n->choices = 1;
}

static void add_user(struct system *s, uint32_t object, int process)
{
    uint64_t users = s->users[object] |= BIT(process), others = users & (users - 1);
    int first = __builtin_ctzll(users);
    if (!s->group)
        s->pairs[object] = (int8_t)(!others ? 0 : others & (others - 1) ? -1 : first ^ __builtin_ctzll(others));
}

static void prepare_operation(struct system *s, struct node *n, uint32_t object)
{
    if (object != NO_OBJECT) {
        assert((object < s->object_count || object == s->table) && s->objects[object].type == n->type);
        n->state = s->objects[object].state;
        n->slot = object;
        add_user(s, object, n->op.process);
    }
    bool asked = s->group && (op_is_cancellable(&n->op) || dependence_signals(s));
    if (!asked && n->type->guard && n->type->guard(&n->op, &n->guard)) {
        n->guard.word += n->state;
        n->choices = 1;
    } else {
        n->guard = (struct guard){ 0 };
    }
}

/* From now on a signal may come before any operation, also while it is blocked. */
static void drop_guards(struct system *s)
{
    for (int p = 0; p < s->processes; p++)
        for (uint32_t i = 0; i < s->graphs[p].count; i++) {
            struct node *n = &s->graphs[p].nodes[i];
            if (n->flags & NODE_END)
                continue;
            n->guard = (struct guard){ 0 };
            n->choices = 0;
        }
}

static void note_kill(struct system *s, const struct op *op)
{
    bool kills = about_processes(op) && (op->code == PROCESS_KILL || op->code == PROCESS_CANCEL || op->code == PROCESS_EXPIRE);
    kills |= dependence_signals(s);
    s->learned += kills && !s->kills;
    s->kills |= kills;
    s->hides |= op->outside != NOT_OUTSIDE;
    s->timers |= is_process(op, PROCESS_EXPIRE) ? BIT(op->process) : 0;
}

static void prepare(struct system *s, struct node *n)
{
    if (n->op.object != NO_OBJECT && s->group)
        find_objects(s, n->op.object);
    if (n->op.object != NO_OBJECT)
        learn(s, &n->op);
    bool signals = dependence_signals(s);
    dependence_note(s, &n->op);
    if (dependence_signals(s) && !signals)
        drop_guards(s);
    if (s->group) {
        declared_note(s, &n->op);
        note_kill(s, &n->op);
    }
    bool wait = is_process(&n->op, PROCESS_WAIT), process = s->group && about_processes(&n->op);
    n->type = types_get(n->op.type);
    n->flags = flags_of(s, &n->op);
    n->slot = s->nothing;
    s->polls |= wait && (n->op.process == 0 || s->group) && op_gives_up(&n->op);
    if (n->flags & NODE_END)
        prepare_end(s, n);
    else
        prepare_operation(s, n, wait || process ? s->table : n->op.object);
}

uint32_t system_add_node(struct system *s, int p, const struct arrival *a, uint32_t parent, uint32_t result)
{
    struct graph *g = &s->graphs[p];
    bool is_new;
    assert(a->op.process == p);
    uint32_t node = graph_add(g, a, parent, result, &is_new);
    if (is_new)
        prepare(s, &g->nodes[node]);
    if (is_new && !a->mergeable)
        g->nodes[node].flags |= NODE_ALONE;
    s->nodes[p] = g->nodes;
    s->at[p] = &g->nodes[s->node[p]];
    return node;
}
