/* The end of the program comes last.
 *
 * A thread that exits comes, when all handlers have run, to PROCESS_ALONE: all other threads of its UNIX process end there. While
 * that is the only UNIX process alive, this step is held back: it is enabled only when no other thread can go on. (Of several that
 * stand there, the one with the lowest number goes.) So an exit does not multiply the executions of a program that does not join.
 *
 * Why nothing is lost by it. Let E be an execution in which the step comes earlier: after the steps e1 ... en, while others could
 * go on. What follows it is the exiting thread closing what the process has open, alone; nobody is left to see that. An error of
 * E is therefore one of e1 ... en: a thread came to stand before something wrong, or everybody stood still; the latter cannot be,
 * for the exiting thread could go on. But e1 ... en is also the beginning of an execution in which the step is held back, and there the
 * error is the same. A deadlock that is left out, of others while a thread stands at its exit, is none: that exit ends them.
 * What handlers, destructors and the flushing of streams do comes before the step, by operations like any other, while the
 * others run on. So a handler that takes a lock, or another thread that uses what a handler has destroyed, is searched in
 * every order.
 *
 * With other UNIX processes alive it is not so. They see how far the threads came: what is in shared memory, which ends of pipes
 * are open, which robust mutex has lost its owner. There the step can go at any time, and depends on all steps of its UNIX process
 * (dependence.c); and since the end of the last other UNIX process changes whether it is held back, it depends on these ends, too.
 *
 * The system has it so, not a search: all searches and reductions, `none` among them, have the same executions. A
 * thread that never ends is not cut by the exit of another, then, but by the depth bound.
 * SPDX-License-Identifier: MIT */
#include "system/group.h"

/* Timers that expire do not hold it back, for they may do that for ever. Both orders of an expiry and the exit are searched. */
static uint64_t expiring(const struct system *s)
{
    uint64_t set = 0;
    for (uint64_t m = s->enabled & s->timers; m; m &= m - 1)
        set |= timer_expires(s, &system_pending(s, __builtin_ctzll(m))->op) ? m & -m : 0;
    return set;
}

/* UNIX processes outside (hidden.h) see how far the threads came, but nobody under control learns of it. */
static uint64_t outsiders(const struct system *s)
{
    uint64_t set = 0;
    for (uint64_t m = s->hides ? s->alive : 0; m; m &= m - 1)
        set |= s->group->outsider[__builtin_ctzll(m)] ? m & -m : 0;
    return set;
}

/* Nor do those outside that only look again and again (hidden.h). */
static bool is_held_back(const struct system *s, int p)
{
    const struct group *g = s->group;
    bool only = !(s->alive & ~g->families[g->host[p]] & ~outsiders(s));
    return only && ((s->enabled & ~s->leaving & ~expiring(s) & ~hidden_resting(s)) || s->leaving & (BIT(p) - 1));
}

void system_hold_back(struct system *s)
{
    for (uint64_t m = s->leaving; m; m &= m - 1) {
        int p = __builtin_ctzll(m);
        s->enabled = is_held_back(s, p) ? s->enabled & ~BIT(p) : s->enabled | BIT(p);
    }
}
