/* Making a system: its objects, its processes at their first operations; and what its objects are called. SPDX-License-Identifier: MIT */
#include "system/system.h"
#include "system/group.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
        const struct declaration *d = o->declared ? structure_declared(s->structure, c->type, (uint8_t)code, c->number, c->index) : NULL;
        s->may[o->may + code] = d ? d->allowed : o->declared ? 0 : UINT64_MAX;
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
static void make_group(struct system *s, const struct system_parts *parts)
{
    static const int32_t arg[3] = { MAX_PROCESSES, true };
    const struct start *start = parts->start;
    s->group = group_new(start);
    s->timed = start->timed;
    s->group->tails = parts->hides ? tails_new() : NULL;
    s->group->awaited = parts->hides ? memory_get(MAX_OBJECTS) : NULL;
    s->group->hiding = parts->hiding;
    s->group->states = s->group->crowded = parts->states;       /* whose number is given again says the state alone (numbers.c) */
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
    s->alert = parts->invariants != NULL;
    s->objects = memory_get((objects + 1) * sizeof *s->objects);
    s->users = memory_get((objects + 2) * sizeof *s->users);
    s->pairs = memory_get((objects + 2) * sizeof *s->pairs);
    s->log_start = memory_get(FIRST_LOG * sizeof *s->log_start);
    s->log_end = s->log_start + FIRST_LOG;
    s->log.top = s->log_start;
    if (start->group) {
        make_group(s, parts);
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

/* ---- the initial state ---- */

static void stand_at_start(struct system *s, const struct start *start)
{
    for (int p = 0; p < s->processes; p++)
        step_place(s, p, system_add_node(s, p, &start->first[p], NO_NODE, 0));
    s->alive = step_all(s);
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
