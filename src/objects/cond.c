/* Condition variables. A thread that waits enters the set of the waiting; signal moves one of these, any, to the set of the
 * woken, and broadcast all; who is woken, or gives up, leaves.
 *
 * Which waiters a signal could choose from is the same in all equivalent executions, for it stays in order with all that
 * changes that set. It is its stamp: the wake of one that was not among them has nothing to do with it.
 *
 * Invariant: a signal wakes one of those who wait, if there are any.
 * SPDX-License-Identifier: MIT */
#include "objects/builtin.h"
#include "objects/set.h"
#include "wire.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

enum { WAITING, WOKEN = WAITING + SET_WORDS, WORDS = WOKEN + SET_WORDS };

/* Who can be woken for no reason waits all the same. */
#define WAITS_FOR_A_WHILE { .arg = 0, .has = WAKE_TIMED, .unless = WAKE_CHANGED, .drops = WAKE_TIMED | WAKE_SPURIOUS }

static const struct operation operations[] = {
    [COND_INIT]      = { .name = "pthread_cond_init",      .format = "pthread_cond_init(%o)", .traits = OP_MAKES },
    [COND_ENTER]     = { .name = "pthread_cond_wait",      .format = "%c(%o)" },
    [COND_WAKE]      = { "pthread_cond_wait", "%c(%o) wakes", RESULT_ERRNO, true, ROLE_RECEIVE, "%c(%o)",
                         .awaits = AWAITS_WAKING, .limit = WAITS_FOR_A_WHILE },
    [COND_SIGNAL]    = { .name = "pthread_cond_signal", .format = "pthread_cond_signal(%o)", .result = RESULT_NUMBER,     /* 1 + whom it woke */
                         .many = true, .role = ROLE_SEND },
    [COND_BROADCAST] = { .name = "pthread_cond_broadcast", .format = "pthread_cond_broadcast(%o)", .role = ROLE_SEND },
    [COND_DESTROY]   = { .name = "pthread_cond_destroy",   .format = "pthread_cond_destroy(%o)" },
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

static bool wakes(uint8_t code)  { return code == COND_SIGNAL || code == COND_BROADCAST; }
static bool renews(uint8_t code) { return code == COND_INIT || code == COND_DESTROY; }

/* One that nobody woke gives up: for the time is over (its first choice), or for no reason; or it was not to wait. */
static uint32_t ways_to_give_up(const struct op *op)
{
    return op->arg[0] & WAKE_CHANGED ? 1 : !!(op->arg[0] & WAKE_TIMED) + (uint32_t)!!(op->arg[0] & WAKE_SPURIOUS);
}

static uint32_t choices(const uint32_t *state, const struct op *op)
{
    uint32_t waiting = set_count(state + WAITING);
    switch (op->code) {
    case COND_WAKE:    return set_has(state + WOKEN, op->process) ? 1 : ways_to_give_up(op);
    case COND_SIGNAL:  return waiting ? waiting : 1;
    case COND_DESTROY: return waiting || set_empty(state + WOKEN);       /* who is woken may still leave it in peace */
    default:           return 1;
    }
}

static bool guard(const struct op *op, struct guard *g)
{
    return (op->code == COND_ENTER || op->code == COND_BROADCAST || op->code == COND_INIT) && builtin_free(op, g);
}

static uint32_t leave(struct log *log, uint32_t *state, const struct op *op, uint32_t choice)
{
    bool woken = set_has(state + WOKEN, op->process);
    set_remove(log, state + (woken ? WOKEN : WAITING), op->process);
    if (!woken && op->arg[0] & WAKE_CHANGED)
        return EAGAIN;
    return !woken && choice == 0 && op->arg[0] & WAKE_TIMED ? ETIMEDOUT : 0;
}

static uint32_t signal_one(struct log *log, uint32_t *state, uint32_t choice)
{
    if (set_empty(state + WAITING))
        return 0;
    assert(choice < set_count(state + WAITING));
    uint32_t process = set_nth(state + WAITING, choice);
    set_remove(log, state + WAITING, process);
    set_add(log, state + WOKEN, process);
    return 1 + process;
}

static uint32_t renew(const uint32_t *state, const struct op *op)
{
    bool used = !set_empty(state + WAITING) || (op->code == COND_INIT && !set_empty(state + WOKEN));
    return used ? EBUSY | RESULT_MISUSE : 0;
}

static uint32_t execute(struct log *log, uint32_t *state, const struct op *op, uint32_t choice)
{
    switch (op->code) {
    case COND_ENTER:     set_add(log, state + WAITING, op->process); return 0;
    case COND_WAKE:      return leave(log, state, op, choice);
    case COND_SIGNAL:    return signal_one(log, state, choice);
    case COND_BROADCAST: set_move_all(log, state + WAITING, state + WOKEN); return 0;
    default:             return renew(state, op);
    }
}

/* ---- what commutes ---- */

static bool wakers_dependent(const uint32_t *state, const struct op *a, const struct op *b)
{
    return !set_empty(state + WAITING) && (a->code == COND_SIGNAL || b->code == COND_SIGNAL);
}

static bool dependent(const uint32_t *state, const struct op *a, const struct op *b)
{
    if (renews(a->code) || renews(b->code))
        return true;
    if (wakes(a->code) && wakes(b->code))
        return wakers_dependent(state, a, b);
    if (!wakes(a->code) && !wakes(b->code))
        return false;
    const struct op *waits = wakes(a->code) ? b : a;
    return waits->code == COND_ENTER || set_has(state + WAITING, waits->process);
}

enum { GIVES_UP, IS_WOKEN };

static uint32_t stamp(const uint32_t *state, const struct op *op)
{
    if (wakes(op->code))
        return set_fold(state + WAITING);
    return op->code == COND_WAKE && set_has(state + WOKEN, op->process) ? IS_WOKEN : GIVES_UP;
}

/* It was there to be woken, or comes or goes by itself: that changes the set. */
static bool waker_and_wait(const struct op *wait, bool alters_set, uint32_t could_wake)
{
    return alters_set || could_wake & set_folded_bit(wait->process);
}

static bool conflict(const struct op *first, uint32_t first_stamp, const struct op *second, uint32_t second_stamp)
{
    if (renews(first->code) || renews(second->code))
        return true;
    if (wakes(first->code) && wakes(second->code))
        return first_stamp || second_stamp;
    if (wakes(first->code))
        return waker_and_wait(second, second->code == COND_ENTER, first_stamp);
    return wakes(second->code) && waker_and_wait(first, first_stamp == GIVES_UP, second_stamp);
}

static bool may_conflict(const struct op *pending, uint8_t code)
{
    return wakes(pending->code) || wakes(code) || renews(pending->code) || renews(code);
}

static void print(const uint32_t *state, const char *(*text)(void *, uint32_t), void *texts, char *out, size_t room)
{
    (void)text, (void)texts;
    uint32_t waiting = set_count(state + WAITING), woken = set_count(state + WOKEN);
    size_t used = (size_t)snprintf(out, room, waiting ? "%u waiting: process%s" : "nobody waits", waiting,
                                   waiting > 1 ? "es" : "");
    if (waiting && used < room)
        used += (size_t)set_print(state + WAITING, out + used, room - used);
    if (woken && used < room)
        used += (size_t)snprintf(out + used, room - used, "; %u woken: process%s", woken, woken > 1 ? "es" : "");
    if (woken && used < room)
        set_print(state + WOKEN, out + used, room - used);
}

/* A signal is a message to those whom it wakes; if there are none, it is lost. Who gives up has got none. */
static void passage(const uint32_t *before, const struct op *op, uint32_t result, struct passage *p)
{
    if (op->code == COND_SIGNAL && result)
        p->to = UINT64_C(1) << (result - 1);
    if (op->code == COND_BROADCAST)
        p->to = before[WAITING] | (uint64_t)before[WAITING + 1] << 32;
    if (wakes(op->code) ? !p->to : !set_has(before + WOKEN, op->process))
        p->role = ROLE_NONE;
    p->count = 1;
}

static bool print_result(const struct op *op, uint32_t result, char *out, size_t room)
{
    if (op->code == COND_SIGNAL)
        snprintf(out, room, result ? "process %u" : "nobody", result);
    else
        snprintf(out, room, "cancelled, and waits no more");
    return op->code == COND_SIGNAL || (op->type == TYPE_COND && op->code == COND_WAKE && result == EAGAIN);
}

static uint32_t traits(const struct op *op) { return op->code == COND_WAKE && op->arg[0] & (WAKE_TIMED | WAKE_SPURIOUS) ? OP_YIELDS : 0; }

static uint32_t memory(const int32_t arg[3])
{
    (void)arg;
    return sizeof(pthread_cond_t);
}

const struct object_type cond_type = {
    .version = OBJECT_VERSION, .name = "condition variable", .lives = LIVES_IN_GROUPS,
    .operations = operations, .operation_count = sizeof operations / sizeof *operations,
    .size = size, .init = init, .choices = choices, .guard = guard, .execute = execute, .dependent = dependent,
    .stamp = stamp, .conflict = conflict, .may_conflict = may_conflict, .print = print, .print_result = print_result, .passage = passage,
    .traits = traits, .memory = memory, .copied = true,
};

/* The same with other names: what it waits for is a word of the program's memory. */
static const struct operation futex_operations[] = {
    [COND_INIT]      = { .name = "futex_init",  .format = "futex(%o)" },
    [COND_ENTER]     = { .name = "futex_wait",  .format = "futex(%o, FUTEX_WAIT)" },
    [COND_WAKE]      = { "futex_woken", "futex(%o, FUTEX_WAIT) wakes", RESULT_ERRNO, true, ROLE_RECEIVE, "futex(%o, FUTEX_WAIT)",
                         .awaits = AWAITS_WAKING, .limit = WAITS_FOR_A_WHILE },
    [COND_SIGNAL]    = { .name = "futex_wake", .format = "futex(%o, FUTEX_WAKE, 1)", .result = RESULT_NUMBER, .many = true, .role = ROLE_SEND },
    [COND_BROADCAST] = { .name = "futex_wake_all", .format = "futex(%o, FUTEX_WAKE)", .role = ROLE_SEND },
    [COND_DESTROY]   = { .name = "futex_destroy", .format = "futex(%o)" },
};

static uint32_t word(const int32_t arg[3])
{
    (void)arg;
    return sizeof(uint32_t);
}

const struct object_type futex_type = {
    .version = OBJECT_VERSION, .name = "futex", .lives = LIVES_IN_GROUPS,
    .operations = futex_operations, .operation_count = sizeof futex_operations / sizeof *futex_operations,
    .size = size, .init = init, .choices = choices, .guard = guard, .execute = execute, .dependent = dependent,
    .stamp = stamp, .conflict = conflict, .may_conflict = may_conflict, .print = print, .print_result = print_result, .passage = passage,
    .traits = traits, .memory = word,
};
