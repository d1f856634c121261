/* Queues of messages with types: those of SysV, and those of POSIX, whose priorities are types. A send waits while there is no room,
 * a receive while there is no message that it wants. The bytes themselves are in the program's memory.
 *
 * Messages are counted from the first one for ever; message n stands in place n % MESSAGES_MOST until it is received.
 * Invariant: OLDEST is in it, or it is empty; there is a place for each from OLDEST to NEXT, and room for their bytes.
 * SPDX-License-Identifier: MIT */
#include "objects/builtin.h"
#include "wire.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* OLDEST to NEXT: the messages that may be in it; the type of a place is 0 when it was received already. SENT, bytes ever sent, only
 * counts as far as ROOM; it is there for the stamps. */
enum { ROOM, LIMIT, BYTES, COUNT, OLDEST, NEXT, SENT, TYPES, LENGTHS = TYPES + MESSAGES_MOST, WORDS = LENGTHS + MESSAGES_MOST };
#define REMOVED 0u                   /* the LIMIT of a removed queue */
#define NONE UINT32_MAX

static const struct operation operations[] = {
    [MESSAGES_INIT]    = { .name = "msgget", .format = "msgget(%o)", .traits = OP_MAKES },
    [MESSAGES_SEND]    = { .name = "msgsnd", .format = "%e(%o, %1 bytes of type %0)", .result = RESULT_NUMBER, .many = true,
                           .role = ROLE_SEND, .limit = { .arg = 2, .has = ARG_TIMED, .drops = ARG_TIMED } },
    [MESSAGES_RECEIVE] = { .name = "msgrcv", .format = "%e(%o, %1 bytes)", .result = RESULT_NUMBER, .many = true,
                           .role = ROLE_RECEIVE, .limit = { .arg = 2, .has = ARG_TIMED, .drops = ARG_TIMED } },
    [MESSAGES_COUNT]   = { .name = "msgctl(IPC_STAT)", .format = "msgctl(%o, IPC_STAT)", .result = RESULT_NUMBER, .many = true },
    [MESSAGES_REMOVE]  = { .name = "msgctl(IPC_RMID)", .format = "msgctl(%o, IPC_RMID)" },
    [MESSAGES_OPEN]    = { .name = "mq_open", .format = "mq_open(%o)", .traits = OP_MAKES | OP_NAMES },
};

static int size(const int32_t arg[3], char *why, size_t room)
{
    (void)arg, (void)why, (void)room;
    return WORDS;
}

static void init(const int32_t arg[3], uint32_t *state)
{
    memset(state, 0, WORDS * sizeof *state);
    state[ROOM] = (uint32_t)arg[0];
    state[LIMIT] = (uint32_t)arg[1];
}

static bool patient(const struct op *op) { return !op_gives_up(op); }

/* ---- sending ---- */

static bool has_room(const uint32_t *state, const struct op *op)
{
    return state[COUNT] < state[LIMIT] && state[BYTES] + (uint32_t)op->arg[1] <= state[ROOM];
}

static bool no_place(const uint32_t *state) { return state[NEXT] - state[OLDEST] == MESSAGES_MOST; }

static uint32_t send(struct log *log, uint32_t *state, const struct op *op)
{
    uint32_t length = (uint32_t)op->arg[1], place = state[NEXT] % MESSAGES_MOST;
    if (!has_room(state, op))
        return (uint32_t)-EAGAIN;
    if (no_place(state))
        return (uint32_t)-ENOSPC;
    object_set(log, &state[TYPES + place], (uint32_t)op->arg[0]);
    object_set(log, &state[LENGTHS + place], length);
    object_set(log, &state[BYTES], state[BYTES] + length);
    object_set(log, &state[COUNT], state[COUNT] + 1);
    object_set(log, &state[NEXT], state[NEXT] + 1);
    object_set(log, &state[SENT], state[SENT] > state[ROOM] ? state[SENT] : state[SENT] + length);
    return 0;
}

/* ---- receiving ---- */

/* Is a message of type `type` wanted, and more than one of type `best` (0: none yet)? An earlier one is asked first. */
static bool wanted(const struct op *op, int32_t type, int32_t best)
{
    int32_t want = op->arg[0];
    if (want == MESSAGES_HIGHEST)
        return type > best;
    if (want < 0)
        return type <= -want && (!best || type < best);
    if (best)
        return false;
    return want == 0 || (op->arg[2] & MESSAGES_EXCEPT ? type != want : type == want);
}

static uint32_t pick(const uint32_t *state, const struct op *op)         /* NONE: there is none */
{
    uint32_t picked = NONE;
    int32_t best = 0;
    for (uint32_t n = state[OLDEST]; n != state[NEXT]; n++) {
        int32_t type = (int32_t)state[TYPES + n % MESSAGES_MOST];
        if (type && wanted(op, type, best)) {
            picked = n;
            best = type;
        }
    }
    return picked;
}

static uint32_t receive(struct log *log, uint32_t *state, const struct op *op)
{
    uint32_t n = pick(state, op), place = n % MESSAGES_MOST, oldest = state[OLDEST];
    if (n == NONE)
        return (uint32_t)-ENOMSG;
    if (state[LENGTHS + place] > (uint32_t)op->arg[1] && !(op->arg[2] & MESSAGES_CUT))
        return (uint32_t)-E2BIG;
    object_set(log, &state[TYPES + place], 0);
    object_set(log, &state[BYTES], state[BYTES] - state[LENGTHS + place]);
    object_set(log, &state[COUNT], state[COUNT] - 1);
    while (oldest != state[NEXT] && !state[TYPES + oldest % MESSAGES_MOST])
        oldest++;
    object_set(log, &state[OLDEST], oldest);
    return n & INT32_MAX;
}

static void check(const uint32_t *state)
{
    uint32_t span = state[NEXT] - state[OLDEST];
    assert(span <= MESSAGES_MOST);
    assert(state[COUNT] <= span);
    assert(!span || state[TYPES + state[OLDEST] % MESSAGES_MOST]);
    assert(state[BYTES] <= state[ROOM]);
    assert(state[LIMIT] == REMOVED || state[COUNT] <= state[LIMIT]);
}

static uint32_t choices(const uint32_t *state, const struct op *op)
{
    if (state[LIMIT] == REMOVED || !patient(op))
        return 1;
    switch (op->code) {
    case MESSAGES_SEND:    return has_room(state, op);
    case MESSAGES_RECEIVE: return pick(state, op) != NONE;
    default:               return 1;
    }
}

static uint32_t execute(struct log *log, uint32_t *state, const struct op *op, uint32_t choice)
{
    (void)choice;
    if (state[LIMIT] == REMOVED)
        return RESULT_REMOVED;
    switch (op->code) {
    case MESSAGES_OPEN:
    case MESSAGES_INIT:    return 0;         /* it is new as soon as a process stands before this */
    case MESSAGES_SEND:    return send(log, state, op);
    case MESSAGES_RECEIVE: return receive(log, state, op);
    case MESSAGES_COUNT:   return state[COUNT];
    default:               object_set(log, &state[LIMIT], REMOVED); return 0;
    }
}

/* ---- what depends on what ---- */

/* Which message it sends or takes, and whether it needs no receive to make room for it, or gets none or fails. */
enum { NUMBER = (1 << 24) - 1, AT_ANY_TIME = 1 << 24, FAILS = 1 << 25 };

static uint32_t stamp(const uint32_t *state, const struct op *op)
{
    if (op->code == MESSAGES_SEND) {
        bool fits = state[NEXT] < state[LIMIT] && state[NEXT] < MESSAGES_MOST && state[SENT] + (uint32_t)op->arg[1] <= state[ROOM];
        return (state[NEXT] & NUMBER) | (fits && state[LIMIT] != REMOVED ? AT_ANY_TIME : 0);
    }
    if (op->code != MESSAGES_RECEIVE)
        return 0;
    uint32_t n = pick(state, op);
    bool takes = n != NONE && state[LIMIT] != REMOVED
              && (op->arg[2] & MESSAGES_CUT || state[LENGTHS + n % MESSAGES_MOST] <= (uint32_t)op->arg[1]);
    return (n & NUMBER) | (takes ? 0 : FAILS);
}

/* Takes the oldest, or the oldest of one type. */
static bool in_order(const struct op *op) { return op->arg[0] >= 0 && !(op->arg[2] & MESSAGES_EXCEPT); }
static bool of_one_type(const struct op *op) { return op->arg[0] > 0 && in_order(op); }

static bool send_and_receive(const struct op *s, uint32_t s_stamp, const struct op *r, uint32_t r_stamp)
{
    if (!(s_stamp & AT_ANY_TIME) || !in_order(r))
        return true;
    if (of_one_type(r) && r->arg[0] != s->arg[0])
        return false;
    return r_stamp & FAILS || (s_stamp & NUMBER) == (r_stamp & NUMBER);
}

static bool makes(const struct op *op) { return op->code == MESSAGES_INIT || op->code == MESSAGES_OPEN; }

static bool conflict(const struct op *first, uint32_t first_stamp, const struct op *second, uint32_t second_stamp)
{
    if (makes(first) || makes(second))
        return false;
    if (first->code == MESSAGES_COUNT && second->code == MESSAGES_COUNT)
        return false;
    if (first->code == MESSAGES_SEND && second->code == MESSAGES_RECEIVE)
        return send_and_receive(first, first_stamp, second, second_stamp);
    if (first->code == MESSAGES_RECEIVE && second->code == MESSAGES_SEND)
        return send_and_receive(second, second_stamp, first, first_stamp);
    if (first->code == MESSAGES_RECEIVE && second->code == MESSAGES_RECEIVE)
        return !(of_one_type(first) && of_one_type(second) && first->arg[0] != second->arg[0]);
    return true;
}

static bool dependent(const uint32_t *state, const struct op *a, const struct op *b)
{
    return state[LIMIT] != REMOVED && conflict(a, stamp(state, a), b, stamp(state, b));
}

/* ---- for people and tables ---- */

static uint32_t canonical(const uint32_t *state, uint32_t words, uint32_t *out)
{
    uint32_t count = 0;
    (void)words;
    out[count++] = state[LIMIT];
    for (uint32_t n = state[OLDEST]; n != state[NEXT] && state[LIMIT] != REMOVED; n++)
        if (state[TYPES + n % MESSAGES_MOST]) {
            out[count++] = n << 16 | (state[LENGTHS + n % MESSAGES_MOST] & 0xffff);      /* its number is what a receive gives */
            out[count++] = state[TYPES + n % MESSAGES_MOST];
        }
    out[count++] = state[NEXT];
    return count;
}

static void print(const uint32_t *state, const char *(*text)(void *, uint32_t), void *texts, char *out, size_t room)
{
    (void)text, (void)texts;
    if (state[LIMIT] == REMOVED) {
        snprintf(out, room, "removed");
        return;
    }
    int used = snprintf(out, room, "%u message%s, %u bytes", state[COUNT], state[COUNT] == 1 ? "" : "s", state[BYTES]);
    for (uint32_t n = state[OLDEST]; n != state[NEXT] && (size_t)used < room; n++)
        if (state[TYPES + n % MESSAGES_MOST])
            used += snprintf(out + used, room - (size_t)used, "%s %d", n == state[OLDEST] ? "; types" : "",
                             (int32_t)state[TYPES + n % MESSAGES_MOST]);
}

static uint64_t why(const uint32_t *state, const struct op *op, char *out, size_t room)
{
    const char *s = state[COUNT] == 1 ? "" : "s";
    if (op->code == MESSAGES_SEND && state[COUNT] >= state[LIMIT])
        snprintf(out, room, "the queue is full, with %u message%s", state[COUNT], s);
    else if (op->code == MESSAGES_SEND)
        snprintf(out, room, "the queue has %u of %u bytes, too many for %d more", state[BYTES], state[ROOM], op->arg[1]);
    else if (!state[COUNT])
        snprintf(out, room, "the queue is empty");
    else
        snprintf(out, room, "the queue has %u message%s, but none of the type that it asks for, %d", state[COUNT], s, op->arg[0]);
    return 0;
}

static void passage(const uint32_t *before, const struct op *op, uint32_t result, struct passage *p)
{
    if ((int32_t)result < 0)
        p->role = ROLE_NONE;
    p->first = (op->code == MESSAGES_SEND ? before[NEXT] : result) & INT32_MAX;
    p->count = 1;
}

static uint32_t traits(const struct op *op)
{
    return (op_gives_up(op) ? OP_YIELDS : 0) | (op->arg[2] & MESSAGES_POSIX ? OP_RESTARTED : OP_INTERRUPTED);
}

static bool possible(const struct op *op, bool group)
{
    (void)group;
    return op->arg[1] >= 0 && (op->code != MESSAGES_SEND || op->arg[0] >= 1) && (op->code != MESSAGES_INIT || op->arg[0] >= 0);
}

const struct object_type messages_type = {
    .version = OBJECT_VERSION, .name = "message queue", .lives = LIVES_IN_GROUPS, .possible = possible,
    .operations = operations, .operation_count = sizeof operations / sizeof *operations,
    .size = size, .init = init, .choices = choices, .execute = execute, .dependent = dependent, .stamp = stamp,
    .conflict = conflict, .canonical = canonical, .print = print, .passage = passage, .why = why,
    .traits = traits, .numbered = true, .check = check,
};
