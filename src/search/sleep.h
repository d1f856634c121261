/* Sleep sets: skip a transition when an earlier sibling already covered what it would lead to. (Godefroid, Model Checking for
 * Programming Languages using VeriSoft, 1997, section 4: lines 11 and 14 of Algorithm 2; Theorem 2 says why nothing is missed.)
 *
 *       s ---- 1 ----> .      all below is searched; then 1 falls asleep in s
 *       |
 *       2                     1 and 2 are independent: 1 sleeps on after 2, for 2 1 leads where 1 2 led
 *       v
 *       t ---- 3 ----> .      3 depends on 1: 1 is awake again, for 2 3 1 is nothing that was seen
 *
 * Invariant: what sleeps is independent of every step taken since it fell asleep. So the same transition is still its next one, and
 * it leads where it would have led; it can still go (unless a group has data races: there nothing is sure).
 *
 * Where we differ from the paper: a set of processes, not of transitions, since the results of one transition are always tried together.
 * And two kinds of independence. CONDITIONAL looks at the state at hand; it is enough where the sets are all that is left out (`sleep`,
 * `persistent`). ALWAYS needs to hold in every state: source sets and wakeup trees speak of executions by the order of their conflicts,
 * and what sleeps must be independent in the same sense, or a race would be reversed into something that sleeps and is not equivalent.
 * SPDX-License-Identifier: MIT */
#ifndef SLEEP_H
#define SLEEP_H

#include "search/internal.h"

/* Those that stay asleep when p goes; ask before p goes. */
uint64_t sleep_after(const struct system *, uint64_t sleep, int p, enum sleep_when);
/* Of these, those that also sleep through what the step came to: an end that a parent awaits, an abort. Ask after it. */
uint64_t sleep_arrived(const struct system *, uint64_t sleep, const struct step *);

/* Of a search that keeps states: takes the transition of its frame, which may have moved then; false when the machine failed. `sleep`
 * says who sleeps where it leads: nobody, when it is not one that `sleeps`. */
STEP_INLINE bool sleep_take(struct search *s, const struct frame *f, bool sleeps, uint64_t *sleep)
{
    uint32_t p = f->process, choice = f->choice;
    *sleep = sleeps && f->sleep ? sleep_after(s->system, f->sleep, (int)p, SLEEP_CONDITIONAL) : 0;
    search_room(s);
    enum took took = search_step(s, s->system, p, choice);
    if (took == STEP_AGAIN)
        search_differs(s);
    if (took != STEP_TAKEN)
        return false;
    if (*sleep)
        *sleep = sleep_arrived(s->system, *sleep, &s->steps[s->depth - 1]);
    return true;
}

static const struct reducer none_reducer = { .sleep = SLEEP_NOBODY, .enters_all = true };
static const struct reducer sleep_reducer = { .sleep = SLEEP_CONDITIONAL, .enters_all = true };

#endif
