/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "native/outside.h"

#include "native/group.h"
#include "base/memory.h"
#include "base/prose.h"
#include "objects/types.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct stand { struct native *n; uint32_t slot; const struct wire_slot *slot_told; const struct op *op; };

/* What another thread does to one: whether it is outside is decided by that one. */
static bool is_done_to_thread(const struct op *op)
{
    return is_process(op, PROCESS_JOIN) || is_process(op, PROCESS_DETACH) || is_process(op, PROCESS_CANCEL);
}

/* The end of a thread stands where its function does. */
static bool is_about_thread(const struct op *op)
{
    return is_done_to_thread(op) || is_process(op, PROCESS_FINISH) || (is_process(op, PROCESS_CREATE) && !op->arg[0]);
}

static bool is_fork(const struct op *op) { return is_process(op, PROCESS_CREATE) && op->arg[0]; }

/* Never outside by themselves. */
static bool never(const struct op *op)
{
    static const uint8_t some[] = { PROCESS_YIELD, PROCESS_KILL, PROCESS_SIGMASK, PROCESS_SIGACTION, PROCESS_SIGWAIT, PROCESS_SIGPENDING,
                                    PROCESS_PAUSE, PROCESS_SETTIME, PROCESS_GETTIME };
    for (size_t i = 0; i < sizeof some; i++)
        if (is_process(op, some[i]))
            return false;
    return about_processes(op) && !is_about_thread(op) && !is_fork(op);
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

/* Of "process N"; 0: it is no such name. */
static long number_in(const char *name)
{
    char *end;
    long number = strncmp(name, "process ", 8) ? 0 : strtol(name + 8, &end, 10);
    return number > 0 && !*end ? number : 0;
}

void outside_init(struct outside *o, char *const *names, uint32_t count)
{
    *o = (struct outside){ .names = names, .count = count };
    for (uint32_t i = 0; i < count; i++) {
        long number = number_in(names[i]);
        o->hiding.numbers |= number && number <= MAX_PROCESSES ? UINT64_C(1) << (number - 1) : 0;
    }
}

static bool by_process(const struct stand *at, const char *name)
{
    long number = number_in(name);
    bool done_to = is_done_to_thread(at->op) && number == at->op->arg[0] + 1;
    bool own = !is_process(at->op, PROCESS_CREATE) && (number == at->op->process + 1 || number == (long)at->slot + 1);
    return number && (done_to || own);
}

static bool is_called(const struct stand *at, uint64_t pc, const char *name)
{
    struct place p = where_call(native_where(at->n), pc);
    return p.function && !strcmp(p.function, name);
}

static bool begins_as(const struct stand *at, uint64_t function, const char *name) { return function && is_called(at, function + 1, name); }

static bool by_function(const struct stand *at, const char *name)
{
    const struct frames *f = &at->n->group.frames;
    if ((is_process(at->op, PROCESS_CREATE) && !is_fork(at->op)) || is_done_to_thread(at->op))
        return begins_as(at, at->slot_told->address, name);
    if (begins_as(at, at->slot_told->function, name) || is_called(at, at->op->place, name) || is_called(at, at->slot_told->place, name))
        return true;
    if (!at->slot_told->stack || is_about_thread(at->op))
        return false;
    places_unwind(at->n, at->slot, at->slot_told->stack);
    for (int i = 0; i < f->count; i++)
        if (is_called(at, f->at[i].pc, name))
            return true;
    return false;
}

/* ---- UNIX processes that are outside altogether ---- */

static bool has(uint64_t set, int p) { return p >= 0 && p < MAX_PROCESSES && set >> p & 1; }

/* Is it done to one of them? Of a wait for any child: are all of them outside? */
static bool is_done_to_host(const struct stand *at, struct hiding *h)
{
    const struct op *op = at->op;
    if (is_process(op, PROCESS_KILL))
        return !(op->arg[2] & (KILL_THREAD | KILL_FIRST_OF_MANY)) && has(h->hosts, op->arg[0]);
    if (!is_process(op, PROCESS_WAIT))
        return false;
    bool all = op->arg[0] < 0 && has(h->makers, (int)at->slot) && !has(h->parents, (int)at->slot);
    h->waits |= all ? UINT64_C(1) << at->slot : 0;
    return all || has(h->hosts, op->arg[0]);
}

/* What the one UNIX process under control closes as it ends. */
static bool closes_alone(const struct stand *at, struct hiding *h)
{
    bool alone = at->slot_told->ending && !about_processes(at->op) && h->hosts && !h->parents;
    h->closes |= alone;
    return alone;
}

static enum outside_what by_host(const struct stand *at, struct hiding *h)
{
    if (!is_process(at->op, PROCESS_EXPIRE) && has(h->hosts, (int)at->slot))
        return OUTSIDE_PROCESS;
    return is_done_to_host(at, h) || closes_alone(at, h) ? OUTSIDE_OPERATION : NOT_OUTSIDE;
}

/* ---- who uses what ---- */

/* Numbers of objects are those of one run. */
void outside_forget(struct outside *o)
{
    for (uint32_t i = 0; i < o->use_count; i++)
        free(o->uses[i].name);
    free(o->uses);
    o->uses = NULL;
    o->use_count = o->use_room = 0;
}

static struct outside_use *use_of(struct outside *o, uint32_t object)
{
    while (o->use_count <= object) {
        ARRAY_GROW(o->uses, o->use_count, o->use_room);
        o->uses[o->use_count++] = (struct outside_use){ 0 };
    }
    return &o->uses[object];
}

static char *name_of(const struct stand *at)
{
    char name[256] = "";
    const char *type = types_get(at->op->type)->name;
    if (!group_name(at->n, at->op->object, name, sizeof name)) {
        const char *born = native_object_name(at->n, at->op->object, at->op->place);
        snprintf(name, sizeof name, "%s", born ? born : "without a name");
    }
    return prose_make("%s %s", type, name);
}

static void note_use(const struct stand *at, struct outside *o, enum outside_what what, bool named)
{
    if (at->op->object == NO_OBJECT || at->n->settings.one_path)         /* who follows one path numbers objects for himself */
        return;
    struct outside_use *u = use_of(o, at->op->object);
    uint32_t (*touches)(const struct op *) = types_get(at->op->type)->touches;
    uint32_t parts = touches ? touches(at->op) : 1;
    if (what == OUTSIDE_PROCESS && types_traits(at->op) & OP_LETS_GO)
        return;                      /* a child has ends of all pipes: who waits for their end waits for it, and sees nothing else by that */
    if (what == NOT_OUTSIDE && (types_traits(at->op) & (OP_MAKES | OP_NAMES)) == OP_MAKES)
        return;                      /* it is made there; nobody uses it before */
    uint64_t bit = UINT64_C(1) << at->op->process;
    if (what == NOT_OUTSIDE) {
        u->searched |= parts ? bit : 0;
        u->parts_searched |= parts;
        return;
    }
    u->outside |= bit;
    u->parts_outside |= parts;
    u->named |= named;
    if (!u->name)
        u->name = name_of(at);
}

/* At its end a UNIX process closes what it has of a pipe, though it be one by which only others talk, outside. */
static bool closes_others(const struct stand *at, struct outside *o)
{
    uint32_t (*touches)(const struct op *) = types_get(at->op->type)->touches;
    if (!at->slot_told->ending || !touches || at->op->object == NO_OBJECT)
        return false;
    const struct outside_use *u = use_of(o, at->op->object);
    uint32_t parts = touches(at->op);
    return parts & u->parts_outside && !(parts & u->parts_searched);
}

/* ---- the question ---- */

/* Why it is outside: which name says so; o->count: none does. */
static uint32_t find(const struct stand *at, const struct outside *o, bool (*by)(const struct stand *, const char *))
{
    uint32_t i = 0;
    while (i < o->count && !by(at, o->names[i]))
        i++;
    if (i < o->count && i < 64)
        at->n->settings.outside->used |= UINT64_C(1) << i;
    return i;
}

enum outside_what group_outside(struct native *n, uint32_t slot, const struct wire_slot *s, const struct op *op)
{
    struct outside *o = n->settings.outside;
    const struct stand at = { n, slot, s, op };
    if (!o || (types_get(op->type)->aside && !about_processes(op)))
        return NOT_OUTSIDE;
    bool named = false;
    enum outside_what what = by_host(&at, &o->hiding);
    if (what == OUTSIDE_OPERATION || (what == NOT_OUTSIDE && never(op)))
        return what;
    if (what != NOT_OUTSIDE) {
        find(&at, o, by_process);
    } else if (find(&at, o, by_process) < o->count) {
        what = is_done_to_thread(op) ? OUTSIDE_OPERATION : OUTSIDE_PROCESS;
        o->processes |= is_done_to_thread(op) ? 0 : UINT64_C(1) << op->process;
    } else if (find(&at, o, by_function) < o->count || closes_others(&at, o)) {
        what = OUTSIDE_OPERATION;
    } else if ((named = find(&at, o, by_object) < o->count)) {
        what = OUTSIDE_OPERATION;
    }
    note_use(&at, o, what, named);
    return what;
}
