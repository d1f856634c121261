/* What a process of a sharing group stands before: its operation, and the object that this names. An object is found as it is used.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "native/group.h"

#include "native/variable.h"
#include "objects/types.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static uint32_t count_of_type(const struct native *n, uint8_t type)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < n->start.object_count; i++)
        count += n->start.objects[i].type == type;
    return count;
}

static uint32_t count_made(const struct native *n, uint8_t type, int maker)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < n->start.object_count; i++)
        count += n->start.objects[i].type == type && n->start.objects[i].maker == maker;
    return count;
}

/* Not known by an address, but by 1 + what the program calls it. */
static bool is_numbered(unsigned type) { return types_get(type)->numbered; }

static struct created *known_object(struct native *n, const struct wire_slot *s, int owner)
{
    for (uint32_t i = 0; i < n->start.object_count; i++) {
        struct created *c = &n->start.objects[i];
        if (c->type == s->type && c->address == s->object && c->host == owner)
            return c;
    }
    return NULL;
}

/* NULL, or what there is no room for: more objects, or more words of them. */
static const char *add_object(struct native *n, const struct wire_slot *s, int owner, int maker, char *text)
{
    struct created *c = &n->start.objects[n->start.object_count];
    uint32_t number = is_numbered(s->type) ? (uint32_t)s->object - 1 : count_of_type(n, s->type);
    uint32_t words = (uint32_t)types_get(s->type)->size(s->arg, text, MAX_RULE);
    if (n->start.object_count == MAX_OBJECTS)
        return rules_no_room(n, MAX_OBJECTS, "objects", text);
    if (words > MAX_OBJECT_WORDS - n->object_words)
        return rules_no_room(n, MAX_OBJECT_WORDS, "words of semaphores, queues and other objects", text);
    *c = (struct created){.type = s->type, .number = number, .index = -1, .address = s->object, .host = owner,
                          .maker = maker, .nth = 1 + count_made(n, s->type, maker)};
    memcpy(c->arg, s->arg, sizeof c->arg);
    if (types_get(s->type)->found)
        types_get(s->type)->found(c->arg, s->argument);
    n->object_words += words;
    n->start.object_count++;
    return NULL;
}

/* An array that is made again, on another path, may have more semaphores. */
static void note_size(struct created *c, const struct wire_slot *s)
{
    const struct object_type *type = types_get(s->type);
    if (type->parts && type->operations[s->code].traits & OP_MAKES && s->arg[0] > c->arg[0])
        c->arg[0] = s->arg[0];
}

static const char *find_object(struct native *n, const struct wire_slot *s, int host, uint32_t *object, char *text)
{
    int owner = s->private_memory ? host : -1;
    struct created *c = known_object(n, s, owner);
    if (!rules_fits(c, s))
        return rules_spoilt;
    const char *no_room = c ? NULL : add_object(n, s, owner, n->members[host].process, text);
    if (no_room)
        return no_room;
    c = c ? c : &n->start.objects[n->start.object_count - 1];
    note_size(c, s);
    *object = (uint32_t)(c - n->start.objects);
    assert(*object < n->start.object_count && c->type == s->type);
    return NULL;
}

bool group_name(void *self, uint32_t object, char *out, size_t room)
{
    struct native *n = self;
    const struct created *c = &n->start.objects[object];
    const struct object_type *type = types_get(c->type);
    assert(object < n->start.object_count);
    return variable_global(native_where(n), c->address, type->memory ? type->memory(c->arg) : 0, out, room);
}

/* Which of several variables that are one object. */
static const char *location_text(struct native *n, const struct wire_slot *s, char *text)
{
    char name[MAX_RULE / 2];
    if (!variable_global(native_where(n), s->address, 0, name, sizeof name))
        snprintf(name, sizeof name, "memory at 0x%llx", (unsigned long long)s->address);
    snprintf(text, MAX_RULE, "%s", name);
    return text;
}

static enum completes completes_of(const struct wire_slot *s)
{
    const struct object_type *type = types_get(s->type);
    return type && s->code < type->operation_count ? type->operations[s->code].completes : COMPLETES_NOTHING;
}

/* pthread_create(producer) */
const char *group_text(struct native *n, uint32_t slot, char *text)
{
    const struct wire_slot *s = &n->told;
    enum completes completes = s->address ? completes_of(s) : COMPLETES_NOTHING;
    if (completes == COMPLETES_VARIABLE)
        return location_text(n, s, text);
    bool fixed = native_fixed(n);                        /* else what is in memory are addresses of this start alone */
    char name[MAX_RULE / 2];
    if (completes != COMPLETES_FUNCTION || !variable_thread(native_where(n), n->members[slot].pid, s->address, fixed ? s->argument : 0, name, sizeof name))
        return s->text;
    snprintf(text, MAX_RULE, "%.64s(%s)", s->text, name);
    return text;
}

const char *group_operation(struct native *n, uint32_t slot, struct op *op, char *text)
{
    const struct wire_slot *s = &n->told;
    *op = (struct op){.type = s->type, .code = s->code, .process = (uint8_t)n->members[slot].process, .object = NO_OBJECT,
                      .arg = {s->arg[0], s->arg[1], s->arg[2]}, .place = group_place(n, slot, s), .fresh = s->fresh != 0, .begun = s->begun != 0};
    uint32_t known = n->start.object_count;
    const char *wrong = s->object ? find_object(n, s, (int)slot, &op->object, text) : NULL;
    if (!wrong)
        wrong = rules_misused(n, op, text);
    if (wrong)
        return wrong;
    if (op->object != NO_OBJECT)
        births_note(n, slot, s, op, n->start.object_count > known);
    op->outside = group_outside(n, slot, s, op);
    return NULL;
}
