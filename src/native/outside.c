/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "native/outside.h"

#include "native/group.h"
#include "objects/types.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct stand { struct native *n; uint32_t slot; const struct wire_slot *slot_told; const struct op *op; };

static bool begins_or_ends(const struct op *op)
{
    return about_processes(op) && op->code != PROCESS_YIELD && op->code != PROCESS_KILL && op->code != PROCESS_SIGMASK
        && op->code != PROCESS_SIGACTION;
}

/* ---- by type, and by object ---- */

/* "pipes" is the first word of "pipes and sockets", "mutexs" nobody writes. What comes behind the type; NULL: it is no such type. */
static const char *behind_type(const char *name, const char *type)
{
    size_t length = strcspn(name, " "), first = strcspn(type, " ");
    size_t whole = strlen(type);
    if (!strncmp(name, type, whole) && (!name[whole] || name[whole] == ' '))
        return name + whole;
    if (!strncmp(name, type, whole) && !strcmp(name + whole, "s"))
        return name + whole + 1;
    bool one = length == first && !strncmp(name, type, first);
    bool many = length == first + 1 && name[first] == 's' && !strncmp(name, type, first);
    bool es = length == first + 2 && !strncmp(name + first, "es", 2) && !strncmp(name, type, first);
    return one || many || es ? name + length : NULL;
}

static bool stands_in_file(const struct stand *at, const char *file)
{
    struct place p = where_call(native_where(at->n), at->op->place);
    const char *base = p.file ? strrchr(p.file, '/') : NULL;
    return p.file && (!strcmp(p.file, file) || !strcmp(base ? base + 1 : p.file, file));
}

static bool is_object(const struct stand *at, const char *rest)
{
    char name[256], wanted[256];
    const char *in = strstr(rest, " in "), *born;
    snprintf(wanted, sizeof wanted, "%.*s", (int)(in ? (size_t)(in - rest) : strlen(rest)), rest);
    if (!group_name(at->n, at->op->object, name, sizeof name)) {
        born = native_object_name(at->n, at->op->object, at->op->place);
        snprintf(name, sizeof name, "%s", born ? born : "");
    }
    return !strcmp(name, wanted) && (!in || stands_in_file(at, in + 4));
}

static bool by_object(const struct stand *at, const char *name)
{
    if (at->op->object == NO_OBJECT)
        return false;
    const char *rest = behind_type(name, types_get(at->op->type)->name);
    return rest && (!*rest || is_object(at, rest + 1));
}

/* ---- by process, and by function ---- */

static bool by_process(const struct stand *at, const char *name)
{
    char *end;
    if (strncmp(name, "process ", 8))
        return false;
    long number = strtol(name + 8, &end, 10);
    return !*end && (number == at->op->process + 1 || number == (long)at->slot + 1);
}

static bool is_called(const struct stand *at, uint64_t pc, const char *name)
{
    struct place p = where_call(native_where(at->n), pc);
    return p.function && !strcmp(p.function, name);
}

static bool by_function(const struct stand *at, const char *name)
{
    const struct frames *f = &at->n->group.frames;
    if (is_called(at, at->op->place, name) || is_called(at, at->slot_told->place, name))
        return true;
    if (!at->slot_told->stack)
        return false;
    places_unwind(at->n, at->slot, at->slot_told->stack);
    for (int i = 0; i < f->count; i++)
        if (is_called(at, f->at[i].pc, name))
            return true;
    return false;
}

bool group_outside(struct native *n, uint32_t slot, const struct wire_slot *s, const struct op *op)
{
    struct outside *o = n->settings.outside;
    const struct stand at = { n, slot, s, op };
    if (!o || begins_or_ends(op))
        return false;
    for (uint32_t i = 0; i < o->count; i++)
        if (by_object(&at, o->names[i]) || by_process(&at, o->names[i]) || by_function(&at, o->names[i])) {
            o->used |= i < 64 ? UINT64_C(1) << i : 0;
            return true;
        }
    return false;
}
