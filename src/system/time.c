/* Virtual time in a program that has timers and also waits with time limits: sleeps, and calls that give up after a while.
 *
 * There is one clock (objects/timers.h). A timer has a deadline while it is armed; a process has one from where it says for how long it is going to
 * wait (SETTIME of itself) to the end of that wait. What is left to the search, and what is not:
 *
 *  - A timer does not expire while somebody stands in a wait whose time is over earlier, or is about to begin one. A wait does not end by its time
 *    while a timer is armed, and not held, whose time comes earlier. With equal times either may be first.
 *  - Waits are not ordered among each other: real machines keep no such promise, and a program that relies on it is wrong.
 *  - How long computing takes nobody knows; so a timer may expire before any operation, whatever its time. But from the first wait on that ended by
 *    its time while the timer was armed, the program itself has told how time goes (`measured`): then, until its deadline has passed, it expires only when
 *    nobody else can go on, but for those who only wait for time or look again and again.
 *
 * The last is why an alarm of five seconds does not ring in a program that sleeps for one and then switches it off; and the clock goes on when it has
 * to. Why somebody can always go on: of all who only wait for time the one with the earliest deadline is not held up by another.
 *
 * So an expiry depends on every step (whoever goes on can hold it up, whoever comes to a wait may), and the end of a wait on all that changes
 * deadlines (dependence.c).
 *
 * Whether a program is such a one is found out while it runs, and then everything begins again (history/visible.h): one that has only timers, or
 * only waits, is searched as if this were not there.
 * SPDX-License-Identifier: MIT */
#include "system/group.h"

#include "objects/timers.h"

#include <assert.h>

static uint32_t *timers(const struct system *s) { return process_timers(group_table(s)); }

bool time_limits(const struct op *op)
{
    struct op without;
    return types_limit(op, &without);
}

bool time_would_wait(const struct system *s, const struct node *n)
{
    struct op without;
    bool limit = types_limit(&n->op, &without);
    if (is_process(&n->op, PROCESS_YIELD))
        return limit;
    return !(signal_operates(&without) ? signal_operation_choices(s, &without) : n->type->choices(s->words + n->state, &without));
}

bool time_waits(const struct system *s, const struct node *n)
{
    return s->timed && timers_waits(timers(s), n->op.process) && time_limits(&n->op) && time_would_wait(s, n);
}

/* Does it stand where only its time can end its waiting? */
static bool only_time_helps(const struct system *s, int p)
{
    const struct node *n = system_pending(s, p);
    return time_waits(s, n) && !group_is_interrupted(s, &n->op);
}

/* ---- who has to wait for whom ---- */

/* A wait for a condition variable is several operations: it has said how long it waits, and nothing keeps it from coming there. */
static bool comes_to_wait(const struct system *s, int p)
{
    return system_pending(s, p)->op.begun && timers_waits(timers(s), p) && s->enabled & BIT(p);
}

/* When is the earliest of these over? UINT64_MAX: there is none. Of waits, also of those that are about to begin. */
static uint64_t first_wait(const struct system *s, uint64_t waits)
{
    uint64_t first = UINT64_MAX, span;
    for (uint64_t m = s->alive & ~hidden_standing(s); m; m &= m - 1) {
        int p = __builtin_ctzll(m);
        bool begins = timers_begins(&system_pending(s, p)->op, &span);
        uint64_t due = begins ? timers_now(timers(s)) + span : waits & BIT(p) || comes_to_wait(s, p) ? timers_due(timers(s), p) : UINT64_MAX;
        first = due < first ? due : first;
    }
    return first;
}

/* Of timers that can expire, and of those that were only just made, and have not come there yet. */
static uint64_t first_timer(const struct system *s, uint64_t expiring)
{
    uint64_t first = UINT64_MAX;
    for (uint64_t m = s->alive; m; m &= m - 1) {
        int p = __builtin_ctzll(m);
        bool counts = timers_armed(timers(s), p) && (expiring & BIT(p) || !is_process(&system_pending(s, p)->op, PROCESS_EXPIRE));
        uint64_t due = counts ? timers_due(timers(s), p) : UINT64_MAX;
        first = due < first ? due : first;
    }
    return first;
}

static uint64_t later_than(const struct system *s, uint64_t set, uint64_t time)
{
    uint64_t later = 0;
    for (uint64_t m = set; m; m &= m - 1)
        later |= timers_due(timers(s), __builtin_ctzll(m)) > time ? m & -m : 0;
    return later;
}

static uint64_t those_measured(const struct system *s, uint64_t expiring)
{
    uint64_t set = 0;
    for (uint64_t m = expiring; m; m &= m - 1)
        set |= timers_measured(timers(s), __builtin_ctzll(m)) ? m & -m : 0;
    return later_than(s, set, timers_now(timers(s)));
}

/* Does it do more than to look again? */
static bool goes_on(const struct system *s, const struct node *n)
{
    return !(n->flags & NODE_YIELDS) || (time_limits(&n->op) && !time_would_wait(s, n));
}

static bool one_goes_on(const struct system *s, uint64_t others)
{
    for (uint64_t m = others; m; m &= m - 1)
        if (goes_on(s, system_pending(s, __builtin_ctzll(m))))
            return true;
    return false;
}

void time_hold_back(struct system *s)
{
    uint64_t expiring = 0, waits = 0;
    assert(s->group && s->timed);
    for (uint64_t m = s->enabled & ~hidden_standing(s); m; m &= m - 1) {
        int p = __builtin_ctzll(m);
        expiring |= timer_expires(s, &system_pending(s, p)->op) ? BIT(p) : 0;
        waits |= only_time_helps(s, p) ? BIT(p) : 0;
    }
    assert(!(expiring & waits));
    uint64_t too_early = later_than(s, expiring, first_wait(s, waits)) | later_than(s, waits, first_timer(s, expiring));
    if (one_goes_on(s, s->enabled & ~expiring & ~waits))
        too_early |= those_measured(s, expiring);
    assert(too_early != s->enabled || !s->enabled);      /* the earliest of all is not too early */
    s->enabled &= ~too_early;
}

/* ---- the clock goes on ---- */

bool time_runs_out(const struct system *s, const struct node *n) { return only_time_helps(s, n->op.process); }

void time_passes(struct system *s, const struct node *n, uint32_t result, bool out)
{
    assert(!out || s->timed);
    bool again = IS_RESULT_SIGNAL(result) && !(result & SIGNAL_INTERRUPTS);      /* a signal came first: it waits on */
    if (again || !timers_waits(timers(s), n->op.process) || !time_limits(&n->op))
        return;
    system_log_room(s, OBJECT_CHANGES_OF_GROUP + MAX_PROCESSES);
    timers_stop_waiting(&s->log, timers(s), n->op.process, out);
}
