/* Signals in a sharing group: who gets one, and when its handler runs.
 *
 * A handler runs before the next operation of its thread, which then gives RESULT_SIGNAL and is not executed; the runtime comes back to it.
 * An operation that waits can also be given up (SIGNAL_INTERRUPTS): both happen, for the signal may have come just before the call.
 * A signal for a UNIX process goes to any thread that does not block it, and the search tries each; if all block it, it waits for
 * the first who does no longer, or who asks for it. That of a child that ends goes to the first that does not block it.
 *
 * Where several are due at the same moment, the lowest is taken first; but as in the kernel, which makes the frames of all before any handler
 * runs, the handler of the one that is taken last runs first (SIGNAL_MORE), unless it is blocked while the others' run.
 *
 * What is pending for a thread, only that thread takes; what is pending for a UNIX process is only taken by operations that say
 * so (SIGMASK, SIGWAIT). So all other operations stay independent of those of other threads, whatever is pending.
 *
 * Invariant: only what is pending is taken; a handler runs only where one is due.
 * SPDX-License-Identifier: MIT */
#include "system/group.h"

#include "objects/signals.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>

/* Each of the functions that others call changes something through those of objects/signals.h, a few times. */
static void make_room(struct system *s) { system_log_room(s, 2 * SIGNALS_CHANGES); }

static uint32_t *signals(const struct system *s) { return process_signals(group_table(s)); }
static int host_of(const struct system *s, int p) { return s->group->host[p]; }
static int lowest(uint64_t set) { return set ? __builtin_ctzll(set) + 1 : 0; }

/* What is pending for the target, and this thread does not block. */
static uint64_t deliverable(const struct system *s, int p, int target) { return signals_pending(signals(s), target) & ~signals_mask(signals(s), p); }

/* ---- before which operations it comes ---- */

static bool is_held_back(const struct op *op)            /* not started yet, or on the way out */
{
    return is_process(op, PROCESS_START) || is_process(op, PROCESS_LEAVE) || is_process(op, PROCESS_ALONE);
}

int signal_next(const struct system *s, const struct op *op)
{
    if (is_held_back(op))
        return 0;
    return lowest(deliverable(s, op->process, op->process));
}

/* Would the operation wait, so that the signal can end its waiting? */
static bool can_interrupt(const struct system *s, const struct node *n, int signal)
{
    uint32_t traits = types_traits(&n->op);
    bool restarts = signals_action(signals(s), host_of(s, n->op.process), signal) & SIGACTION_RESTARTS;
    return (traits & OP_INTERRUPTED || (traits & OP_RESTARTED && !restarts)) && time_would_wait(s, n);
}

static bool suspends(const struct op *op) { return is_process(op, PROCESS_PAUSE) && op->arg[0]; }

/* Choice 0 interrupts, if it can; with choice 1 the signal came before the call, unless that has said that it begins to wait. */
uint32_t signal_choices(const struct system *s, const struct node *n)
{
    return can_interrupt(s, n, signal_next(s, &n->op)) && !suspends(&n->op) && !time_waits(s, n) ? 2 : 1;
}

/* ---- taking one ---- */

static uint32_t take(struct system *s, int p, int signal, int target)
{
    assert(signal >= 1 && signals_pending(signals(s), target) & SIGNALS_BIT(signal));
    uint32_t slot = (uint32_t)signals_take(&s->log, signals(s), target, signal);
    signals_handled(&s->log, signals(s), p, host_of(s, p), signal);
    uint64_t more = deliverable(s, p, p) | deliverable(s, p, SIGNALS_OF_HOST(host_of(s, p)));
    return RESULT_SIGNAL | (uint32_t)signal | slot << SIGNAL_SLOT_SHIFT | (target == p ? 0 : SIGNAL_SHARED) | (more ? SIGNAL_MORE : 0);
}

uint32_t signal_deliver(struct system *s, const struct node *n, uint32_t choice)
{
    make_room(s);
    int signal = signal_next(s, &n->op), p = n->op.process;
    assert(signal && choice < 2);
    bool interrupts = choice == 0 && can_interrupt(s, n, signal);
    return take(s, p, signal, p) | (interrupts ? SIGNAL_INTERRUPTS : 0);
}

static uint64_t set_of(const struct op *op) { return (uint32_t)op->arg[1] | (uint64_t)((uint32_t)op->arg[2] & ~(uint32_t)ARG_CANCELLABLE) << 32; }

static uint32_t change_mask(struct system *s, const struct op *op)
{
    int p = op->process, own = SIGNALS_OF_HOST(host_of(s, p));
    uint64_t mask = set_of(op);
    signals_set_mask(&s->log, signals(s), p, mask);
    if (op->arg[0])                                      /* sigsuspend, which waits next */
        return 0;
    int first = lowest(deliverable(s, p, p)), shared = lowest(deliverable(s, p, own));
    return first ? take(s, p, first, p) | SIGNAL_DONE : shared ? take(s, p, shared, own) | SIGNAL_DONE : 0;
}

/* ---- waiting for one ---- */

static int awaited(const struct system *s, const struct op *op, int *target)
{
    *target = op->process;
    int signal = lowest(signals_pending(signals(s), *target) & set_of(op));
    if (signal)
        return signal;
    *target = SIGNALS_OF_HOST(host_of(s, op->process));
    return lowest(signals_pending(signals(s), *target) & set_of(op));
}

static uint32_t wait_for(struct system *s, const struct op *op)
{
    int target, signal = awaited(s, op, &target);
    if (!signal)
        return 0;
    uint32_t slot = (uint32_t)signals_take(&s->log, signals(s), target, signal);
    return (uint32_t)signal | slot << SIGNAL_SLOT_SHIFT | (target == op->process ? 0 : SIGNAL_SHARED);
}

static uint32_t pending(const struct system *s, const struct op *op)
{
    uint64_t set = signals_pending(signals(s), op->process) | signals_pending(signals(s), SIGNALS_OF_HOST(host_of(s, op->process)));
    set &= signals_mask(signals(s), op->process);
    return (uint32_t)(op->arg[0] ? set >> 32 : set);
}

/* sigsuspend takes what is pending for the whole UNIX process, too. */
static int due_in_pause(const struct system *s, const struct op *op)
{
    return lowest(deliverable(s, op->process, SIGNALS_OF_HOST(host_of(s, op->process))));
}

static uint32_t end_pause(struct system *s, const struct op *op)
{
    assert(due_in_pause(s, op));
    return take(s, op->process, due_in_pause(s, op), SIGNALS_OF_HOST(host_of(s, op->process))) | SIGNAL_INTERRUPTS;
}

/* ---- sending ---- */

/* The threads that it can go to. */
static uint64_t open_for(const struct system *s, int host, int signal)
{
    uint64_t threads = 0;
    for (uint64_t m = process_live(group_table(s), host); m; m &= m - 1)
        threads |= signals_mask(signals(s), __builtin_ctzll(m)) & SIGNALS_BIT(signal) ? 0 : m & -m;
    return threads;
}

static uint32_t queue(struct system *s, int target, int signal)
{
    int slot = signals_add(&s->log, signals(s), target, signal);
    return slot < 0 ? SIGNAL_FULL : SIGNAL_SENT | (uint32_t)target << SIGNAL_TARGET_SHIFT | (uint32_t)slot;
}

/* For this thread; -1: for all of the UNIX process, which block it. */
static uint32_t give(struct system *s, int host, int thread, int target, int signal)
{
    if (thread < 0)
        return queue(s, target, signal);
    switch (signals_effect(signals(s), host, signal)) {
    case SIGNALS_NOTHING: return 0;
    case SIGNALS_STOPS:   return SIGNAL_STOPS;
    case SIGNALS_ENDS:    return SIGNAL_ENDS;
    default:              return queue(s, thread, signal);
    }
}

/* A thread that has only begun to wait in sigsuspend has not taken yet what is pending for its UNIX process: the next of its kind goes behind that. */
static bool goes_behind(const struct system *s, int host, int signal)
{
    return signals_pending(signals(s), SIGNALS_OF_HOST(host)) & SIGNALS_BIT(signal);
}

static uint64_t receivers(const struct system *s, const struct op *kill, int host)
{
    uint64_t open = kill->arg[1] ? open_for(s, host, kill->arg[1]) : 0;
    if (kill->arg[2] & KILL_THREAD)
        return open & BIT(kill->arg[0]);
    return kill->arg[1] && goes_behind(s, host, kill->arg[1]) ? 0 : open;
}

static int target_host(const struct system *s, const struct op *kill)
{
    return kill->arg[2] & KILL_THREAD ? host_of(s, kill->arg[0]) : kill->arg[0];
}

static int nth(uint64_t set, uint32_t n)
{
    while (n--)
        set &= set - 1;
    return set ? __builtin_ctzll(set) : -1;
}

bool signal_is_pending(const struct system *s, const struct op *op)
{
    int host = target_host(s, op), target = op->arg[2] & KILL_THREAD ? op->arg[0] : SIGNALS_OF_HOST(host);
    uint64_t all = signals_pending(signals(s), target);
    for (uint64_t m = op->arg[2] & KILL_THREAD ? 0 : process_live(group_table(s), host); m; m &= m - 1)
        all |= signals_pending(signals(s), __builtin_ctzll(m));
    return all & SIGNALS_BIT(op->arg[1]);
}

bool signal_is_ignored(const struct system *s, const struct op *op)
{
    return signals_effect(signals(s), target_host(s, op), op->arg[1]) == SIGNALS_NOTHING;
}

uint32_t signal_expected(const struct system *s, const struct op *op)
{
    int host = target_host(s, op), target = op->arg[2] & KILL_THREAD ? op->arg[0] : SIGNALS_OF_HOST(host);
    uint64_t open = receivers(s, op, host);
    if (process_has_ended(group_table(s), host) || open & (open - 1))
        return UINT32_MAX;
    if (open && signals_effect(signals(s), host, op->arg[1]) != SIGNALS_HANDLED)
        return signals_effect(signals(s), host, op->arg[1]) == SIGNALS_NOTHING ? 0 : UINT32_MAX;
    return SIGNAL_SENT | (uint32_t)(open ? nth(open, 0) : target) << SIGNAL_TARGET_SHIFT;
}

uint32_t signal_send_choices(const struct system *s, const struct op *op)
{
    int host = target_host(s, op);
    if (!op->arg[1] || signals_effect(signals(s), host, op->arg[1]) != SIGNALS_HANDLED || process_has_ended(group_table(s), host))
        return 1;
    uint32_t count = (uint32_t)__builtin_popcountll(receivers(s, op, host));
    return count ? count : 1;
}

uint32_t signal_send(struct system *s, const struct node *n, uint32_t choice)
{
    make_room(s);
    const struct op *op = &n->op;
    int host = target_host(s, op), to_thread = op->arg[2] & KILL_THREAD, signal = op->arg[1];
    struct op question = *op;
    question.code = PROCESS_KILL;
    question.arg[0] = host;
    question.arg[1] = 0;
    uint32_t error = to_thread ? process_has_joined(group_table(s), op->arg[0]) ? ESRCH : 0
                               : n->type->execute(&s->log, s->words + n->state, &question, 0);
    if (error || !signal || process_has_ended(group_table(s), host) || (to_thread && !(process_live(group_table(s), host) >> op->arg[0] & 1)))
        return error;
    uint64_t open = receivers(s, op, host);
    int thread = nth(open, choice), own = thread == op->process;
    uint32_t result = give(s, host, thread, to_thread ? op->arg[0] : SIGNALS_OF_HOST(host), signal);
    uint32_t many = result & SIGNAL_SENT && open & (open - 1) ? SIGNAL_ONE_OF_MANY : 0;
    if (own && result & SIGNAL_SENT)
        return take(s, thread, signal, thread) | SIGNAL_DONE | many;
    result |= many;
    if (result != SIGNAL_ENDS || host == host_of(s, op->process))
        return result;
    question.arg[1] = signal;
    n->type->execute(&s->log, s->words + n->state, &question, 0);
    group_kill(s, host);
    return SIGNAL_KILLED | signal_child_ended(s, host);
}

uint32_t signal_child_ended(struct system *s, int host)
{
    make_room(s);
    int parent = process_parent(group_table(s), host);
    assert(process_has_ended(group_table(s), host));
    if (parent < 0 || process_has_ended(group_table(s), parent))
        return SIGNAL_NOBODY;
    if (signals_action(signals(s), parent, SIGCHLD) & (SIGACTION_IGNORED | SIGACTION_NO_WAIT))
        process_reap(&s->log, group_table(s), host);
    uint64_t open = goes_behind(s, parent, SIGCHLD) ? 0 : open_for(s, parent, SIGCHLD);
    uint32_t result = give(s, parent, nth(open, 0), SIGNALS_OF_HOST(parent), SIGCHLD);
    assert(result != SIGNAL_FULL);
    return result & SIGNAL_SENT ? result : 0;
}

/* ---- what is done about them ---- */

static void drop(struct system *s, int target, int signal)
{
    make_room(s);
    signals_drop(&s->log, signals(s), target, signal);
}

/* Who ignores a signal forgets those that are pending, also for single threads. */
static void set_action(struct system *s, const struct op *op)
{
    int host = host_of(s, op->process), signal = op->arg[0] & SIGNAL_NUMBER;
    signals_set_action(&s->log, signals(s), host, op);
    if (signals_effect(signals(s), host, signal) != SIGNALS_NOTHING)
        return;
    drop(s, SIGNALS_OF_HOST(host), signal);
    for (uint64_t m = process_live(group_table(s), host); m; m &= m - 1)
        drop(s, __builtin_ctzll(m), signal);
}

/* ---- operations ---- */

uint32_t signal_operation_choices(const struct system *s, const struct op *op)
{
    int target;
    switch (op->code) {
    case PROCESS_KILL:    return signal_send_choices(s, op);
    case PROCESS_SIGWAIT: return op->arg[0] || awaited(s, op, &target);
    case PROCESS_PAUSE:   return op->arg[0] && due_in_pause(s, op);
    default:              return 1;
    }
}

uint32_t signal_operate(struct system *s, const struct node *n, uint32_t choice)
{
    const struct op *op = &n->op;
    make_room(s);
    switch (op->code) {
    case PROCESS_KILL:       return signal_send(s, n, choice);
    case PROCESS_SIGMASK:    return change_mask(s, op);
    case PROCESS_SIGACTION:  set_action(s, op); return 0;
    case PROCESS_SIGWAIT:    return wait_for(s, op);
    case PROCESS_SIGPENDING: return pending(s, op);
    default:                 return end_pause(s, op);
    }
}

void signal_born(struct system *s, int parent, int child)
{
    make_room(s);
    signals_born(&s->log, signals(s), parent, child);
    if (host_of(s, child) == child)
        signals_forked(&s->log, signals(s), host_of(s, parent), child);
}
