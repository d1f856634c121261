/* SPDX-License-Identifier: MIT */
#include "system/system.h"
#include "system/declared.h"
#include "system/dependence.h"
#include "system/group.h"
#include "system/step.h"

#include "base/memory.h"
#include "objects/process.h"
#include "objects/types.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL              /* a call through the library for every state would be felt */
#include <xxhash.h>

enum { OP_WORDS = 7 };               /* of what a process stands before, in the fingerprint of a state of a group */

static uint64_t all_processes(const struct system *s)
{
    assert(s->processes >= 1 && s->processes <= MAX_PROCESSES);
    return UINT64_MAX >> (MAX_PROCESSES - s->processes);
}

/* ---- making one ---- */

static int add_object(struct system *s, const struct object_type *type, const struct created *created, const int32_t arg[3],
                      struct err *err)
{
    char why[256] = "";
    int words = type->size(arg, why, sizeof why);
    if (words < 0)
        return fail(err, "%s %u: %s", type->name, created->number, why);
    assert(s->log.top == s->log_start);          /* words may move */
    struct object *o = &s->objects[s->object_count++];
    *o = (struct object){ .type = type, .state = s->word_count, .words = (uint32_t)words, .created = created };
    s->word_count += (uint32_t)words;
    s->words = memory_resize(s->words, (size_t)s->word_count * sizeof *s->words);
    type->init(arg, s->words + o->state);
    return 0;
}

static void fill_may(struct system *s, struct object *o)
{
    const struct created *c = o->created;
    o->declared = c && structure_mentions(s->structure, c->type, c->number, c->index);
    for (uint32_t code = 0; code < o->type->operation_count; code++) {
        const struct rule *rule = o->declared ? structure_rule(s->structure, c->type, (uint8_t)code, c->number, c->index) : NULL;
        s->may[o->may + code] = rule ? rule->allowed : o->declared ? 0 : UINT64_MAX;
    }
}

static void make_may(struct system *s)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->object_count; i++) {
        s->objects[i].may = count;
        count += s->objects[i].type->operation_count;
    }
    s->may = memory_get(count * sizeof *s->may);
    for (uint32_t i = 0; i < s->object_count; i++)
        fill_may(s, &s->objects[i]);
}

static int add_objects(struct system *s, const struct start *start, struct err *err)
{
    for (uint32_t i = 0; i < start->object_count; i++) {
        const struct created *c = &start->objects[i];
        const struct object_type *type = types_get(c->type);
        if (!type || !type->size)
            return fail(err, "the program creates an object of an unknown type (%u)", c->type);
        int rc = add_object(s, type, c, c->arg, err);
        if (rc < 0)
            return rc;
    }
    s->table = s->object_count;
    s->nothing = s->table + 1;
    return add_object(s, types_get(TYPE_PROCESS), NULL, (int32_t[3]){ start->processes }, err);
}

/* A group's objects are found while it runs: their words must not move, for the log points to them. The table of processes stands
 * behind all that can come. */
static void make_group(struct system *s, const struct start *start, bool states)
{
    static const int32_t arg[3] = { MAX_PROCESSES, true };
    s->group = group_new(start);
    s->group->states = s->group->crowded = states;       /* whose number is given again says the state alone (numbers.c) */
    memcpy(s->group->first_memory, start->first[0].memory, sizeof s->group->first_memory);
    group_note_first(s->group, &start->first[0]);
    memset(s->pairs, -1, (MAX_OBJECTS + 2) * sizeof *s->pairs);     /* always by step_refresh, which looks at who is leaving */
    s->table = MAX_OBJECTS;
    s->nothing = s->table + 1;
    s->objects[s->table] = (struct object){ .type = types_get(TYPE_PROCESS) };
    s->objects[s->table].words = s->word_count = (uint32_t)s->objects[s->table].type->size(arg, NULL, 0);
    s->group_room = s->word_count + MAX_OBJECT_WORDS;
    s->words = memory_get(s->group_room * sizeof *s->words);
    s->scratch = memory_get((2 * s->group_room + OP_WORDS * (MAX_PROCESSES + MAX_OBJECTS + 1)) * sizeof *s->scratch);
    s->objects[s->table].type->init(arg, s->words);
}

/* All up to the one with this number. */
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

static struct system *make_system(const struct system_parts *parts, struct err *err)
{
    enum { FIRST_LOG = 1024 };
    const struct start *start = parts->start;
    struct system *s = memory_get(sizeof *s);
    uint32_t objects = start->group ? MAX_OBJECTS : start->object_count;
    s->processes = start->processes;
    s->graphs = parts->history->graphs;
    s->runner = parts->runner;
    s->texts = parts->texts;
    s->structure = parts->structure;
    s->invariants = parts->invariants;
    s->objects = memory_get((objects + 1) * sizeof *s->objects);
    s->users = memory_get((objects + 2) * sizeof *s->users);
    s->pairs = memory_get((objects + 2) * sizeof *s->pairs);
    s->log_start = memory_get(FIRST_LOG * sizeof *s->log_start);
    s->log_end = s->log_start + FIRST_LOG;
    s->log.top = s->log_start;
    if (start->group) {
        make_group(s, start, parts->states);
        return s;
    }
    if (add_objects(s, start, err) < 0) {
        system_free(s);
        return NULL;
    }
    make_may(s);
    s->ends = s->words + s->objects[s->table].state + 1;
    s->scratch = memory_get((s->word_count + MAX_PROCESSES) * sizeof *s->scratch);
    return s;
}

void system_free(struct system *s)
{
    if (!s)
        return;
    group_free(s->group);
    structure_fini(&s->seen);
    free(s->words);
    free(s->objects);
    free(s->users);
    free(s->pairs);
    free(s->may);
    free(s->log_start);
    free(s->scratch);
    free(s);
}

/* ---- what the system adds to a node of a graph ---- */

/* A process is seen before an operation that is not declared, on an object of which something is. */
static void learn(struct system *s, const struct op *op)
{
    const struct object *o = &s->objects[op->object];
    if (!o->declared)
        return;
    uint64_t *may = &s->may[o->may + op->code];
    if (*may & BIT(op->process)
        || structure_rule(s->structure, op->type, op->code, o->created->number, o->created->index))
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
    bool kills = about_processes(op) && (op->code == PROCESS_KILL || op->code == PROCESS_CANCEL);
    kills |= dependence_signals(s);
    s->learned += kills && !s->kills;
    s->kills |= kills;
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

/* ---- where processes stand ---- */

bool system_ask_type(const struct system *s, const struct node *n)
{
    return system_ask_choices(s, n) != 0;
}

uint32_t system_ask_choices(const struct system *s, const struct node *n)
{
    return s->group ? group_choices(s, n) : n->type->choices(s->words + n->state, &n->op);
}

void system_abort(struct system *s, int p)
{
    s->aborters |= BIT(p);
    s->enabled = 0;
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

static void stand_at_start(struct system *s, const struct start *start)
{
    for (int p = 0; p < s->processes; p++)
        step_place(s, p, system_add_node(s, p, &start->first[p], NO_NODE, 0));
    s->alive = all_processes(s);
    step_refresh(s, s->alive);
    for (int p = 0; p < s->processes; p++) {
        if (s->at[p]->flags & (NODE_END | NODE_ABORT))
            step_arrive(s, p, s->at[p]);
    }
    if (s->aborters)
        s->enabled = 0;
}

struct system *system_new(const struct system_parts *parts, struct err *err)
{
    struct system *s = make_system(parts, err);
    if (s && s->group)
        group_begin(s);
    else if (s)
        stand_at_start(s, parts->start);
    return s;
}

/* ---- executing ---- */

void system_log_room(struct system *s, uint32_t changes)
{
    size_t used = (size_t)(s->log.top - s->log_start), room = (size_t)(s->log_end - s->log_start);
    if (used + changes <= room)
        return;
    room = 2 * room + changes;
    s->log_start = memory_resize(s->log_start, room * sizeof *s->log_start);
    s->log_end = s->log_start + room;
    s->log.top = s->log_start + used;
    assert((size_t)(s->log_end - s->log.top) >= changes);
}

void system_take_back(struct system *s, const struct step *step)
{
    STEP_ASSERT(step->log && s->log.top >= s->log_start + step->log - 1);
    if (s->group) {
        group_take_back(s, step);
        return;
    }
    object_take_back(&s->log, s->log_start + step->log - 1);
}

/* Where the edge over this result leads; if nobody took it yet, the program runs. */
static int find_next(struct system *s, int p, uint32_t result, uint32_t *next, struct err *err)
{
    struct leg leg = { .process = (uint32_t)p, .from = s->node[p], .result = result, .to = NO_NODE };
    const struct edge *known = graph_edge(&s->graphs[p], leg.from, result);
    struct arrival a = { 0 };
    uint32_t right = 0;
    if (known) {
        *next = known->next;
        return 0;
    }
    int rc = s->runner->run(s->runner->self, &leg, 1, &right, &a, err);
    if (rc < 0)
        return rc;
    assert(a.op.process == p);
    *next = system_add_node(s, p, &a, leg.from, result);
    graph_lead(&s->graphs[p], leg.from, result, *next, a.notes);
    return 0;
}

/* The node learns where its edges lead. */
static int new_edge(struct system *s, int p, uint32_t result, uint32_t *next, struct err *err)
{
    struct graph *g = &s->graphs[p];
    int rc = find_next(s, p, result, next, err);
    if (rc < 0)
        return rc;
    struct node *n = &g->nodes[s->node[p]];
    uint32_t flags = n->flags;
    assert(graph_edge(g, s->node[p], result)->next == *next);
    if (g->nodes[*next].flags & NODE_END)
        n->flags |= LEADS_TO_END;
    if (g->nodes[*next].flags & NODE_ABORT)
        n->flags |= LEADS_TO_ABORT;
    s->leads += n->flags != flags;
    if (n->one.result == 0)
        n->plain = n->guard.adds;
    return 0;
}

/* The step has just made its node plain, and must look like all later ones: a search may undo it and take it again. */
static void make_plain(struct system *s, const struct node *n, struct step *step)
{
    const struct change *only = s->log_start + step->log - 1;
    assert(n->op.type >= FIRST_USER_TYPE || (s->log.top == only + 1 && only->word == &s->words[n->guard.word]));
    assert(n->op.type >= FIRST_USER_TYPE || *only->word == only->old + n->plain);
    s->log.top = s->log_start + step->log - 1;
    step->log = 0;
}

enum took system_failed(struct err *err, int rc)
{
    if (err)
        err->code = rc;
    return STEP_FAILED;
}

/* Of a type that a user wrote it is seen how many words it changes. */
static int too_many_changes(struct system *s, const struct node *n, const struct step *step, struct err *err)
{
    size_t changes = (size_t)(s->log.top - s->log_start) + 1 - step->log;
    if (n->op.type < FIRST_USER_TYPE || changes <= OBJECT_CHANGES)
        return 0;
    system_take_back(s, step);
    return fail(err, "object type '%s': its operation '%s' changes %zu words, and no more than %d are allowed (see object.h)", n->type->name,
                n->type->operations[n->op.code].name, changes, OBJECT_CHANGES);
}

enum took system_operate(struct system *s, const struct node *n, struct step *step, uint32_t *next, struct err *err)
{
    enum { CHANGES_OF_ANY_TYPE = 4096 };
    uint32_t before = s->words[n->guard.word];
    assert(s->enabled & BIT(step->process));
    system_log_room(s, n->op.type < FIRST_USER_TYPE ? OBJECT_CHANGES_OF_GROUP : CHANGES_OF_ANY_TYPE);
    if (s->group)
        return group_operate(s, n, step, next, err);
    step->log = (uint32_t)(s->log.top - s->log_start) + 1;
    step->result = n->type->execute(&s->log, s->words + n->state, &n->op, step->choice);
    assert(s->log.top <= s->log_end);
    if (n->one.result == step->result && *next != NO_NODE)
        return STEP_TAKEN;
    int rc = too_many_changes(s, n, step, err);
    if (rc < 0)
        return system_failed(err, rc);
    rc = new_edge(s, (int)step->process, step->result, next, err);
    if (rc < 0) {
        system_take_back(s, step);
        return system_failed(err, rc);
    }
    if (step->result == 0 && before < GUARD_PLAIN && s->at[step->process]->plain)
        make_plain(s, s->at[step->process], step);
    return STEP_TAKEN;
}

uint32_t system_preview(struct system *s, int p, uint32_t choice)
{
    const struct node *n = system_pending(s, p);
    assert(s->enabled & BIT(p));
    system_log_room(s, OBJECT_CHANGES_OF_GROUP);
    size_t mark = (size_t)(s->log.top - s->log_start);
    uint64_t enabled = s->enabled;
    uint32_t result = s->group ? group_preview(s, n, choice) : n->type->execute(&s->log, s->words + n->state, &n->op, choice);
    object_take_back(&s->log, s->log_start + mark);
    if (s->group)
        group_look_again(s);
    s->enabled = enabled;
    return result;
}

enum took system_execute(struct system *s, int p, uint32_t choice, struct step *step, struct err *err)
{
    return step_execute(s, p, choice, step, err);
}

/* The operation alone: its result, and what it does to words. */
static void operate_again(struct system *s, const struct node *n, struct step *step)
{
    if (step_plain(s, (int)step->process)) {
        s->words[n->guard.word] += n->plain;
        return;
    }
    system_log_room(s, OBJECT_CHANGES_OF_GROUP);
    if (s->group) {
        group_perform(s, n, step);
        return;
    }
    step->log = (uint32_t)(s->log.top - s->log_start) + 1;
    step->result = n->type->execute(&s->log, s->words + n->state, &n->op, step->choice);
}

bool system_execute_again(struct system *s, const struct step *before, struct step *step)
{
    const struct step old = *before;             /* it may be the same one */
    const struct node *n = system_pending(s, (int)old.process);
    uint32_t slot = n->slot;
    assert(s->node[old.process] == old.node);
    STEP_ASSERT(s->enabled & BIT(old.process));
    step_begin(s, (int)old.process, old.choice, step);
    operate_again(s, n, step);
    if (step->result != old.result) {
        step_undo(s, step);
        return false;
    }
    if (s->group)
        group_arrive(s, old.next);
    step_finish(s, (int)old.process, step, slot, old.next);
    STEP_CHECK(s);
    return true;
}

void system_follow(struct system *s, int p, uint32_t choice, uint32_t next, struct step *step)
{
    const struct node *n = system_pending(s, p);
    uint32_t slot = n->slot;
    assert(s->group);
    step_begin(s, p, choice, step);
    operate_again(s, n, step);
    group_arrive(s, next);
    step_finish(s, p, step, slot, next);
    STEP_CHECK(s);
}

void system_undo(struct system *s, const struct step *step)
{
    step_undo(s, step);
}

uint32_t system_path_length(const struct system *s) { return s->group ? s->group->count : 0; }
uint32_t system_right(const struct system *s) { return s->group ? s->group->right : UINT32_MAX; }

/* ---- states ---- */

bool system_aborted(const struct system *s)
{
    if (!s->aborters)
        return false;
    for (int p = 0; p < s->processes; p++)
        if (system_pending(s, p)->flags & NODE_ABORT)
            return true;
    return false;
}

static uint32_t *canonical_words(const struct object *o, const uint32_t *state, uint32_t *out)
{
    if (o->type->canonical)
        return out + o->type->canonical(state, o->words, out);
    memcpy(out, state, o->words * sizeof *out);
    return out + o->words;
}

/* Of a group: what memory comes to, before what each process stands, and the objects. An object that is as it began counts nothing, as
 * if nobody had found it yet; one that is known by other numbers in another search is known here by its address. */
static uint32_t *group_words(const struct system *s, uint32_t *out)
{
    const struct group *g = s->group;
    const uint64_t *memory = g->count ? g->memory[g->count - 1] : g->first_memory;
    assert(memory[0] | memory[1]);               /* the program was run here */
    memcpy(out, memory, 2 * sizeof *memory);
    out += 4;
    for (int p = 0; p < s->processes; p++) {
        const struct op *op = &system_pending(s, p)->op;
        if (is_process(op, PROCESS_NONE))
            continue;
        uint32_t at[OP_WORDS] = { (uint32_t)p, (uint32_t)op->type << 8 | op->code, (uint32_t)op->arg[0], (uint32_t)op->arg[1], (uint32_t)op->arg[2],
                                  (uint32_t)op->place, (uint32_t)(op->place >> 32) };
        memcpy(out, at, sizeof at);
        out += OP_WORDS;
    }
    out = canonical_words(&s->objects[s->table], group_table(s), out);
    for (uint32_t i = 0; i < s->object_count; i++) {
        const struct object *o = &s->objects[i];
        uint32_t *key = out;
        o->type->init(o->created->arg, out);
        if (!memcmp(out, s->words + o->state, o->words * sizeof *out))
            continue;
        memcpy(key, &o->created->address, sizeof o->created->address);
        key[2] = o->created->type;
        key[3] = (uint32_t)o->created->host;
        out = canonical_words(o, s->words + o->state, key + 4);
    }
    return out;
}

static uint32_t *copy_words(const uint32_t *from, const uint32_t *to, uint32_t *out)
{
    memcpy(out, from, (size_t)(to - from) * sizeof *out);
    return out + (to - from);
}

/* Of processes alone: where each is, and the objects. Those side by side that are as their words say are copied at once. */
static uint32_t *alone_words(const struct system *s, uint32_t *out)
{
    const uint32_t *rest = s->words;
    out = copy_words(s->node, s->node + s->processes, out);
    for (uint32_t i = 0; i < s->object_count; i++) {
        const struct object *o = &s->objects[i];
        if (!o->type->canonical || i == s->table)
            continue;
        out = canonical_words(o, s->words + o->state, copy_words(rest, s->words + o->state, out));
        rest = s->words + o->state + o->words;
    }
    return copy_words(rest, s->words + s->word_count, out);
}

void system_fingerprint(struct system *s, uint64_t fingerprint[2])
{
    uint32_t *out = s->group ? group_words(s, s->scratch) : alone_words(s, s->scratch);
    STEP_ASSERT((size_t)(out - s->scratch) <= s->word_count + MAX_PROCESSES);
    XXH128_hash_t hash = XXH3_128bits(s->scratch, (size_t)(out - s->scratch) * sizeof *out);
    fingerprint[0] = hash.low64;
    fingerprint[1] = hash.high64;
}

/* What a process is. One that is like no other is known by what it was given since it was like others. */
static void add_local_state(const struct system *s, int p, XXH3_state_t *hash)
{
    const struct graph *g = &s->graphs[p];
    uint32_t node = s->node[p];
    for (; g->nodes[node].flags & NODE_ALONE && g->nodes[node].parent != NO_NODE; node = g->nodes[node].parent)
        XXH3_128bits_update(hash, &g->nodes[node].result, sizeof g->nodes[node].result);
    XXH3_128bits_update(hash, g->nodes[node].fingerprint, sizeof g->nodes[node].fingerprint);
}

/* In place of a message, whose number is that of this run alone. */
static const char *digest_of_text(void *texts, uint32_t number)
{
    static _Thread_local char out[40];
    const char *text = texts_string(texts, number);
    XXH128_hash_t hash = XXH3_128bits(text, strlen(text));
    snprintf(out, sizeof out, "%016llx%016llx", (unsigned long long)hash.high64, (unsigned long long)hash.low64);
    return out;
}

static void add_object_state(const struct system *s, const struct object *o, XXH3_state_t *hash)
{
    if (!o->type->holds_texts) {
        size_t words = (size_t)(canonical_words(o, s->words + o->state, s->scratch) - s->scratch);
        XXH3_128bits_update(hash, s->scratch, words * sizeof *s->scratch);
        return;
    }
    size_t room = 64 + 64 * (size_t)o->words;
    char *out = memory_get(room);
    o->type->print(s->words + o->state, digest_of_text, s->texts, out, room);
    XXH3_128bits_update(hash, out, strlen(out));
    free(out);
}

bool system_lasting_fingerprint(struct system *s, uint64_t fingerprint[2])
{
    XXH3_state_t hash;
    if (s->group) {
        system_fingerprint(s, fingerprint);
        return true;
    }
    XXH3_128bits_reset(&hash);
    for (int p = 0; p < s->processes; p++)
        add_local_state(s, p, &hash);
    for (uint32_t i = 0; i < s->object_count; i++) {
        if (s->objects[i].created && s->objects[i].created->type >= FIRST_USER_TYPE)
            return false;
        add_object_state(s, &s->objects[i], &hash);
    }
    XXH128_hash_t sum = XXH3_128bits_digest(&hash);
    fingerprint[0] = sum.low64;
    fingerprint[1] = sum.high64;
    return true;
}

uint32_t system_state_words(const struct system *s)
{
    return (uint32_t)s->processes + s->word_count;
}

void system_save(const struct system *s, uint32_t *state)
{
    memcpy(state, s->node, (size_t)s->processes * sizeof *state);
    memcpy(state + s->processes, s->words, s->word_count * sizeof *state);
}

void system_load(struct system *s, const uint32_t *state)
{
    for (int p = 0; p < s->processes; p++) {
        STEP_ASSERT(state[p] < s->graphs[p].count);
        step_place(s, p, state[p]);
    }
    memcpy(s->words, state + s->processes, s->word_count * sizeof *state);
    s->log.top = s->log_start;
    s->alive = 0;
    for (int p = 0; p < s->processes; p++)
        s->alive |= system_pending(s, p)->flags & NODE_END ? 0 : BIT(p);
    step_refresh(s, all_processes(s));
    if (system_aborted(s))
        s->enabled = 0;
}

/* ---- printing ---- */

static void group_object_name(const struct system *s, uint32_t object, char *out, size_t room)
{
    const struct created *c = s->objects[object].created;
    if (types_get(c->type)->numbered)            /* its address is 1 + what the program calls it */
        snprintf(out, room, "%llu", (unsigned long long)c->address - 1);
    else if (!s->runner->name || !s->runner->name(s->runner->self, object, out, room))
        snprintf(out, room, "0x%llx", (unsigned long long)c->address);
}

void system_object_name(const struct system *s, const struct op *op, char *out, size_t room)
{
    assert(op->object == NO_OBJECT || op->object < s->object_count || op->object == s->table);
    const struct created *c = op->object == NO_OBJECT ? NULL : s->objects[op->object].created;
    if (!c)
        snprintf(out, room, "%s", "");
    else if (s->group)
        group_object_name(s, op->object, out, room);
    else if (c->index < 0)
        snprintf(out, room, "%u", c->number);
    else
        snprintf(out, room, "%u, %d", c->number, c->index);
}
