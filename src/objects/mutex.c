/* Mutexes of all kinds, and spin locks. The kind comes with every operation (arg[0]), for a mutex with a static initialiser
 * has no other beginning.
 *
 * What others can see of a mutex is who holds it. So an operation is one of these, by the state before it: it takes the
 * mutex, releases it, finds it taken, waits for it, makes it new, or is nobody else's business (the holder locks a recursive
 * mutex again; somebody unlocks what he does not hold: nobody can make him the holder).
 *
 * Invariant: only who holds it has locked it again; what is not recoverable nobody holds; and it is lost, or its last holder died
 * and somebody may yet repair it, never both.
 * SPDX-License-Identifier: MIT */
#include "objects/builtin.h"
#include "wire.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

enum { OWNER, COUNT, FLAGS, WORDS };         /* OWNER: 0 or 1 + the holder; COUNT: how often he locked it again */
enum { ROBUST = 1, INCONSISTENT = 2, LOST = 4 };                 /* ROBUST: its holder locked it as a robust one */
enum effect { APART, FINDS_TAKEN, WAITS, TAKES, RELEASES, RENEWS };

static const struct operation operations[] = {
    [MUTEX_INIT]       = { .name = "pthread_mutex_init",       .format = "%c(%o)", .traits = OP_MAKES },
    [MUTEX_LOCK]       = { .name = "pthread_mutex_lock",       .format = "%c(%o)", .role = ROLE_TAKE,
                           .awaits = AWAITS_LOCK },
    [MUTEX_TRYLOCK]    = { "pthread_mutex_trylock",   "%c(%o)",   RESULT_ERRNO, true, ROLE_TAKE, .traits = OP_YIELDS },
    [MUTEX_TIMEDLOCK]  = { "pthread_mutex_timedlock", "%c(%o)", RESULT_ERRNO, true, ROLE_TAKE, .traits = OP_YIELDS, .limit = { .plain = MUTEX_LOCK + 1 } },
    [MUTEX_UNLOCK]     = { .name = "pthread_mutex_unlock",     .format = "%c(%o)", .role = ROLE_GIVE },
    [MUTEX_CONSISTENT] = { .name = "pthread_mutex_consistent", .format = "%c(%o)" },
    [MUTEX_DESTROY]    = { .name = "pthread_mutex_destroy",    .format = "%c(%o)" },
};

static int size(const int32_t arg[3], char *why, size_t room)
{
    (void)arg, (void)why, (void)room;
    return WORDS;
}

/* In the child of a fork a mutex may be locked from the first. */
static void init(const int32_t arg[3], uint32_t *state)
{
    state[OWNER] = (uint32_t)arg[1] % 256;
    state[COUNT] = arg[1] ? (uint32_t)arg[1] / 256 - 1 : 0;
    state[FLAGS] = 0;
}

static int  kind(const struct op *op)   { return op->arg[0] & ~MUTEX_ROBUST; }
static bool robust(const struct op *op) { return op->arg[0] & MUTEX_ROBUST; }
static bool mine(const uint32_t *state, const struct op *op) { return state[OWNER] == op->process + 1u; }
static bool locks(uint8_t code) { return code == MUTEX_LOCK || code == MUTEX_TRYLOCK || code == MUTEX_TIMEDLOCK; }

/* The holder of a mutex that knows its holder can lock it again, or is told that he must not. */
static bool knows_holder(const struct op *op) { return kind(op) == MUTEX_RECURSIVE || kind(op) == MUTEX_ERRORCHECK; }

static uint32_t choices(const uint32_t *state, const struct op *op)
{
    return op->code != MUTEX_LOCK || state[OWNER] == 0 || (mine(state, op) && knows_holder(op));
}

static bool guard(const struct op *op, struct guard *g)
{
    if (op->code != MUTEX_LOCK)
        return builtin_free(op, g);
    *g = (struct guard){ .word = OWNER, .lo = 0, .span = 0, .adds = robust(op) ? 0 : op->process + 1u };
    return !knows_holder(op);
}

static void set(struct log *log, uint32_t *word, uint32_t value)
{
    if (*word != value)
        object_set(log, word, value);
}

static uint32_t take(struct log *log, uint32_t *state, const struct op *op)
{
    if (state[FLAGS] & LOST)
        return ENOTRECOVERABLE;
    object_set(log, &state[OWNER], op->process + 1u);
    if (robust(op))
        set(log, &state[FLAGS], state[FLAGS] | ROBUST);
    return state[FLAGS] & INCONSISTENT ? EOWNERDEAD : 0;
}

static bool names(const uint32_t *state, int process) { return state[OWNER] == (uint32_t)process + 1; }

static uint32_t lock(struct log *log, uint32_t *state, const struct op *op)
{
    if (state[OWNER] == 0)
        return take(log, state, op);
    if (mine(state, op) && kind(op) == MUTEX_RECURSIVE) {
        object_set(log, &state[COUNT], state[COUNT] + 1);
        return 0;
    }
    if (mine(state, op) && kind(op) == MUTEX_ERRORCHECK && op->code != MUTEX_TRYLOCK)
        return EDEADLK;
    return op->code == MUTEX_TIMEDLOCK ? ETIMEDOUT : EBUSY;
}

static uint32_t unlock(struct log *log, uint32_t *state, const struct op *op)
{
    if (!mine(state, op))
        return knows_holder(op) || robust(op) ? EPERM : EPERM | RESULT_MISUSE;
    if (state[COUNT]) {
        object_set(log, &state[COUNT], state[COUNT] - 1);
        return 0;
    }
    object_set(log, &state[OWNER], 0);
    set(log, &state[FLAGS], state[FLAGS] & (INCONSISTENT | LOST) ? LOST : 0);
    return 0;
}

static uint32_t consistent(struct log *log, uint32_t *state, const struct op *op)
{
    if (!mine(state, op) || !(state[FLAGS] & INCONSISTENT))
        return EINVAL;
    object_set(log, &state[FLAGS], state[FLAGS] & ~(uint32_t)INCONSISTENT);
    return 0;
}

static uint32_t renew(struct log *log, uint32_t *state)
{
    if (state[OWNER])
        return EBUSY | RESULT_MISUSE;
    set(log, &state[FLAGS], 0);
    return 0;
}

static uint32_t execute(struct log *log, uint32_t *state, const struct op *op, uint32_t choice)
{
    (void)choice;
    switch (op->code) {
    case MUTEX_LOCK: case MUTEX_TRYLOCK: case MUTEX_TIMEDLOCK: return lock(log, state, op);
    case MUTEX_UNLOCK:     return unlock(log, state, op);
    case MUTEX_CONSISTENT: return consistent(log, state, op);
    default:               return renew(log, state);
    }
}

/* Whoever locks a robust mutex next gets it with EOWNERDEAD; any other stays locked for ever. */
static void ended(struct log *log, uint32_t *state, int process)
{
    if (state[OWNER] != (uint32_t)process + 1 || !(state[FLAGS] & ROBUST))
        return;
    object_set(log, &state[OWNER], 0);
    set(log, &state[COUNT], 0);
    object_set(log, &state[FLAGS], INCONSISTENT);
}

static void check(const uint32_t *state)
{
    assert(state[OWNER] <= MAX_PROCESSES);
    assert(state[OWNER] || !state[COUNT]);
    assert(!state[OWNER] || !(state[FLAGS] & LOST));
    assert((state[FLAGS] & (LOST | INCONSISTENT)) != (LOST | INCONSISTENT));
}

/* ---- what commutes ---- */

static uint32_t stamp(const uint32_t *state, const struct op *op)
{
    if (op->code == MUTEX_INIT || op->code == MUTEX_DESTROY)
        return RENEWS;
    if (op->code == MUTEX_UNLOCK && mine(state, op) && !state[COUNT])
        return RELEASES;
    if (!locks(op->code))
        return APART;
    if (state[OWNER] == 0)
        return state[FLAGS] & LOST ? FINDS_TAKEN : TAKES;
    if (mine(state, op) && (op->code != MUTEX_LOCK || knows_holder(op)))
        return APART;
    return op->code == MUTEX_LOCK ? WAITS : FINDS_TAKEN;
}

static bool changes(enum effect e) { return e == TAKES || e == RELEASES; }

static bool effects_matter(enum effect a, enum effect b)
{
    if (a == RENEWS || b == RENEWS)
        return true;
    if (a == APART || b == APART)
        return false;
    return changes(a) || changes(b);
}

static bool conflict(const struct op *first, uint32_t first_stamp, const struct op *second, uint32_t second_stamp)
{
    (void)first, (void)second;
    return effects_matter(first_stamp, second_stamp);
}

static bool dependent(const uint32_t *state, const struct op *a, const struct op *b)
{
    return effects_matter(stamp(state, a), stamp(state, b));
}

static bool may_conflict(const struct op *pending, uint8_t code)
{
    return pending->code != MUTEX_CONSISTENT && code != MUTEX_CONSISTENT;
}

static void print(const uint32_t *state, const char *(*text)(void *, uint32_t), void *texts, char *out, size_t room)
{
    (void)text, (void)texts;
    const char *more = state[FLAGS] & LOST ? ", not recoverable" : state[FLAGS] & INCONSISTENT ? ", its last holder died" : "";
    if (!state[OWNER])
        snprintf(out, room, "free%s", more);
    else if (state[COUNT])
        snprintf(out, room, "held by process %u, %u times%s", state[OWNER], state[COUNT] + 1, more);
    else
        snprintf(out, room, "held by process %u%s", state[OWNER], more);
}

/* Who locks it once more holds it already, and still holds it when he unlocks it once less. */
static void passage(const uint32_t *before, const struct op *op, uint32_t result, struct passage *p)
{
    if (locks(op->code) && result == EOWNERDEAD)
        p->role = ROLE_TAKE;
    if (mine(before, op) && (locks(op->code) || before[COUNT]))
        p->role = ROLE_NONE;
}

static uint32_t traits(const struct op *op) { return robust(op) ? OP_SEES_ENDS : 0; }

static int64_t taken(const struct op *op, uint32_t result)
{
    if (locks(op->code))
        return result == 0 || result == EOWNERDEAD;
    return op->code == MUTEX_UNLOCK && result == 0 ? -1 : 0;
}

static uint32_t memory(const int32_t arg[3])
{
    return (arg[0] & ~MUTEX_ROBUST) == MUTEX_SPIN ? sizeof(pthread_spinlock_t) : sizeof(pthread_mutex_t);
}

static bool possible(const struct op *op, bool group)
{
    int32_t holder = op->arg[1] & 255;
    bool held = op->arg[1] >= MUTEX_HELD(0, 1) && holder >= 1 && holder <= MAX_PROCESSES;
    (void)group;
    return kind(op) >= MUTEX_NORMAL && kind(op) <= MUTEX_SPIN && (!op->arg[1] || held);
}

const struct object_type mutex_type = {
    .version = OBJECT_VERSION, .name = "mutex", .lives = LIVES_IN_GROUPS, .possible = possible,
    .operations = operations, .operation_count = sizeof operations / sizeof *operations,
    .size = size, .init = init, .choices = choices, .guard = guard, .execute = execute, .dependent = dependent,
    .stamp = stamp, .conflict = conflict, .may_conflict = may_conflict, .print = print, .passage = passage, .ended = ended,
    .names = names, .traits = traits, .taken = taken, .memory = memory, .copied = true, .check = check,
};
