/* A variable that several processes use without a lock: plain, because that was seen to race, or atomic.
 *
 * Its value is in the program's memory. Here is as much of it as is needed to say whether a compare and exchange succeeds: one that
 * does not is a read. And who has seen it since it was last written: one who only waits for another value (AWAIT) can go when that is no
 * longer so. Two that read commute, whoever has seen what before.
 *
 * Locations at which one process looks in turn while it waits are one object. Each has its own set of those who have seen it, and one of those
 * who have looked at it since they last waited: who waits can go when something that it looked at was written since. So operations on different
 * locations commute, unless one of them is a waiting. Only of an object that is solid all operations count as on one location.
 * SPDX-License-Identifier: MIT */
#include "objects/builtin.h"
#include "objects/set.h"
#include "wire.h"

#include <assert.h>
#include <stdio.h>

enum { VALUE, KNOWN, SEEN, LOOKED = SET_WORDS, EACH = 2 * SET_WORDS };           /* LOOKED behind SEEN, where the object is several */

#define SHOWN .completes = COMPLETES_VARIABLE        /* which of several that are one object */

static const struct operation operations[] = {
    [LOCATION_READ]    = { .name = "read",          .format = "read %v", SHOWN },
    [LOCATION_WRITE]   = { .name = "write",         .format = "write %v", SHOWN },
    [LOCATION_LOAD]    = { .name = "atomic_load",   .format = "atomic_load(%v)", SHOWN },
    [LOCATION_STORE]   = { .name = "atomic_store",  .format = "atomic_store(%v)", SHOWN },
#define X(upper, lower) [LOCATION_##upper] = { .name = "atomic_" #lower, .format = "atomic_" #lower "(%v)", SHOWN },
    LOCATION_UPDATES(X)
#undef X
    [LOCATION_COMPARE] = { "atomic_compare_exchange", "atomic_compare_exchange(%v)", RESULT_NUMBER, true, SHOWN },
    [LOCATION_AWAIT]   = { .name = "look_again", .format = "look again at %v", .waiting = "spins until %v changes",
                           .awaits = AWAITS_CHANGE, SHOWN },
};

static bool is_loose(const int32_t arg[3]) { return arg[0] & LOCATION_LOOSE; }

static int size(const int32_t arg[3], char *why, size_t room)
{
    (void)why, (void)room;
    return SEEN + (is_loose(arg) ? LOCATION_APART * EACH : SET_WORDS);
}

static void init(const int32_t arg[3], uint32_t *state)
{
    for (int i = SEEN; i < size(arg, NULL, 0); i++)
        state[i] = 0;
    state[VALUE] = (uint32_t)arg[1];
    state[KNOWN] = arg[2] == 1;
}

/* What was in the variable when it was first used. */
static void found(int32_t arg[3], uint64_t argument)
{
    arg[1] = (int32_t)(uint32_t)argument;
    arg[2] = argument >> 32 == 1;
}

static bool reads(uint8_t code) { return code == LOCATION_READ || code == LOCATION_LOAD || code == LOCATION_AWAIT; }

/* One who reads by an operation that could write: it adds nothing, or puts in the place of a value the same. */
static bool rewrites(const struct op *op)
{
    switch (op->code) {
    case LOCATION_ADD:
    case LOCATION_SUB:
    case LOCATION_OR:
    case LOCATION_XOR:     return op->arg[1] == 0;
    case LOCATION_COMPARE: return op->arg[1] == op->arg[2];
    default:               return false;
    }
}

/* An addition of which nobody looks at the result: two of them commute, whatever their memory order (datarace.h). */
static bool is_blind(const struct op *op) { return op->code == LOCATION_ADD && op->arg[0] & LOCATION_UNUSED; }

/* ---- who has seen what ---- */

static uint32_t part(const struct op *op)                /* which location of the object, as far as they are told apart */
{
    uint32_t which = is_loose(op->arg) ? LOCATION_WHICH(op) : 0;
    return which < LOCATION_APART ? which : LOCATION_APART - 1;
}

/* Of several: nothing that it looked at since it last waited was written, and there is something. */
static bool has_seen_all(const uint32_t *state, const struct op *op)
{
    bool looked = false;
    if (!is_loose(op->arg))
        return set_has(state + SEEN, op->process);
    for (int i = 0; i < LOCATION_APART; i++) {
        const uint32_t *set = state + SEEN + i * EACH;
        looked |= set_has(set + LOOKED, op->process);
        if (set_has(set + LOOKED, op->process) && !set_has(set, op->process))
            return false;
    }
    return looked;
}

static void sees(struct log *log, uint32_t *state, const struct op *op)
{
    uint32_t *set = state + SEEN + part(op) * EACH;
    for (int i = 0; is_loose(op->arg) && op->code == LOCATION_AWAIT && i < LOCATION_APART; i++)
        set_remove(log, state + SEEN + i * EACH + LOOKED, op->process);
    set_add(log, set, op->process);
    if (is_loose(op->arg))
        set_add(log, set + LOOKED, op->process);
}

static void nobody_sees(struct log *log, uint32_t *state, const struct op *op)
{
    for (int i = 0; i < SET_WORDS; i++)
        set_write(log, &state[SEEN + part(op) * EACH + i], 0);
}

static uint32_t choices(const uint32_t *state, const struct op *op)
{
    return op->code != LOCATION_AWAIT || !has_seen_all(state, op);
}

static bool guard(const struct op *op, struct guard *g)
{
    return op->code != LOCATION_AWAIT && builtin_free(op, g);
}

/* ---- values ---- */

static uint64_t updated(uint8_t code, uint64_t value, uint64_t operand)
{
    switch (code) {
    case LOCATION_ADD:  return value + operand;
    case LOCATION_SUB:  return value - operand;
    case LOCATION_AND:  return value & operand;
    case LOCATION_OR:   return value | operand;
    case LOCATION_XOR:  return value ^ operand;
    default:            return ~(value & operand);
    }
}

/* What it is after the operation, which writes; false: nobody knows. */
static bool next_value(const uint32_t *state, const struct op *op, uint32_t *value)
{
    uint32_t operand = (uint32_t)op->arg[op->code == LOCATION_COMPARE ? 2 : 1], bits = 8 * LOCATION_SIZE(op);
    *value = operand;
    if (!bits)
        return false;
    if (op->code == LOCATION_STORE || op->code == LOCATION_EXCHANGE || op->code == LOCATION_COMPARE)
        return op->code != LOCATION_COMPARE || state[KNOWN];
    bool small = state[KNOWN] && location_is_small(state[VALUE]) && location_is_small(operand);
    if (op->code == LOCATION_WRITE || !small || bits > 64)
        return false;
    uint64_t result = updated(op->code, state[VALUE], operand);
    *value = location_value(bits == 64 ? result : result & ((UINT64_C(1) << bits) - 1));
    return true;
}

/* A compare and exchange that is known to find something else. */
static bool finds_other(const uint32_t *state, const struct op *op)
{
    return op->code == LOCATION_COMPARE && state[KNOWN] && state[VALUE] != (uint32_t)op->arg[1];
}

/* Does it leave the value as it is? So does one who finds a lock taken, and takes it. */
static bool only_reads(const uint32_t *state, const struct op *op)
{
    uint32_t value;
    if (reads(op->code) || rewrites(op) || finds_other(state, op))
        return true;
    bool updates = op->code >= LOCATION_EXCHANGE && op->code < LOCATION_COMPARE;
    return updates && state[KNOWN] && next_value(state, op, &value) && value == state[VALUE];
}

static void write(struct log *log, uint32_t *state, const struct op *op)
{
    uint32_t value, known = next_value(state, op, &value);
    nobody_sees(log, state, op);
    set_write(log, &state[VALUE], known ? value : 0);
    set_write(log, &state[KNOWN], known);
}

static uint32_t execute(struct log *log, uint32_t *state, const struct op *op, uint32_t choice)
{
    (void)choice;
    uint32_t known = state[KNOWN], equal = !finds_other(state, op);
    assert(known <= 1 && (op->code != LOCATION_AWAIT || !has_seen_all(state, op)));
    bool keeps = only_reads(state, op);
    if (!keeps)
        write(log, state, op);
    if (!(keeps && op->arg[0] & LOCATION_KEEP) && !is_blind(op))
        sees(log, state, op);                            /* what it wrote itself, too */
    return op->code == LOCATION_COMPARE ? known ? equal : LOCATION_LARGE : 0;    /* LARGE: nobody knows */
}

/* ---- what commutes ---- */

/* An exchange that puts there what is there changes nothing, but who acquires from it is ordered behind what was before it: data races depend
 * on whether it comes first. */
static bool matters(const uint32_t *state, const struct op *op)
{
    bool stores = !reads(op->code) && !finds_other(state, op);
    return !only_reads(state, op) || (stores && op->arg[0] & ORDER_RELEASE);
}

/* What its value is known to be must not depend on the order either: no sum comes near what is too large to be followed. */
static bool adds_up(const uint32_t *state, const struct op *op)
{
    enum { SMALL_SUM = 1 << 30, SMALL_TERM = 1 << 20 };
    return is_blind(op) && (!state[KNOWN] || (state[VALUE] < SMALL_SUM && (uint32_t)op->arg[1] < SMALL_TERM && LOCATION_SIZE(op) >= sizeof(uint32_t)));
}

static bool apart(const struct op *a, const struct op *b)
{
    return part(a) != part(b) && a->code != LOCATION_AWAIT && b->code != LOCATION_AWAIT;
}

static bool dependent(const uint32_t *state, const struct op *a, const struct op *b)
{
    return !apart(a, b) && (matters(state, a) || matters(state, b)) && !(adds_up(state, a) && adds_up(state, b));
}

enum { READS, WRITES, ADDS };
static uint32_t stamp(const uint32_t *state, const struct op *op) { return adds_up(state, op) ? ADDS : matters(state, op) ? WRITES : READS; }

static bool conflict(const struct op *first, uint32_t first_stamp, const struct op *second, uint32_t second_stamp)
{
    return !apart(first, second) && (first_stamp || second_stamp) && !(first_stamp == ADDS && second_stamp == ADDS);
}

static bool may_conflict(const struct op *pending, uint8_t code)
{
    return !reads(pending->code) || !reads(code);
}

static void print(const uint32_t *state, const char *(*text)(void *, uint32_t), void *texts, char *out, size_t room)
{
    (void)text, (void)texts;
    if (state[KNOWN] && location_is_small(state[VALUE]))
        snprintf(out, room, "value %u", state[VALUE]);
    else
        snprintf(out, room, "%s", "");
}

static uint32_t memory(const int32_t arg[3]) { return (uint32_t)arg[0] >> LOCATION_SIZE_SHIFT & 15; }

const struct object_type location_type = {
    .version = OBJECT_VERSION, .name = "shared variable", .lives = LIVES_IN_GROUPS,
    .operations = operations, .operation_count = sizeof operations / sizeof *operations,
    .size = size, .init = init, .choices = choices, .guard = guard, .execute = execute,
    .dependent = dependent, .stamp = stamp, .conflict = conflict, .may_conflict = may_conflict, .print = print, .memory = memory,
    .orders_nothing = true, .variable = true, .found = found,
};
