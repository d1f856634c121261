/* What a program may do when (manual, section 6.1): create objects, then fork all processes from one parent, then
 * communicate. And which object an operation means, by the name that the program has for it.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "native/inside.h"
#include "base/memory.h"
#include "objects/types.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ipc.h>

enum { MAX_SEMAPHORE = 32767 };      /* as of the operating system */

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

/* ---- semaphores ---- */

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
        add_object(n, TYPE_SEMAPHORE, n->array_count, i, zero);
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

static const char *find_semaphore(struct native *n, const struct wire_slot *s, const char *call, uint32_t *object, char *text)
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
    if (too_late(n, slot, "semsetval", text) || find_semaphore(n, s, "semsetval", &object, text))
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

static const char *add_queue(struct native *n, const struct wire_slot *s, uint32_t *result, char *text)
{
    if (s->arg[0] < 1 || s->arg[0] > MAX_QUEUE)
        return broken(text, "get_bounded_queue(%d): the size of a queue is 1 to %d", s->arg[0], MAX_QUEUE);
    if (too_many(n, 1, text))
        return text;
    add_object(n, TYPE_QUEUE, n->queue_count, -1, s->arg);
    *result = n->queue_count++;
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
    if (s->type == TYPE_SEMAPHORE)
        return get_array(n, slot, result, text);
    const char *call = s->type == TYPE_QUEUE ? "get_bounded_queue" : s->type == TYPE_MEMORY ? "shmget" : "VS_object_new";
    if (too_late(n, slot, call, text))
        return text;
    if (s->type == TYPE_QUEUE)
        return add_queue(n, s, result, text);
    if (s->type != TYPE_MEMORY)
        return add_user_object(n, s, result, text);
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

static const char *check_semaphore(struct native *n, const struct wire_slot *s, struct op *op, char *text)
{
    static const char *const calls[] = {"semwait", "semsignal", "semctl"};
    const char *call = calls[s->code <= SEMAPHORE_REMOVE ? s->code : SEMAPHORE_REMOVE];
    if (find_semaphore(n, s, call, &op->object, text))
        return text;
    if (s->arg[0] >= 0 && s->arg[0] <= MAX_SEMAPHORE)
        return NULL;
    return broken(text, "%s by %d: the number must be 0 to %d", call, s->arg[0], MAX_SEMAPHORE);
}

static uint32_t find_object(const struct native *n, bool user, int32_t number)
{
    for (uint32_t i = 0; i < n->start.object_count; i++) {
        const struct created *c = &n->start.objects[i];
        if ((user ? c->type >= FIRST_USER_TYPE : c->type == TYPE_QUEUE) && number >= 0 && c->number == (uint32_t)number)
            return i;
    }
    return NO_OBJECT;
}

static const char *check_queue(struct native *n, const struct wire_slot *s, struct op *op, char *text)
{
    static const char *const calls[] = {"send_to_queue", "rcv_from_queue", "is_queue_full", "is_queue_empty", "remove_queue"};
    const char *call = calls[s->code <= QUEUE_REMOVE ? s->code : QUEUE_REMOVE];
    op->object = find_object(n, false, s->number);
    if (op->object == NO_OBJECT)
        return broken(text, "%s on queue %d: the program has %u, numbered from 0", call, s->number, n->queue_count);
    op->arg[0] = n->start.objects[op->object].arg[0];
    if (s->arg[0] != -1 && s->arg[0] != op->arg[0])
        return broken(text, "%s with size %d: queue %d was created with size %d", call, s->arg[0], s->number, op->arg[0]);
    if (s->text_length > MAX_MESSAGE)
        return broken(text, "%s: the message is longer than %d bytes", call, MAX_MESSAGE);
    return NULL;
}

static const char *check_user_object(struct native *n, const struct wire_slot *s, struct op *op, char *text)
{
    op->object = find_object(n, true, s->number);
    if (op->object == NO_OBJECT)
        return broken(text, "VS_object_do on object %d: the program has %u of them, numbered from 0", s->number, n->user_count);
    op->type = n->start.objects[op->object].type;
    const struct object_type *type = types_get(op->type);
    if (s->code >= type->operation_count)
        return broken(text, "VS_object_do with operation %d: type '%s' has %u, numbered from 0", s->code, type->name,
                      type->operation_count);
    if (s->text_length > MAX_MESSAGE)
        return broken(text, "VS_object_do: the text is longer than %d bytes", MAX_MESSAGE);
    return NULL;
}

/* ---- what only a program that wrote into the wire can say ---- */

static bool is_process(int32_t p) { return p >= 0 && p < MAX_PROCESSES; }
static bool is_signal(int32_t s)  { return s >= 1 && s <= 64; }
static bool is_count(int32_t n)   { return n >= 0 && n <= MAX_SEMAPHORE; }

/* Most ends are told by events of their own. */
static bool process_known(const struct wire_slot *s, bool group)
{
    switch (s->code) {
    case PROCESS_EXIT: case PROCESS_STRUCTURE: return true;
    case PROCESS_WAIT:      return s->arg[0] == -1 || is_process(s->arg[0]);
    case PROCESS_CRASH: case PROCESS_DIVERGENCE: case PROCESS_UNSUPPORTED: case PROCESS_NONDETERMINISM: case PROCESS_NONE: return false;
    case PROCESS_JOIN: case PROCESS_DETACH: case PROCESS_CANCEL: return group && is_process(s->arg[0]);
    case PROCESS_KILL:      return group && is_process(s->arg[0]) && (!s->arg[1] || is_signal(s->arg[1]));
    case PROCESS_SIGACTION: return group && is_signal(s->arg[0] & SIGNAL_NUMBER);
    default:                return group;
    }
}

static bool streams_known(const struct wire_slot *s)
{
    if (s->code == STREAMS_POLL)
        return __builtin_popcount((uint32_t)s->arg[0]) + __builtin_popcount((uint32_t)s->arg[1]) <= STREAMS_POLLED;
    return s->arg[0] >= 0 && s->arg[0] < STREAMS_CHANNELS && s->arg[1] >= 0;
}

static bool semset_known(const struct wire_slot *s)
{
    switch (s->code) {
    case SEMSET_INIT:                     return s->arg[0] >= 1 && s->arg[0] <= SEMSET_MOST;
    case SEMSET_DO: case SEMSET_REMOVE:   return true;
    case SEMSET_GET: case SEMSET_UNDO:    return s->arg[0] >= 0 && s->arg[0] < SEMSET_MOST;
    default:                              return s->arg[0] >= 0 && s->arg[0] < SEMSET_MOST && is_count(s->arg[1]);
    }
}

static bool mutex_known(const struct wire_slot *s)
{
    int32_t kind = s->arg[0] & ~MUTEX_ROBUST, holder = s->arg[1] & 255;
    bool held = s->arg[1] >= MUTEX_HELD(0, 1) && holder >= 1 && holder <= MAX_PROCESSES;
    return kind >= MUTEX_NORMAL && kind <= MUTEX_SPIN && (!s->arg[1] || held);
}

static bool messages_known(const struct wire_slot *s)
{
    return s->arg[1] >= 0 && (s->code != MESSAGES_SEND || s->arg[0] >= 1) && (s->code != MESSAGES_INIT || s->arg[0] >= 0);
}

/* Operations on no object; those of processes with memory of their own; those of a group. */
static bool type_known(const struct wire_slot *s, bool group)
{
    if (s->type <= TYPE_ABORT)
        return !group || !s->object;
    if (group)
        return s->type != TYPE_SEMAPHORE && s->type < TYPE_COUNT && s->object;
    return s->type == TYPE_SEMAPHORE || s->type == TYPE_QUEUE || s->type >= FIRST_USER_TYPE;
}

bool rules_known(const struct native *n, const struct wire_slot *s)
{
    bool group = n->settings.group;
    if (!type_known(s, group))
        return false;
    if (s->type >= FIRST_USER_TYPE)
        return true;                 /* looked at when its object is known */
    if (s->code >= types_get(s->type)->operation_count)
        return false;
    switch (s->type) {
    case TYPE_PROCESS:  return process_known(s, group);
    case TYPE_STREAMS:  return streams_known(s);
    case TYPE_SEMSET:   return semset_known(s);
    case TYPE_MUTEX:    return mutex_known(s);
    case TYPE_MESSAGES: return messages_known(s);
    default:            return true;
    }
}

/* Of an array of semaphores, all that an operation names. */
static bool names_semaphores(const struct wire_slot *s, int32_t count)
{
    uint32_t bits[] = {(uint32_t)s->arg[0], (uint32_t)s->arg[0] >> 16, (uint32_t)s->arg[1], (uint32_t)s->arg[1] >> 16,
                       (uint32_t)s->arg[2] >> SEMSET_FIFTH};
    int32_t parts = s->arg[2] >> 3 & 7;
    bool wide = s->arg[2] & SEMSET_WIDE, right = parts <= (wide ? SEMSET_OPERATIONS_WIDE : SEMSET_OPERATIONS);
    for (int32_t i = 0; i < parts && right; i++)
        right = (int32_t)(bits[wide ? 2 * i : i] & (SEMSET_MOST - 1)) < count;
    return right;
}

bool rules_fits(const struct created *c, const struct wire_slot *s)
{
    const struct object_type *type = types_get(s->type);
    char why[MAX_RULE];
    int words = type->size(s->arg, why, sizeof why);
    bool begins = s->type == TYPE_SEMSET && s->code == SEMSET_INIT;
    if (!c)
        return words >= 0 && (s->type != TYPE_SEMSET || begins);
    if (type->size(c->arg, why, sizeof why) != words)
        return false;
    if (s->type != TYPE_SEMSET || begins || s->code == SEMSET_REMOVE)
        return true;
    return s->code == SEMSET_DO ? names_semaphores(s, c->arg[0]) : s->arg[0] < c->arg[0];
}

const char *rules_operation(struct native *n, uint32_t slot, struct op *op, char *text)
{
    const struct wire_slot *s = &n->told;
    *op = (struct op){.type = s->type, .code = s->code, .process = (uint8_t)n->members[slot].process, .object = NO_OBJECT,
                      .arg = {s->arg[0], s->arg[1], s->arg[2]}, .place = s->place};
    if (s->type == TYPE_TOSS && (s->arg[0] < 0 || s->arg[0] > MAX_TOSS))
        return broken(text, "VS_toss(%d): the argument must be 0 to %d", s->arg[0], MAX_TOSS);
    if (s->type == TYPE_SEMAPHORE)
        return check_semaphore(n, s, op, text);
    if (s->type == TYPE_QUEUE)
        return check_queue(n, s, op, text);
    return s->type >= FIRST_USER_TYPE ? check_user_object(n, s, op, text) : NULL;
}
