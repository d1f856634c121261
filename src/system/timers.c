/* Timers in a sharing group: when one may expire, and what comes of it.
 *
 * An expiry is a transition of the timer, which can go while the timer is armed: whatever else the program does may come before. Of
 * several timers the one goes whose time comes first, by virtual time (objects/timers.h); with EXPIRE_ANY each may. What it does is done
 * at one go, as by the kernel: the signal is pending, or the channel counts one more, when anybody else can look.
 *
 * A timer that repeats would expire for ever while its program rests. So one whose last expiry nobody has seen (its signal is still
 * pending, nobody has read its channel) is *held*, but for as many overruns as the program is to be shown; and one of which nothing
 * comes at all (its signal is ignored) is held always. Who is held does not keep others from expiring.
 *
 * With EXPIRE_LATE one expires only when nobody else can go on, and of several then the first: it comes after all that was done before, and
 * before all that comes later. So it is in conflict with each step, and never one of two that could change places (dependence.c).
 *
 * What an expiry depends on is in dependence.c; here is why it is enough. Whether a timer can go depends on the times of all, and on who is held:
 * so on each SETTIME and EXPIRE, on whoever takes a signal or changes what is done about it, and on whoever reads a timer's channel.
 * SPDX-License-Identifier: MIT */
#include "system/group.h"

#include "objects/signals.h"
#include "objects/timers.h"

#include <assert.h>

static uint32_t *timers(const struct system *s) { return process_timers(group_table(s)); }

/* ---- the channels that count ---- */

static uint32_t *counts_in(const struct system *s, const struct object_type **type)
{
    for (const struct object *o = s->objects; o < s->objects + s->object_count; o++)
        if (o->type->ticks) {
            *type = o->type;
            return s->words + o->state;
        }
    return NULL;
}

static uint32_t unread(const struct system *s, int timer)
{
    const struct object_type *type;
    const uint32_t *words = counts_in(s, &type);
    return words ? type->ticks(words, (uint32_t)timers_channel(timers(s), timer)) : 0;
}

static void count(struct system *s, int timer, bool more)
{
    const struct object_type *type;
    uint32_t *words = counts_in(s, &type);
    if (words && timers_channel(timers(s), timer) >= 0)
        type->tick(&s->log, words, (uint32_t)timers_channel(timers(s), timer), more);
}

/* ---- may it expire? ---- */

/* Has nobody seen the last expiry? Signals that queue up may be pending from other timers, too: one that does not repeat adds its own. (So it does where it
 * was set again before its last one was seen, and the kernel would count an overrun.) */
static bool is_unseen(const struct system *s, const struct op *expire)
{
    int timer = expire->process;
    if (timers_channel(timers(s), timer) >= 0)
        return unread(s, timer);
    bool another = signals_queue_up(expire->arg[1]) && !timers_repeats(timers(s), timer);
    return expire->arg[1] && !another && signal_is_pending(s, expire);
}

static bool does_nothing(const struct system *s, const struct op *expire)
{
    if (expire->arg[2] & EXPIRE_TELLS || timers_channel(timers(s), expire->process) >= 0)
        return false;
    return !expire->arg[1] || signal_is_ignored(s, expire);
}

static uint32_t most_overruns(const struct op *expire) { return (uint32_t)expire->arg[2] >> EXPIRE_OVERRUNS_SHIFT; }

static bool is_held(const struct system *s, const struct op *expire)
{
    if (!timers_repeats(timers(s), expire->process))
        return false;
    return does_nothing(s, expire) || (is_unseen(s, expire) && timers_overruns(timers(s), expire->process) >= most_overruns(expire));
}

static bool comes_first(const struct system *s, const struct op *expire)
{
    uint64_t due = timers_due(timers(s), expire->process);
    for (uint64_t m = s->alive & ~BIT(expire->process); m; m &= m - 1) {
        int other = __builtin_ctzll(m);
        const struct op *op = &system_pending(s, other)->op;
        if (timers_armed(timers(s), other) && timers_due(timers(s), other) < due
            && !(is_process(op, PROCESS_EXPIRE) && is_held(s, op)))
            return false;
    }
    return true;
}

static bool may_expire(const struct system *s, const struct op *op)
{
    if (timers_deleted(timers(s), op->process))
        return true;
    return timers_armed(timers(s), op->process) && !is_held(s, op) && (op->arg[2] & EXPIRE_ANY || comes_first(s, op));
}

bool timer_expires(const struct system *s, const struct op *op)
{
    return is_process(op, PROCESS_EXPIRE) && !timers_deleted(timers(s), op->process);
}

uint32_t timer_expected(const struct system *s, const struct op *op)
{
    if (!timer_expires(s, op))
        return EXPIRE_GONE;
    return is_unseen(s, op) ? EXPIRE_AGAIN : op->arg[1] ? signal_expected(s, op) : 0;
}

bool timer_is_late(const struct op *op, uint32_t result)
{
    return is_process(op, PROCESS_EXPIRE) && op->arg[2] & EXPIRE_LATE && (result == UINT32_MAX || !(result & EXPIRE_GONE));
}

void timers_come_late(struct system *s)
{
    uint64_t late = 0;
    for (uint64_t m = s->enabled & s->timers; m; m &= m - 1) {
        const struct op *op = &system_pending(s, __builtin_ctzll(m))->op;
        late |= timer_expires(s, op) && timer_is_late(op, UINT32_MAX) ? m & -m : 0;
    }
    uint64_t first = late & -late;
    s->enabled = s->enabled & ~late ? s->enabled & ~late : s->enabled & (~late | first);
}

/* ---- what they do ---- */

uint32_t timer_choices(const struct system *s, const struct op *op)
{
    if (op->code != PROCESS_EXPIRE)
        return 1;
    if (!may_expire(s, op))
        return 0;
    return timers_deleted(timers(s), op->process) || !op->arg[1] || is_unseen(s, op) ? 1 : signal_send_choices(s, op);
}

static uint32_t expire(struct system *s, const struct node *n, uint32_t choice)
{
    const struct op *op = &n->op;
    if (timers_deleted(timers(s), op->process))
        return EXPIRE_GONE;
    bool again = is_unseen(s, op);
    timers_expire(&s->log, timers(s), op->process, again, op->arg[2] & EXPIRE_ANY ? TIMERS_ANY : TIMERS_BY_TIME);
    count(s, op->process, true);
    if (again)
        return EXPIRE_AGAIN;
    return op->arg[1] ? signal_send(s, n, choice) : 0;
}

uint32_t timer_operate(struct system *s, const struct node *n, uint32_t choice)
{
    const struct op *op = &n->op;
    system_log_room(s, 2 * OBJECT_CHANGES_OF_GROUP);
    if (op->code == PROCESS_EXPIRE)
        return expire(s, n, choice);
    if (op->code == PROCESS_SETTIME) {
        n->type->execute(&s->log, s->words + n->state, op, 0);
        assert(timers_deleted(timers(s), timers_of(op)) == !!(op->arg[2] & TIMER_DELETED));
        count(s, timers_of(op), false);
    }
    return 0;
}
