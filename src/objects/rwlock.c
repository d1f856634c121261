/* Reader-writer locks. Readers come in whenever no writer holds the lock, also while writers wait (the C library's default),
 * and a reader may lock it again. Readers are counted per process: who may unlock it depends on that.
 *
 * A lock may be made so that writers come first (PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP). There a writer takes a place in the queue in a step
 * of its own, if it cannot have the lock at once, and while the queue is not empty nobody else comes in, not even who reads already. Of the
 * operations on such a lock only two reads are taken to commute: that is less than is so, and they are rare.
 *
 * Invariant: a writer holds it alone; READERS is how many have a count; who is in the queue holds nothing for writing.
 * SPDX-License-Identifier: MIT */
#include "objects/builtin.h"
#include "wire.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

/* WRITER: 0 or 1 + who; READERS: how many processes read; the queue, a bit for each process; then how often each of them locked it, a byte each. */
enum { WRITER, READERS, QUEUE, COUNTS = QUEUE + MAX_PROCESSES / 32, PER_WORD = 4, WORDS = COUNTS + MAX_PROCESSES / PER_WORD, MOST_LOCKS = 255 };

/* What an operation comes to, by the state before it. What starts with SEES or WAITS changes nothing. */
enum effect { APART, SEES_WRITER, SEES_HOLDER, WAITS_TO_READ, WAITS_TO_WRITE, ENDS_READING, STARTS_READING, WRITES, READS_IN_TURN, RENEWS };

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
    [RWLOCK_QUEUE]      = { .name = "pthread_rwlock_wrlock",  .format = "%c(%o)", .result = RESULT_ERRNO, .many = true, .role = ROLE_TAKE },
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

static bool any_waits(const uint32_t *state)
{
    uint32_t any = 0;
    for (int i = QUEUE; i < COUNTS; i++)
        any |= state[i];
    return any;
}

static bool waits(const uint32_t *state, uint32_t process) { return state[QUEUE + process / 32] >> process % 32 & 1; }
static bool was_queued(const struct op *op)                { return op->arg[0] & RWLOCK_QUEUED; }

/* Can it have the lock now? */
static bool may_read(const uint32_t *state) { return !state[WRITER] && !any_waits(state); }
static bool may_write(const uint32_t *state, const struct op *op)
{
    return !held(state) && (was_queued(op) ? waits(state, op->process) : !any_waits(state));
}

static void turn_in_queue(struct log *log, uint32_t *state, uint32_t process)
{
    uint32_t *word = &state[QUEUE + process / 32];
    object_set(log, word, *word ^ UINT32_C(1) << process % 32);
}

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
    return state[WRITER] == (uint32_t)process + 1 || count(state, (uint32_t)process) || waits(state, (uint32_t)process);
}

static uint32_t choices(const uint32_t *state, const struct op *op)
{
    if (mine(state, op))
        return 1;
    switch (op->code) {
    case RWLOCK_READ:  return may_read(state);
    case RWLOCK_WRITE: return may_write(state, op);
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
    if (!may_read(state))
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
    bool may = may_write(state, op);
    if (was_queued(op) && waits(state, op->process))
        turn_in_queue(log, state, op->process);
    if (!may)
        return refusal(state, op);
    object_set(log, &state[WRITER], op->process + 1u);
    return 0;
}

/* The first half of writing, where writers come first. */
static uint32_t queue(struct log *log, uint32_t *state, const struct op *op)
{
    if (mine(state, op))
        return EDEADLK;
    if (may_write(state, op))
        return start_writing(log, state, op);
    if (!waits(state, op->process))
        turn_in_queue(log, state, op->process);
    return EINPROGRESS;
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
    if (op->code == RWLOCK_QUEUE)
        return queue(log, state, op);
    return held(state) || any_waits(state) ? EBUSY | RESULT_MISUSE : 0;
}

static void check(const uint32_t *state)
{
    uint32_t readers = 0;
    for (uint32_t p = 0; p < MAX_PROCESSES; p++)
        readers += count(state, p) != 0;
    assert(state[READERS] == readers);
    assert(!state[WRITER] || !readers);
    assert(state[WRITER] <= MAX_PROCESSES);
    assert(!state[WRITER] || !waits(state, state[WRITER] - 1));
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
    if (op->arg[0] & RWLOCK_IN_TURN)
        return reads(op->code) ? READS_IN_TURN : RENEWS;
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
    if (a == READS_IN_TURN || b == READS_IN_TURN)
        return a != b;
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

/* The processes of a list, after a beginning that says what they do. Gives how much is used. */
static size_t print_list(char *out, size_t room, const char *beginning, const uint32_t *state, bool (*is)(const uint32_t *, uint32_t))
{
    uint32_t many = 0;
    for (uint32_t p = 0; p < MAX_PROCESSES; p++)
        many += is(state, p);
    size_t used = (size_t)snprintf(out, room, "%s process%s", beginning, many > 1 ? "es" : "");
    for (uint32_t p = 0; p < MAX_PROCESSES && used < room; p++)
        if (is(state, p))
            used += (size_t)snprintf(out + used, room - used, " %u", p + 1);
    return used;
}

static bool is_reader(const uint32_t *state, uint32_t process) { return count(state, process); }

static void print(const uint32_t *state, const char *(*text)(void *, uint32_t), void *texts, char *out, size_t room)
{
    (void)text, (void)texts;
    size_t used = state[READERS] ? print_list(out, room, "held for reading by", state, is_reader)
                : (size_t)(state[WRITER] ? snprintf(out, room, "held for writing by process %u", state[WRITER]) : snprintf(out, room, "free"));
    if (any_waits(state) && used < room)
        print_list(out + used, room - used, ", kept for writing by", state, waits);
}

/* A reader may wait for a writer that itself waits. Of all others the story of who holds it is told. */
static uint64_t why(const uint32_t *state, const struct op *op, char *out, size_t room)
{
    if (!reads(op->code) || state[WRITER] || !any_waits(state))
        return 0;
    size_t used = print_list(out, room, "no reader comes in before", state, waits);
    if (used < room)
        snprintf(out + used, room - used, ", which waits to write");
    return state[QUEUE] | (uint64_t)state[QUEUE + 1] << 32;
}
_Static_assert(COUNTS - QUEUE == 2, "as many processes as a set of them has room for");

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
    return op->code == RWLOCK_UNLOCK ? -1 : (reads(op->code) || writes(op->code) || op->code == RWLOCK_QUEUE) && result == 0;
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
    .stamp = stamp, .conflict = conflict, .may_conflict = may_conflict, .print = print, .passage = passage, .why = why,
    .names = names, .taken = taken, .memory = memory, .copied = true, .check = check,
};
