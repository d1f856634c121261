/* SPDX-License-Identifier: MIT */
#include "objects/timers.h"
#include "objects/set.h"

#include <assert.h>

enum { ARMED = 1, DELETED = 2, WAITS = 4, MEASURED = 16, OVERRUNS_SHIFT = 8, CHANNEL_SHIFT = 24, OVERRUNS = 0xffff };

static uint64_t pair(const uint32_t *words) { return words[0] | (uint64_t)words[1] << 32; }

static void put_pair(struct log *log, uint32_t *words, uint64_t value)
{
    set_write(log, &words[0], (uint32_t)value);
    set_write(log, &words[1], (uint32_t)(value >> 32));
}

static const uint32_t *timer_of(const uint32_t *t, int timer)
{
    assert(timer >= 0 && timer < MAX_PROCESSES);
    return t + TIMERS_TABLE + timer * TIMERS_EACH;
}

static uint32_t *timer_at(uint32_t *t, int timer) { return t + (timer_of(t, timer) - t); }

bool     timers_armed(const uint32_t *t, int timer)    { return timer_of(t, timer)[TIMERS_STATE] & ARMED; }
bool     timers_deleted(const uint32_t *t, int timer)  { return timer_of(t, timer)[TIMERS_STATE] & DELETED; }
bool     timers_repeats(const uint32_t *t, int timer)  { return pair(timer_of(t, timer) + TIMERS_INTERVAL); }
uint64_t timers_due(const uint32_t *t, int timer)      { return pair(timer_of(t, timer) + TIMERS_DUE); }
uint32_t timers_overruns(const uint32_t *t, int timer) { return timer_of(t, timer)[TIMERS_STATE] >> OVERRUNS_SHIFT & OVERRUNS; }
int      timers_channel(const uint32_t *t, int timer)  { return (int)(timer_of(t, timer)[TIMERS_STATE] >> CHANNEL_SHIFT) - 1; }

uint64_t timers_now(const uint32_t *t)                 { return pair(t + TIMERS_NOW); }
bool     timers_measured(const uint32_t *t, int timer) { return timer_of(t, timer)[TIMERS_STATE] & MEASURED; }
bool     timers_waits(const uint32_t *t, int process)  { return timer_of(t, process)[TIMERS_STATE] & WAITS; }

/* ---- changes ---- */

int timers_of(const struct op *op) { return op->arg[0] & TIMER_FIELD; }

static uint64_t upper(const struct op *op, int field)
{
    return (uint32_t)op->arg[0] >> (TIMER_SHIFT + field * TIMER_UPPER_BITS) & ((1u << TIMER_UPPER_BITS) - 1);
}

static uint64_t first_of(const struct op *op) { return (uint32_t)op->arg[1] | upper(op, 0) << TIMER_FIRST_BITS; }

static uint64_t interval_of(const struct op *op)
{
    return (uint32_t)op->arg[2] >> TIMER_INTERVAL_SHIFT | upper(op, 1) << TIMER_INTERVAL_BITS;
}

static uint32_t lasting(const uint32_t *timer) { return timer[TIMERS_STATE] >> CHANNEL_SHIFT << CHANNEL_SHIFT; }

void timers_born(struct log *log, uint32_t *t, const struct op *create, int timer)
{
    uint32_t *words = timer_at(t, timer);
    set_write(log, &words[TIMERS_STATE], (uint32_t)create->arg[1] >> CREATE_CHANNEL_SHIFT << CHANNEL_SHIFT);
    put_pair(log, words + TIMERS_DUE, 0);
    put_pair(log, words + TIMERS_INTERVAL, 0);
}

bool timers_begins(const struct op *op, uint64_t *span)
{
    *span = is_process(op, PROCESS_SETTIME) && timers_of(op) == op->process ? first_of(op) : 0;
    return *span;
}

static void begin_to_wait(struct log *log, uint32_t *t, int process, uint64_t span)
{
    uint32_t *words = timer_at(t, process);
    set_write(log, &words[TIMERS_STATE], WAITS);
    put_pair(log, words + TIMERS_DUE, timers_now(t) + span);
}

/* From now on the clock is known to have gone so far while they did not expire. */
static void measure(struct log *log, uint32_t *t)
{
    for (int timer = 0; timer < MAX_PROCESSES; timer++)
        if (timers_armed(t, timer))
            set_write(log, &timer_at(t, timer)[TIMERS_STATE], timer_of(t, timer)[TIMERS_STATE] | MEASURED);
}

void timers_stop_waiting(struct log *log, uint32_t *t, int process, bool late)
{
    uint32_t *words = timer_at(t, process);
    uint64_t due = timers_due(t, process);
    assert(timers_waits(t, process));
    if (late && due > timers_now(t))
        put_pair(log, t + TIMERS_NOW, due);
    if (late)
        measure(log, t);
    set_write(log, &words[TIMERS_STATE], 0);
    put_pair(log, words + TIMERS_DUE, 0);
}

void timers_set(struct log *log, uint32_t *t, const struct op *op)
{
    uint32_t *words = timer_at(t, timers_of(op));
    uint64_t first = first_of(op), span;
    if (timers_begins(op, &span)) {
        begin_to_wait(log, t, op->process, span);
        return;
    }
    bool deleted = op->arg[2] & TIMER_DELETED;
    assert(!deleted || !first);
    set_write(log, &words[TIMERS_STATE], lasting(words) | (first ? ARMED : 0) | (deleted ? DELETED : 0));
    put_pair(log, words + TIMERS_DUE, first ? pair(t + TIMERS_NOW) + first : 0);
    put_pair(log, words + TIMERS_INTERVAL, first ? interval_of(op) : 0);
}

/* Who was held back for long comes next at a time that is not over yet. */
static uint64_t next_time(uint64_t due, uint64_t interval, uint64_t now)
{
    uint64_t behind = now > due ? (now - due) / interval : 0;
    return due + (behind + 1) * interval;
}

void timers_expire(struct log *log, uint32_t *t, int timer, bool again, enum timers_order order)
{
    uint32_t *words = timer_at(t, timer), overruns = again ? timers_overruns(t, timer) + 1 : 0;
    uint64_t due = timers_due(t, timer), interval = pair(words + TIMERS_INTERVAL), now = pair(t + TIMERS_NOW);
    assert(timers_armed(t, timer) && overruns <= OVERRUNS);
    if (order == TIMERS_BY_TIME && due > now)
        put_pair(log, t + TIMERS_NOW, now = due);
    set_write(log, &words[TIMERS_STATE], lasting(words) | (interval ? ARMED : 0) | overruns << OVERRUNS_SHIFT);
    put_pair(log, words + TIMERS_DUE, interval && order == TIMERS_BY_TIME ? next_time(due, interval, now) : interval ? due : 0);
}

/* ---- what a program can say ---- */

static bool is_channel(uint32_t more_by_one) { return more_by_one <= STREAMS_CHANNELS; }

bool timers_possible(const struct op *op)
{
    switch (op->code) {
    case PROCESS_CREATE:
        return is_channel((uint32_t)op->arg[1] >> CREATE_CHANNEL_SHIFT);
    case PROCESS_SETTIME:
        return is_channel((uint32_t)op->arg[0] >> TIMER_CHANNEL_SHIFT & TIMER_FIELD) && !(op->arg[2] & TIMER_DELETED && first_of(op));
    default:
        return op->arg[0] >= 0 && op->arg[0] < MAX_PROCESSES && op->arg[1] >= 0 && op->arg[1] <= 64
            && is_channel((uint32_t)op->arg[2] >> EXPIRE_CHANNEL_SHIFT & 0xff);
    }
}

/* ---- states ---- */

uint32_t timers_canonical(const uint32_t *t, uint32_t *out)
{
    uint32_t *end = out;
    for (int timer = 0; timer < MAX_PROCESSES; timer++) {
        const uint32_t *words = timer_of(t, timer);
        uint64_t due = timers_due(t, timer), left = due - timers_now(t);
        if (timers_waits(t, timer) && due < timers_now(t))
            left = 0;
        if (!words[TIMERS_STATE])
            continue;
        *end++ = (uint32_t)timer;
        *end++ = words[TIMERS_STATE];
        *end++ = due ? (uint32_t)left : 0;
        *end++ = due ? (uint32_t)(left >> 32) : 0;
        *end++ = words[TIMERS_INTERVAL];
        *end++ = words[TIMERS_INTERVAL + 1];
    }
    return (uint32_t)(end - out);
}

void timers_check(const uint32_t *t)
{
    for (int timer = 0; timer < MAX_PROCESSES; timer++) {
        assert(!timers_deleted(t, timer) || !timers_armed(t, timer));
        assert(!timers_waits(t, timer) || !timers_armed(t, timer));
        assert(timers_armed(t, timer) || timers_waits(t, timer) || !timers_due(t, timer));
        assert(timers_channel(t, timer) < STREAMS_CHANNELS);
    }
}
