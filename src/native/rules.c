/* What a program may do when (manual, section 6.1): create objects, then fork all processes from one parent, then
 * communicate. And which object an operation means, by the name that the program has for it.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "native/internal.h"
#include "base/memory.h"
#include "objects/types.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ipc.h>

const char rules_spoilt[] = "wrote into memory that is not its own: by which VeriSoft talks to it";

__attribute__((format(printf, 2, 3))) static const char *broken(char *text, const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    vsnprintf(text, MAX_RULE, format, rest);
    va_end(rest);
    return text;
}

const char *rules_no_room(struct native *n, int most, const char *what, char *text)
{
    n->no_room = true;
    return broken(text, "more than %d %s", most, what);
}

static const char *too_late(struct native *n, uint32_t slot, const char *call, char *text)
{
    if (!n->starting)
        return broken(text, "%s after a visible operation: create and initialise all objects before that", call);
    if (n->members[slot].process != 0 || n->start.processes > 1)
        return broken(text, "%s after fork: create and initialise all objects before the first fork", call);
    return NULL;
}

static uint32_t add_object(struct native *n, uint8_t type, uint32_t number, int32_t index, const int32_t arg[3])
{
    struct start *s = &n->start;
    ARRAY_GROW(s->objects, s->object_count, n->object_room);
    s->objects[s->object_count] = (struct created){.type = type, .number = number, .index = index};
    memcpy(s->objects[s->object_count].arg, arg, sizeof s->objects->arg);
    return s->object_count++;
}

static const char *too_many(struct native *n, int32_t more, char *text)
{
    if (more <= MAX_OBJECTS - (int32_t)n->start.object_count)
        return NULL;
    return rules_no_room(n, MAX_OBJECTS, "objects", text);
}

/* ---- arrays: of semaphores, the one type that has them ---- */

static struct array *array_of(struct native *n, int32_t number)
{
    if (number == LATEST && n->array_count)
        return &n->arrays[n->array_count - 1];
    return number >= 0 && (uint32_t)number < n->array_count ? &n->arrays[number] : NULL;
}

static int find_key(const struct native *n, int32_t key)
{
    for (uint32_t i = 0; i < n->array_count; i++)
        if (key != IPC_PRIVATE && n->arrays[i].key == key)
            return (int)i;
    return -1;
}

static const char *add_array(struct native *n, const struct wire_slot *s, uint32_t *result, char *text)
{
    static const int32_t zero[3];
    int32_t count = s->arg[0];
    if (count < 1)
        return broken(text, "semget of %d semaphores: there must be at least one", count);
    if (too_many(n, count, text))
        return text;
    ARRAY_GROW(n->arrays, n->array_count, n->array_room);
    n->arrays[n->array_count] = (struct array){.key = s->number, .first = n->start.object_count, .count = (uint32_t)count};
    for (int32_t i = 0; i < count; i++)
        add_object(n, s->type, n->array_count, i, zero);
    *result = n->array_count++;
    return NULL;
}

/* As the operating system does it: an array with this key that is there already is found, also by a child. */
static const char *get_array(struct native *n, uint32_t slot, uint32_t *result, char *text)
{
    const struct wire_slot *s = &n->told;
    int found = find_key(n, s->number), flags = s->arg[1];
    if (found < 0 && s->number != IPC_PRIVATE && !(flags & IPC_CREAT))
        *result = (uint32_t)-ENOENT;
    else if (found >= 0 && flags & IPC_CREAT && flags & IPC_EXCL)
        *result = (uint32_t)-EEXIST;
    else if (found >= 0)
        *result = s->arg[0] <= (int32_t)n->arrays[found].count ? (uint32_t)found : (uint32_t)-EINVAL;
    else
        return too_late(n, slot, "semget", text) ? text : add_array(n, s, result, text);
    return NULL;
}

static const char *find_in_array(struct native *n, const struct wire_slot *s, const char *call, uint32_t *object, char *text)
{
    const struct array *array = array_of(n, s->number);
    if (!array && s->number == LATEST)
        return broken(text, "%s before semget: there is no semaphore yet", call);
    if (!array)
        return broken(text, "%s on semaphore array %d: the program has %u, numbered from 0", call, s->number, n->array_count);
    if (s->index < 0 || (uint32_t)s->index >= array->count)
        return broken(text, "%s on index %d: semaphore array %u has %u semaphores, numbered from 0", call, s->index,
                      (unsigned)(array - n->arrays), array->count);
    *object = array->first + (uint32_t)s->index;
    return NULL;
}

const char *rules_set(struct native *n, uint32_t slot, char *text)
{
    const struct wire_slot *s = &n->told;
    uint32_t object;
    if (too_late(n, slot, "semsetval", text) || find_in_array(n, s, "semsetval", &object, text))
        return text;
    if (s->arg[0] < 0 || s->arg[0] > MAX_SEMAPHORE)
        return broken(text, "semsetval to %d: a semaphore's value is 0 to %d", s->arg[0], MAX_SEMAPHORE);
    n->start.objects[object].arg[0] = s->arg[0];
    return NULL;
}

const char *rules_size(struct native *n, uint32_t *result, char *text)
{
    const struct array *array = array_of(n, n->told.number);
    if (!array)
        return broken(text, "semctl on semaphore array %d: the program has %u, numbered from 0",
                      n->told.number, n->array_count);
    *result = array->count;
    return NULL;
}

/* ---- other objects ---- */

static uint32_t count_of_type(const struct native *n, uint8_t type)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < n->start.object_count; i++)
        count += n->start.objects[i].type == type;
    return count;
}

/* get_bounded_queue(3), and its like. */
static const char *add_made(struct native *n, const struct wire_slot *s, uint32_t *result, char *text)
{
    const struct object_type *type = types_get(s->type);
    char why[MAX_RULE / 2] = "";
    if (type->size(s->arg, why, sizeof why) < 0)
        return broken(text, "%s(%d): %s", type->maker, s->arg[0], why);
    if (too_many(n, 1, text))
        return text;
    *result = count_of_type(n, s->type);
    add_object(n, s->type, *result, -1, s->arg);
    return NULL;
}

static const char *add_user_object(struct native *n, const struct wire_slot *s, uint32_t *result, char *text)
{
    int type = types_find(s->text);
    char why[MAX_RULE / 2] = "";
    if (type < FIRST_USER_TYPE)
        return broken(text, "no object type '%.100s'; load it with --object", s->text);
    if (types_get((unsigned)type)->size(s->arg, why, sizeof why) < 0)
        return broken(text, "VS_object_new(\"%.100s\", %d, %d, %d): %s", s->text, s->arg[0], s->arg[1], s->arg[2], why);
    if (too_many(n, 1, text))
        return text;
    add_object(n, (uint8_t)type, n->user_count, -1, s->arg);
    *result = n->user_count++;
    return NULL;
}

const char *rules_create(struct native *n, uint32_t slot, uint32_t *result, char *text)
{
    const struct wire_slot *s = &n->told;
    const struct object_type *type = s->type < FIRST_USER_TYPE ? types_get(s->type) : NULL;
    if (type && type->array_maker)
        return get_array(n, slot, result, text);
    const char *call = type && type->maker ? type->maker : "VS_object_new";
    if (too_late(n, slot, call, text))
        return text;
    return type && type->maker ? add_made(n, s, result, text) : add_user_object(n, s, result, text);
}

const char *rules_segment(struct native *n, uint32_t slot, uint32_t *result, char *text)
{
    if (too_late(n, slot, "shmget", text))
        return text;
    *result = n->memory_count++;
    return NULL;
}

const char *rules_fork(struct native *n, uint32_t slot, char *text)
{
    if (n->members[slot].process != 0)
        return broken(text, "fork in process %d: all processes must be forked by the first one",
                      n->members[slot].process + 1);
    if (!n->starting)
        return broken(text, "fork after a visible operation: fork all processes before the first one");
    if (n->start.processes == MAX_PROCESSES)
        return rules_no_room(n, MAX_PROCESSES, "processes", text);
    return NULL;
}

/* ---- operations ---- */

/* The one of this number: among all of users' types, which are counted together, or among its type. */
static uint32_t find_object(const struct native *n, uint8_t type, int32_t number)
{
    for (uint32_t i = 0; i < n->start.object_count; i++) {
        const struct created *c = &n->start.objects[i];
        bool of_type = type >= FIRST_USER_TYPE ? c->type >= FIRST_USER_TYPE : c->type == type;
        if (of_type && number >= 0 && c->number == (uint32_t)number)
            return i;
    }
    return NO_OBJECT;
}

static const char *find_made(struct native *n, const struct wire_slot *s, struct op *op, char *text)
{
    const struct object_type *type = types_get(s->type);
    op->object = find_object(n, s->type, s->number);
    if (op->object == NO_OBJECT)
        return broken(text, "%s on %s %d: the program has %u, numbered from 0", type->operations[s->code].name, type->name, s->number,
                      count_of_type(n, s->type));
    return NULL;
}

static const char *find_user_object(struct native *n, const struct wire_slot *s, struct op *op, char *text)
{
    op->object = find_object(n, FIRST_USER_TYPE, s->number);
    if (op->object == NO_OBJECT)
        return broken(text, "VS_object_do on object %d: the program has %u of them, numbered from 0", s->number, n->user_count);
    op->type = n->start.objects[op->object].type;
    const struct object_type *type = types_get(op->type);
    if (s->code >= type->operation_count)
        return broken(text, "VS_object_do with operation %d: type '%s' has %u, numbered from 0", s->code, type->name,
                      type->operation_count);
    return NULL;
}

/* What the program has for an object, by the name that it uses. */
static const char *find_named(struct native *n, const struct wire_slot *s, struct op *op, char *text)
{
    if (s->type >= FIRST_USER_TYPE)
        return find_user_object(n, s, op, text);
    const struct object_type *type = types_get(s->type);
    if (type->array_maker) {
        const char *format = type->operations[s->code].format;
        char call[32];
        snprintf(call, sizeof call, "%.*s", (int)strcspn(format, "("), format);      /* as the program calls it */
        return find_in_array(n, s, call, &op->object, text);
    }
    return type->maker ? find_made(n, s, op, text) : NULL;
}

const char *rules_misused(const struct native *n, struct op *op, char *text)
{
    const struct object_type *type = types_get(op->type);
    const char *call = type->operations[op->code].name;
    char why[MAX_RULE / 2];
    bool takes_message = op->object != NO_OBJECT && (type->maker || op->type >= FIRST_USER_TYPE);
    if (takes_message && n->told.text_length > MAX_MESSAGE)
        return broken(text, "%s: the message is longer than %d bytes", call, MAX_MESSAGE);
    const int32_t *made = op->object == NO_OBJECT ? NULL : n->start.objects[op->object].arg;
    return type->misused && type->misused(made, op, why, sizeof why) ? broken(text, "%s%s", call, why) : NULL;
}

/* ---- what only a program that wrote into the wire can say ---- */

/* Is there such a type in such a program, and does it say an object where it has to? */
static bool type_known(const struct object_type *type, const struct wire_slot *s, bool group)
{
    if (type->aside)
        return !group || !s->object;
    return type->lives != (group ? LIVES_ALONE : LIVES_IN_GROUPS) && (!group || s->object);
}

bool rules_known(const struct native *n, const struct wire_slot *s)
{
    bool group = n->settings.group;
    if (s->type >= FIRST_USER_TYPE)
        return !group;               /* looked at when its object is known */
    const struct object_type *type = types_get(s->type);
    struct op op = slot_op(s);
    return type && type_known(type, s, group) && s->code < type->operation_count && (!type->possible || type->possible(&op, group));
}

bool rules_fits(const struct created *c, const struct wire_slot *s)
{
    const struct object_type *type = types_get(s->type);
    struct op op = slot_op(s);
    char why[MAX_RULE];
    int words = type->size(s->arg, why, sizeof why);
    if (words < 0 || (c && type->size(c->arg, why, sizeof why) != words))
        return false;
    return !type->fits || type->fits(c ? c->arg : NULL, &op);
}

const char *rules_operation(struct native *n, uint32_t slot, struct op *op, char *text)
{
    const struct wire_slot *s = &n->told;
    *op = slot_op(s);
    op->process = (uint8_t)n->members[slot].process;
    return find_named(n, s, op, text) ? text : rules_misused(n, op, text);
}
