/* SPDX-License-Identifier: MIT */
#include "objects/signals.h"

#include <assert.h>
#include <signal.h>

enum { FIRST_QUEUED = 32, SIGNAL_BITS = 7, SIGNAL_FIELD = (1 << SIGNAL_BITS) - 1 };      /* a slot: the signal, above it its turn */

bool signals_queue_up(int signal) { return signal >= FIRST_QUEUED; }

static uint64_t pair(const uint32_t *words) { return words[0] | (uint64_t)words[1] << 32; }

static void put(struct log *log, uint32_t *word, uint32_t value)
{
    if (*word != value)
        object_set(log, word, value);
}

static void put_pair(struct log *log, uint32_t *words, uint64_t value)
{
    put(log, &words[0], (uint32_t)value);
    put(log, &words[1], (uint32_t)(value >> 32));
}

static const uint32_t *action_of(const uint32_t *s, int host, int signal)
{
    return s + SIGNALS_ACTIONS + (host * 64 + signal - 1) * SIGNALS_ACTION_WORDS;
}

static uint32_t *slots_of(uint32_t *s, int target) { return s + SIGNALS_SLOTS_AT + target * SIGNAL_SLOTS; }

uint64_t signals_mask(const uint32_t *s, int thread)      { return pair(s + SIGNALS_MASKS + 2 * thread); }
uint64_t signals_pending(const uint32_t *s, int target)   { return pair(s + SIGNALS_PENDING + 2 * target); }
uint32_t signals_action(const uint32_t *s, int host, int signal) { return action_of(s, host, signal)[0]; }

static enum signals_effect usual_effect(int signal)
{
    switch (signal) {
    case SIGCHLD: case SIGURG: case SIGWINCH: case SIGCONT:  return SIGNALS_NOTHING;
    case SIGSTOP: case SIGTSTP: case SIGTTIN: case SIGTTOU:  return SIGNALS_STOPS;
    default:                                                 return SIGNALS_ENDS;
    }
}

enum signals_effect signals_effect(const uint32_t *s, int host, int signal)
{
    uint32_t action = signals_action(s, host, signal);
    return action & SIGACTION_HANDLED ? SIGNALS_HANDLED : action & SIGACTION_IGNORED ? SIGNALS_NOTHING : usual_effect(signal);
}

/* ---- changes ---- */

void signals_set_mask(struct log *log, uint32_t *s, int thread, uint64_t mask)
{
    put_pair(log, s + SIGNALS_MASKS + 2 * thread, mask);
}

void signals_drop(struct log *log, uint32_t *s, int target, int signal)
{
    while (signals_pending(s, target) & SIGNALS_BIT(signal))
        signals_take(log, s, target, signal);
}

void signals_set_action(struct log *log, uint32_t *s, int host, const struct op *op)
{
    int signal = op->arg[0] & 0x7f;
    uint32_t *action = s + (action_of(s, host, signal) - s);
    put(log, &action[0], (uint32_t)op->arg[0] >> SIGACTION_SHIFT);
    put(log, &action[1], (uint32_t)op->arg[1]);
    put(log, &action[2], (uint32_t)op->arg[2]);
}

/* The last slot is for SIGCHLD, which comes by itself: nobody could be told that it finds none. */
int signals_add(struct log *log, uint32_t *s, int target, int signal)
{
    uint32_t *slots = slots_of(s, target), turn = 0;
    int free = -1, left = signal == SIGCHLD || signals_pending(s, target) & SIGNALS_BIT(SIGCHLD);
    for (int i = SIGNAL_SLOTS; i-- > 0;) {
        if (!slots[i])
            free = i, left++;
        else if ((int)(slots[i] & SIGNAL_FIELD) == signal && signal < FIRST_QUEUED)
            return i;
        else if (slots[i] >> SIGNAL_BITS >= turn)
            turn = (slots[i] >> SIGNAL_BITS) + 1;
    }
    if (free < 0 || left < 2)
        return -1;
    assert(signal >= FIRST_QUEUED || !(signals_pending(s, target) & SIGNALS_BIT(signal)));
    object_set(log, &slots[free], turn << SIGNAL_BITS | (uint32_t)signal);
    put_pair(log, s + SIGNALS_PENDING + 2 * target, signals_pending(s, target) | SIGNALS_BIT(signal));
    return free;
}

int signals_take(struct log *log, uint32_t *s, int target, int signal)
{
    uint32_t *slots = slots_of(s, target), count = 0;
    int oldest = -1;
    for (int i = 0; i < SIGNAL_SLOTS; i++) {
        if (!slots[i] || (int)(slots[i] & SIGNAL_FIELD) != signal)
            continue;
        count++;
        if (oldest < 0 || slots[i] < slots[oldest])
            oldest = i;
    }
    assert(oldest >= 0);
    object_set(log, &slots[oldest], 0);
    if (count == 1)
        put_pair(log, s + SIGNALS_PENDING + 2 * target, signals_pending(s, target) & ~SIGNALS_BIT(signal));
    return oldest;
}

void signals_handled(struct log *log, uint32_t *s, int thread, int host, int signal)
{
    uint32_t *action = s + (action_of(s, host, signal) - s);
    uint64_t more = pair(action + 1);
    signals_set_mask(log, s, thread, signals_mask(s, thread) | more);
    if (action[0] & SIGACTION_ONCE)
        put(log, &action[0], 0);
}

static void forget(struct log *log, uint32_t *s, int target)
{
    for (uint64_t left; (left = signals_pending(s, target));)
        signals_take(log, s, target, __builtin_ctzll(left) + 1);
}

void signals_born(struct log *log, uint32_t *s, int parent, int thread)
{
    signals_set_mask(log, s, thread, signals_mask(s, parent));
    forget(log, s, thread);
}

void signals_forked(struct log *log, uint32_t *s, int parent_host, int host)
{
    uint32_t *to = s + (action_of(s, host, 1) - s);
    const uint32_t *from = action_of(s, parent_host, 1);
    for (int i = 0; i < 64 * SIGNALS_ACTION_WORDS; i++)
        put(log, &to[i], from[i]);
    forget(log, s, SIGNALS_OF_HOST(host));
}

void signals_check(const uint32_t *s)
{
    for (int target = 0; target < SIGNALS_TARGETS; target++) {
        const uint32_t *slots = s + SIGNALS_SLOTS_AT + target * SIGNAL_SLOTS;
        uint64_t found = 0;
        for (int i = 0; i < SIGNAL_SLOTS; i++) {
            uint32_t signal = slots[i] & SIGNAL_FIELD;
            assert(!slots[i] || (signal >= 1 && signal <= 64));
            assert(!slots[i] || signal >= FIRST_QUEUED || !(found & SIGNALS_BIT(signal)));
            found |= slots[i] ? SIGNALS_BIT(signal) : 0;
        }
        assert(signals_pending(s, target) == found);
    }
}
