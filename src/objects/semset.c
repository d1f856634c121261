/* Arrays of SysV semaphores. One operation does several things at once, to several semaphores of the array, or nothing: it waits
 * until it can do all of them in order. What was done with SEM_UNDO is remembered for each UNIX process, and taken back as it ends.
 * Semaphores of one array have nothing to do with each other, unless an operation names both.
 *
 * Invariant: the value of each is from 0 to LARGEST, and 0 of those beyond COUNT.
 * SPDX-License-Identifier: MIT */
#include "objects/builtin.h"
#include "wire.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* What is to be added to each semaphore as a UNIX process ends: those of one process stand together. */
enum { COUNT, VALUES, UNDOS = VALUES + SEMSET_MOST, WORDS = UNDOS + MAX_PROCESSES * SEMSET_MOST };
enum { LARGEST = MAX_SEMAPHORE, HIGH = LARGEST / 2 };
#define REMOVED UINT32_MAX                   /* the COUNT of a removed array */

static const struct operation operations[] = {
    [SEMSET_INIT]   = { .name = "semget",  .format = "semget(%o, %0)", .traits = OP_MAKES },
    [SEMSET_DO]     = { .name = "semop",   .format = "semop(%o%e)", .result = RESULT_NUMBER, .many = true, .traits = OP_INTERRUPTED, .limit = { .arg = 2, .has = ARG_TIMED, .drops = ARG_TIMED } },
    [SEMSET_SET]    = { .name = "semctl(SETVAL)",   .format = "semctl(%o, %0, SETVAL, %1)" },
    [SEMSET_GET]    = { .name = "semctl(GETVAL)",   .format = "semctl(%o, %0, GETVAL)", .result = RESULT_NUMBER, .many = true },
    [SEMSET_UNDO]   = { .name = "undo",    .format = "undo of semop(%o, %0)" },
    [SEMSET_REMOVE] = { .name = "semctl(IPC_RMID)", .format = "semctl(%o, IPC_RMID)" },
    [SEMSET_WAIT]   = { .name = "semwait",   .format = "semwait(%o, %0, %1)", .awaits = AWAITS_UNITS },
    [SEMSET_SIGNAL] = { .name = "semsignal", .format = "semsignal(%o, %0, %1)" },
};

static int size(const int32_t arg[3], char *why, size_t room)
{
    (void)arg, (void)why, (void)room;
    return WORDS;
}

static void init(const int32_t arg[3], uint32_t *state)
{
    memset(state, 0, WORDS * sizeof *state);
    state[COUNT] = (uint32_t)arg[0];
}

/* ---- what an operation says ---- */

struct part { uint32_t semaphore; int32_t value; bool nowait, undo; };

static uint32_t host_of(const struct op *op) { return (uint32_t)op->arg[2] >> 8 & 63; }

static struct part part_of(uint32_t bits, int width)
{
    int32_t value = (int32_t)(bits << (32 - width)) >> (32 - width + 7);
    return (struct part){ bits & (SEMSET_MOST - 1), value, bits >> 5 & 1, bits >> 6 & 1 };
}

static bool is_manual(const struct op *op) { return op->code == SEMSET_WAIT || op->code == SEMSET_SIGNAL; }
static bool has_parts(const struct op *op) { return op->code == SEMSET_DO || is_manual(op); }

/* To wait for none is nothing; semop would wait for zero. */
static int manual_part(const struct op *op, struct part *part)
{
    *part = (struct part){ (uint32_t)op->arg[0] % SEMSET_MOST, op->code == SEMSET_WAIT ? -op->arg[1] : op->arg[1], false, false };
    return op->arg[1] != 0;
}

static int parts_of(const struct op *op, struct part part[SEMSET_OPERATIONS])
{
    if (is_manual(op))
        return manual_part(op, part);
    uint32_t half[SEMSET_OPERATIONS] = { (uint32_t)op->arg[0] & 0xffff, (uint32_t)op->arg[0] >> 16, (uint32_t)op->arg[1] & 0xffff,
                                         (uint32_t)op->arg[1] >> 16, (uint32_t)op->arg[2] >> SEMSET_FIFTH };
    int count = op->arg[2] >> 3 & 7;
    count = count < SEMSET_OPERATIONS ? count : SEMSET_OPERATIONS;
    for (int i = 0; i < count; i++)
        part[i] = op->arg[2] & SEMSET_WIDE ? part_of((uint32_t)op->arg[i & 1], 32) : part_of(half[i], 16);
    return count;
}

/* ---- trying ---- */

enum { CAN = 0, WAITS = -1 };        /* or an errno */

/* What comes of the operation; the values of its semaphores after it are in `after`, a place for each part. */
static int try(const uint32_t *state, const struct part *part, int count, int32_t after[SEMSET_OPERATIONS])
{
    for (int i = 0; i < count; i++) {
        int32_t value = (int32_t)state[VALUES + part[i].semaphore];
        for (int k = 0; k < i; k++)
            if (part[k].semaphore == part[i].semaphore)
                value = after[k];
        after[i] = value + part[i].value;
        if (after[i] < 0 || (part[i].value == 0 && value != 0))
            return part[i].nowait ? EAGAIN : WAITS;
        if (after[i] > LARGEST)
            return ERANGE;
    }
    return CAN;
}

static uint32_t choices(const uint32_t *state, const struct op *op)
{
    struct part part[SEMSET_OPERATIONS];
    int32_t after[SEMSET_OPERATIONS];
    if (!has_parts(op) || state[COUNT] == REMOVED || op_gives_up(op) & ARG_TIMED)
        return 1;
    return try(state, part, parts_of(op, part), after) != WAITS;
}

/* ---- doing ---- */

static uint32_t *undo_of(uint32_t *state, uint32_t host, uint32_t semaphore)
{
    return state + UNDOS + host * SEMSET_MOST + semaphore;
}

static void remember(struct log *log, uint32_t *state, uint32_t host, const struct part *part)
{
    uint32_t *undo = undo_of(state, host, part->semaphore);
    object_set(log, undo, *undo - (uint32_t)part->value);
}

static uint32_t operate(struct log *log, uint32_t *state, const struct op *op)
{
    struct part part[SEMSET_OPERATIONS];
    int32_t after[SEMSET_OPERATIONS];
    int count = parts_of(op, part), outcome = try(state, part, count, after);
    if (outcome != CAN)
        return (uint32_t)-(outcome == WAITS ? EAGAIN : outcome);
    for (int i = 0; i < count; i++) {
        if (part[i].value)
            object_set(log, &state[VALUES + part[i].semaphore], (uint32_t)after[i]);
        if (part[i].undo && part[i].value)
            remember(log, state, host_of(op), &part[i]);
    }
    return 0;
}

static void take_back(struct log *log, uint32_t *state, uint32_t host, uint32_t semaphore)
{
    uint32_t *value = &state[VALUES + semaphore], *undo = undo_of(state, host, semaphore);
    int32_t after = (int32_t)*value + (int32_t)*undo;
    if (!*undo)
        return;
    object_set(log, value, (uint32_t)(after < 0 ? 0 : after > LARGEST ? LARGEST : after));
    object_set(log, undo, 0);
}

static uint32_t undo(struct log *log, uint32_t *state, const struct op *op)
{
    take_back(log, state, host_of(op), (uint32_t)op->arg[0] % SEMSET_MOST);
    return 0;
}

_Static_assert(2 * SEMSET_MOST <= OBJECT_CHANGES_OF_MANY && 2 * SEMSET_OPERATIONS <= OBJECT_CHANGES_OF_GROUP, "room in the log");

static void killed(struct log *log, uint32_t *state, int host)
{
    for (uint32_t i = 0; i < SEMSET_MOST; i++)
        take_back(log, state, (uint32_t)host, i);
}

static void check(const uint32_t *state)
{
    assert(state[COUNT] == REMOVED || state[COUNT] <= SEMSET_MOST);
    for (uint32_t i = 0; i < SEMSET_MOST; i++) {
        assert(state[VALUES + i] <= LARGEST);
        assert(i < state[COUNT] || !state[VALUES + i]);
    }
}

static uint32_t execute(struct log *log, uint32_t *state, const struct op *op, uint32_t choice)
{
    (void)choice;
    if (state[COUNT] == REMOVED)
        return RESULT_REMOVED;
    switch (op->code) {
    case SEMSET_INIT: return 0;      /* it is new as soon as a process stands before this */
    case SEMSET_DO:
    case SEMSET_WAIT:
    case SEMSET_SIGNAL: return operate(log, state, op);
    case SEMSET_SET:  object_set(log, &state[VALUES + op->arg[0] % SEMSET_MOST], (uint32_t)op->arg[1]); return 0;
    case SEMSET_GET:  return state[VALUES + op->arg[0] % SEMSET_MOST];
    case SEMSET_UNDO: return undo(log, state, op);
    default:          object_set(log, &state[COUNT], REMOVED); return 0;
    }
}

/* ---- what depends on what ---- */

/* What an operation does to semaphores, a bit each. Adding commutes with adding, unless the value is near its largest. */
struct effect { uint32_t looks, adds, changes; };

static struct effect effect_of(const struct op *op, uint32_t near_largest)
{
    struct effect e = { 0, 0, 0 };
    struct part part[SEMSET_OPERATIONS];
    if (!has_parts(op)) {
        *(op->code == SEMSET_GET ? &e.looks : &e.changes) = 1u << op->arg[0] % SEMSET_MOST;
        return e;
    }
    for (int i = 0, count = parts_of(op, part); i < count; i++)
        *(part[i].value == 0 ? &e.looks : part[i].value > 0 && !near_largest ? &e.adds : &e.changes) |= 1u << part[i].semaphore;
    return e;
}

enum { UNDO_ADDS = 2, UNDO_TAKES = 3 };

/* Whether an addition could be too much; of an undo, what it does. */
static uint32_t stamp(const uint32_t *state, const struct op *op)
{
    struct part part[SEMSET_OPERATIONS];
    if (op->code == SEMSET_UNDO && state[COUNT] != REMOVED) {
        int32_t adds = (int32_t)state[UNDOS + host_of(op) * SEMSET_MOST + (uint32_t)op->arg[0] % SEMSET_MOST];
        return adds < 0 ? UNDO_TAKES : adds > 0 ? UNDO_ADDS : 0;
    }
    if (!has_parts(op) || state[COUNT] == REMOVED)
        return 0;
    for (int i = 0, count = parts_of(op, part); i < count; i++)
        if (part[i].value > HIGH / 2 || (part[i].value > 0 && state[VALUES + part[i].semaphore] > HIGH))
            return 1;
    return 0;
}

static bool conflict(const struct op *first, uint32_t first_stamp, const struct op *second, uint32_t second_stamp)
{
    if (first->code == SEMSET_INIT || second->code == SEMSET_INIT)
        return false;
    if (first->code == SEMSET_REMOVE || second->code == SEMSET_REMOVE)
        return true;
    if (first->code == SEMSET_UNDO && second->code == SEMSET_UNDO && first_stamp == second_stamp)
        return false;                /* also where one comes upon a bound: that leaves nothing for the other to do */
    struct effect a = effect_of(first, first_stamp), b = effect_of(second, second_stamp);
    return (a.changes & (b.looks | b.adds | b.changes)) || (b.changes & (a.looks | a.adds)) || (a.adds & b.looks)
        || (a.looks & b.adds);
}

static bool dependent(const uint32_t *state, const struct op *a, const struct op *b)
{
    return state[COUNT] != REMOVED && conflict(a, stamp(state, a), b, stamp(state, b));
}

/* ---- for people and tables ---- */

static void print(const uint32_t *state, const char *(*text)(void *, uint32_t), void *texts, char *out, size_t room)
{
    (void)text, (void)texts;
    if (state[COUNT] == REMOVED) {
        snprintf(out, room, "removed");
        return;
    }
    int used = snprintf(out, room, "%s", state[COUNT] == 1 ? "value" : "values");
    for (uint32_t i = 0; i < state[COUNT] && i < SEMSET_MOST && (size_t)used < room; i++)
        used += snprintf(out + used, room - (size_t)used, " %u", state[VALUES + i]);
}

/* It takes, or gives, when all its parts do; then the first of them says what. */
static void passage(const uint32_t *before, const struct op *op, uint32_t result, struct passage *p)
{
    struct part part[SEMSET_OPERATIONS];
    int count = has_parts(op) && result == 0 ? parts_of(op, part) : 0, takes = 0, gives = 0;
    (void)before;
    for (int i = 0; i < count; i++) {
        takes += part[i].value < 0;
        gives += part[i].value > 0;
    }
    p->role = !count ? ROLE_NONE : takes == count ? ROLE_TAKE : gives == count ? ROLE_GIVE : ROLE_NONE;
    p->part = count ? part[0].semaphore : 0;
}

static uint32_t traits(const struct op *op) { return op_gives_up(op) ? OP_YIELDS : 0; }

/* ---- what a program can say ---- */

static bool possible(const struct op *op, bool group)
{
    bool is_semaphore = op->arg[0] >= 0 && op->arg[0] < SEMSET_MOST;
    (void)group;
    switch (op->code) {
    case SEMSET_INIT:                     return op->arg[0] >= 1 && op->arg[0] <= SEMSET_MOST;
    case SEMSET_DO: case SEMSET_REMOVE:   return true;
    case SEMSET_GET: case SEMSET_UNDO:    return is_semaphore;
    default:                              return is_semaphore && op->arg[1] >= 0 && op->arg[1] <= MAX_SEMAPHORE;
    }
}

/* Does the array have all the semaphores that an operation names? */
static bool fits(const int32_t *made, const struct op *op)
{
    struct part part[SEMSET_OPERATIONS];
    int32_t said = op->arg[2] >> 3 & 7, count = op->code == SEMSET_DO ? parts_of(op, part) : 0;
    if (op->code == SEMSET_INIT || !made)
        return op->code == SEMSET_INIT;
    if (op->code == SEMSET_DO && said > (op->arg[2] & SEMSET_WIDE ? SEMSET_OPERATIONS_WIDE : SEMSET_OPERATIONS))
        return false;
    for (int i = 0; i < count; i++)
        if ((int32_t)part[i].semaphore >= made[0])
            return false;
    return op->code == SEMSET_DO || op->code == SEMSET_REMOVE || op->arg[0] < made[0];
}

/* ---- its semaphores, one by one ---- */

static uint32_t count(const int32_t arg[3]) { return (uint32_t)arg[0]; }

static bool operation(const struct op *op, struct op *as, int32_t *index)
{
    *as = *op;
    as->type = TYPE_SEMAPHORE;
    as->code = op->code == SEMSET_WAIT ? SEMAPHORE_WAIT : SEMAPHORE_SIGNAL;
    as->arg[0] = op->arg[1];
    *index = op->arg[0];
    return is_manual(op);
}

static int64_t taken(const struct op *op, uint32_t result)
{
    return result || !is_manual(op) ? 0 : op->code == SEMSET_WAIT ? op->arg[1] : -(int64_t)op->arg[1];
}

static uint32_t left(const uint32_t *state, const struct op *about) { return state[VALUES + about->arg[0] % SEMSET_MOST]; }

static bool sets(const struct op *op, const struct op *about, uint32_t *value)
{
    *value = (uint32_t)op->arg[1];
    return op->code == SEMSET_SET && op->arg[0] == about->arg[0];
}

static const struct units units = { .left = left, .sets = sets, .gave = "signalled" };
static const struct parts parts = { .type = TYPE_SEMAPHORE, .count = count, .operation = operation };

const struct object_type semset_type = {
    .version = OBJECT_VERSION, .name = "semaphore array", .lives = LIVES_IN_GROUPS, .possible = possible, .fits = fits,
    .operations = operations, .operation_count = sizeof operations / sizeof *operations,
    .size = size, .init = init, .choices = choices, .execute = execute, .dependent = dependent, .stamp = stamp,
    .conflict = conflict, .print = print, .passage = passage, .killed = killed,
    .traits = traits, .taken = taken, .units = &units, .parts = &parts, .numbered = true, .check = check,
};
