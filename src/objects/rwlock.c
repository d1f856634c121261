/* Reader-writer locks. Readers come in whenever no writer holds the lock, also while writers wait (the C library's default),
 * and a reader may lock it again. Readers are counted per process: who may unlock it depends on that.
 *
 * Invariant: a writer holds it alone; READERS is how many have a count.
 * SPDX-License-Identifier: MIT */
#include "objects/builtin.h"
#include "wire.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

/* WRITER: 0 or 1 + who; READERS: how many processes read; then how often each of them locked it, a byte each. */
enum { WRITER, READERS, COUNTS, PER_WORD = 4, WORDS = COUNTS + MAX_PROCESSES / PER_WORD, MOST_LOCKS = 255 };

/* What an operation comes to, by the state before it. What starts with SEES or WAITS changes nothing. */
enum effect { APART, SEES_WRITER, SEES_HOLDER, WAITS_TO_READ, WAITS_TO_WRITE, ENDS_READING, STARTS_READING, WRITES, RENEWS };

static const struct operation operations[] = {
    [RWLOCK_INIT]       = { .name = "pthread_rwlock_init",   .format = "pthread_rwlock_init(%o)", .traits = OP_MAKES },
    [RWLOCK_READ]       = { .name = "pthread_rwlock_rdlock", .format = "%c(%o)", .role = ROLE_TAKE,
                            .awaits = AWAITS_LOCK },
    [RWLOCK_WRITE]      = { .name = "pthread_rwlock_wrlock", .format = "%c(%o)", .role = ROLE_TAKE,
                            .awaits = AWAITS_LOCK },
    [RWLOCK_TRYREAD]    = { "pthread_rwlock_tryrdlock",   "pthread_rwlock_tryrdlock(%o)",   RESULT_ERRNO, true, ROLE_TAKE, .traits = OP_YIELDS },
    [RWLOCK_TRYWRITE]   = { "pthread_rwlock_trywrlock",   "pthread_rwlock_trywrlock(%o)",   RESULT_ERRNO, true, ROLE_TAKE, .traits = OP_YIELDS },
    [RWLOCK_TIMEDREAD]  = { "pthread_rwlock_timedrdlock", "pthread_rwlock_timedrdlock(%o)", RESULT_ERRNO, true, ROLE_TAKE, .traits = OP_YIELDS, .limit = { .plain = RWLOCK_READ + 1 } },
    [RWLOCK_TIMEDWRITE] = { "pthread_rwlock_timedwrlock", "pthread_rwlock_timedwrlock(%o)", RESULT_ERRNO, true, ROLE_TAKE, .traits = OP_YIELDS, .limit = { .plain = RWLOCK_WRITE + 1 } },
    [RWLOCK_UNLOCK]     = { .name = "pthread_rwlock_unlock",  .format = "pthread_rwlock_unlock(%o)", .role = ROLE_GIVE },
    [RWLOCK_DESTROY]    = { .name = "pthread_rwlock_destroy", .format = "pthread_rwlock_destroy(%o)" },
};

static int size(const int32_t arg[3], char *why, size_t room)
{
    (void)arg, (void)why, (void)room;
    return WORDS;
}

static void init(const int32_t arg[3], uint32_t *state)
{
    (void)arg;
    for (int i = 0; i < WORDS; i++)
        state[i] = 0;
}

static bool mine(const uint32_t *state, const struct op *op) { return state[WRITER] == op->process + 1u; }

static bool reads(uint8_t code)  { return code == RWLOCK_READ || code == RWLOCK_TRYREAD || code == RWLOCK_TIMEDREAD; }
static bool writes(uint8_t code) { return code == RWLOCK_WRITE || code == RWLOCK_TRYWRITE || code == RWLOCK_TIMEDWRITE; }
static bool held(const uint32_t *state) { return state[WRITER] || state[READERS]; }

static uint32_t count(const uint32_t *state, uint32_t process)
{
    return state[COUNTS + process / PER_WORD] >> process % PER_WORD * 8 & 0xff;
}

static void add_count(struct log *log, uint32_t *state, uint32_t process, int by)
{
    uint32_t *word = &state[COUNTS + process / PER_WORD];
    object_set(log, word, *word + ((uint32_t)by << process % PER_WORD * 8));
}

static bool names(const uint32_t *state, int process)
{
    return state[WRITER] == (uint32_t)process + 1 || count(state, (uint32_t)process);
}

static uint32_t choices(const uint32_t *state, const struct op *op)
{
    if (mine(state, op))
        return 1;
    switch (op->code) {
    case RWLOCK_READ:  return !state[WRITER];
    case RWLOCK_WRITE: return !held(state);
    default:           return 1;
    }
}

static bool guard(const struct op *op, struct guard *g)
{
    return op->code != RWLOCK_READ && op->code != RWLOCK_WRITE && builtin_free(op, g);
}

/* The answer to one who cannot have it. */
static uint32_t refusal(const uint32_t *state, const struct op *op)
{
    if (op->code == RWLOCK_TRYREAD || op->code == RWLOCK_TRYWRITE)
        return EBUSY;
    return mine(state, op) ? EDEADLK : ETIMEDOUT;
}

static uint32_t start_reading(struct log *log, uint32_t *state, const struct op *op)
{
    if (state[WRITER])
        return refusal(state, op);
    uint32_t before = count(state, op->process);
    if (before == MOST_LOCKS)
        return EAGAIN;
    add_count(log, state, op->process, 1);
    if (!before)
        object_set(log, &state[READERS], state[READERS] + 1);
    return 0;
}

static uint32_t start_writing(struct log *log, uint32_t *state, const struct op *op)
{
    if (held(state))
        return refusal(state, op);
    object_set(log, &state[WRITER], op->process + 1u);
    return 0;
}

static uint32_t unlock(struct log *log, uint32_t *state, const struct op *op)
{
    uint32_t before = count(state, op->process);
    if (mine(state, op)) {
        object_set(log, &state[WRITER], 0);
    } else if (before) {
        assert(state[READERS]);
        add_count(log, state, op->process, -1);
        if (before == 1)
            object_set(log, &state[READERS], state[READERS] - 1);
    } else {
        return EPERM | RESULT_MISUSE;
    }
    return 0;
}

static uint32_t execute(struct log *log, uint32_t *state, const struct op *op, uint32_t choice)
{
    (void)choice;
    if (reads(op->code))
        return start_reading(log, state, op);
    if (writes(op->code))
        return start_writing(log, state, op);
    if (op->code == RWLOCK_UNLOCK)
        return unlock(log, state, op);
    return held(state) ? EBUSY | RESULT_MISUSE : 0;
}

static void check(const uint32_t *state)
{
    uint32_t readers = 0;
    for (uint32_t p = 0; p < MAX_PROCESSES; p++)
        readers += count(state, p) != 0;
    assert(state[READERS] == readers);
    assert(!state[WRITER] || !readers);
    assert(state[WRITER] <= MAX_PROCESSES);
}

/* ---- what commutes ---- */

static enum effect effect_of_reading(const uint32_t *state, const struct op *op)
{
    if (mine(state, op) || count(state, op->process))
        return APART;
    if (!state[WRITER])
        return STARTS_READING;
    return op->code == RWLOCK_READ ? WAITS_TO_READ : SEES_WRITER;
}

static enum effect effect_of_writing(const uint32_t *state, const struct op *op)
{
    if (mine(state, op) || count(state, op->process))
        return APART;                /* also a reader that waits to write: it waits for itself */
    if (!held(state))
        return WRITES;
    return op->code == RWLOCK_WRITE ? WAITS_TO_WRITE : SEES_HOLDER;
}

static uint32_t stamp(const uint32_t *state, const struct op *op)
{
    if (reads(op->code))
        return effect_of_reading(state, op);
    if (writes(op->code))
        return effect_of_writing(state, op);
    if (op->code != RWLOCK_UNLOCK)
        return RENEWS;
    if (mine(state, op))
        return WRITES;
    return count(state, op->process) == 1 ? ENDS_READING : APART;
}

static bool sees_readers(enum effect e) { return e == SEES_HOLDER || e == WAITS_TO_WRITE; }
static bool of_reader(enum effect e)    { return e == STARTS_READING || e == ENDS_READING; }

static bool effects_matter(enum effect a, enum effect b)
{
    if (a == RENEWS || b == RENEWS)
        return true;
    if (a == APART || b == APART)
        return false;
    return a == WRITES || b == WRITES || (of_reader(a) && sees_readers(b)) || (of_reader(b) && sees_readers(a));
}

/* Which reader goes last differs between equivalent executions, so here each of them counts as if he were. */
static bool conflict(const struct op *first, uint32_t first_stamp, const struct op *second, uint32_t second_stamp)
{
    (void)first, (void)second;
    return effects_matter(first_stamp, second_stamp);
}

static bool dependent(const uint32_t *state, const struct op *a, const struct op *b)
{
    enum effect x = stamp(state, a), y = stamp(state, b);
    if (sees_readers(x) || sees_readers(y)) {
        bool still_held = x == STARTS_READING || y == STARTS_READING || state[READERS] > 1;
        return effects_matter(x, y) && !(still_held && (of_reader(x) || of_reader(y)));
    }
    return effects_matter(x, y);
}

static bool may_conflict(const struct op *pending, uint8_t code)
{
    return !reads(pending->code) || !reads(code);
}

static void print(const uint32_t *state, const char *(*text)(void *, uint32_t), void *texts, char *out, size_t room)
{
    (void)text, (void)texts;
    if (state[WRITER]) {
        snprintf(out, room, "held for writing by process %u", state[WRITER]);
        return;
    }
    size_t used = (size_t)snprintf(out, room, state[READERS] ? "held for reading by process%s" : "free",
                                   state[READERS] > 1 ? "es" : "");
    for (uint32_t p = 0; p < MAX_PROCESSES && used < room; p++)
        if (count(state, p))
            used += (size_t)snprintf(out + used, room - used, " %u", p + 1);
}

/* A reader that locks it once more holds it already. */
static void passage(const uint32_t *before, const struct op *op, uint32_t result, struct passage *p)
{
    (void)result;
    uint32_t times = count(before, op->process);
    if (times > 1 || (times == 1 && op->code != RWLOCK_UNLOCK))
        p->role = ROLE_NONE;
}

static int64_t taken(const struct op *op, uint32_t result)
{
    return op->code == RWLOCK_UNLOCK ? -1 : (reads(op->code) || writes(op->code)) && result == 0;
}

static uint32_t memory(const int32_t arg[3])
{
    (void)arg;
    return sizeof(pthread_rwlock_t);
}

const struct object_type rwlock_type = {
    .version = OBJECT_VERSION, .name = "rwlock", .lives = LIVES_IN_GROUPS,
    .operations = operations, .operation_count = sizeof operations / sizeof *operations,
    .size = size, .init = init, .choices = choices, .guard = guard, .execute = execute, .dependent = dependent,
    .stamp = stamp, .conflict = conflict, .may_conflict = may_conflict, .print = print, .passage = passage,
    .names = names, .taken = taken, .memory = memory, .copied = true, .check = check,
};
