/* The inner loop: executing a transition and undoing it, inline. system.h says what these do; include this file only where
 * the calls would cost.
 * SPDX-License-Identifier: MIT */
#ifndef STEP_H
#define STEP_H

#include "system/system.h"

#include <assert.h>

#define BIT(p) (UINT64_C(1) << (p))
/* In a build of its own (make checked) every step is followed by a look at everything, and what is asked too often for every day
 * is asserted. */
#ifdef CHECKED
#define STEP_CHECK(s) system_check(s)
#define STEP_ASSERT(what) assert(what)
#else
#define STEP_CHECK(s) ((void)0)
#define STEP_ASSERT(what) ((void)sizeof(what))
#endif

#define STEP_INLINE static inline __attribute__((always_inline))

/* The rare parts, in execute.c, nodes.c and ends.c. */
/* The slow way: any operation, whose edge may be unknown, so that the program has to run; and then what is outside (hidden.h). The step has begun. */
enum took system_operate(struct system *, struct step *, struct err *);
enum took system_failed(struct err *, int rc);                              /* STEP_FAILED, with this code */
/* graph_add, and what the system adds to a new node. */
uint32_t system_add_node(struct system *, int process, const struct arrival *, uint32_t parent, uint32_t result);
void system_take_back(struct system *, const struct step *);
bool system_ask_type(const struct system *, const struct node *);           /* is this operation enabled? */
void system_hold_back(struct system *);                                     /* of who is `leaving`: may it go? */
void timers_come_late(struct system *);                                     /* those with EXPIRE_LATE: may one go? (timers.c) */
void time_hold_back(struct system *);                                       /* whose time has not come yet does not go (time.c) */
enum took system_run_outside(struct system *, struct step *, struct err *);  /* what is outside, after the step (hidden.h) */
void system_hide(struct system *);                                          /* who is outside is not enabled (hidden.h) */
void system_more_log(struct system *, uint32_t changes);
void system_abort(struct system *, int process);                            /* it came to stand before a VS_abort(0) */

/* The log has room for so many more changes then. */
static inline void system_log_room(struct system *s, uint32_t changes)
{
    if (__builtin_expect(s->log_end - s->log.top < (ptrdiff_t)changes, 0))
        system_more_log(s, changes);
}

static inline uint64_t step_all(const struct system *s)                     /* bit p: there is a process p */
{
    assert(s->processes >= 1 && s->processes <= MAX_PROCESSES);
    return UINT64_MAX >> (MAX_PROCESSES - s->processes);
}

static inline bool step_can_go(const struct system *s, const struct node *n)
{
    if (__builtin_expect(!n->choices, 0))
        return system_ask_type(s, n);
    return s->words[n->guard.word] - n->guard.lo <= n->guard.span;
}

static inline void step_refresh(struct system *s, uint64_t processes)
{
    processes |= s->timers;
    if (__builtin_expect(s->hides | s->timed, 0))
        processes |= s->alive;       /* of those who had to wait it is not known */
    uint64_t enabled = s->enabled & ~processes;
    for (; processes; processes &= processes - 1) {
        int p = __builtin_ctzll(processes);
        enabled |= (uint64_t)step_can_go(s, s->at[p]) << p;
    }
    s->enabled = enabled;
    if (__builtin_expect(s->hides, 0))
        system_hide(s);
    if (__builtin_expect(s->timed, 0))
        time_hold_back(s);
    if (__builtin_expect(s->leaving != 0, 0))
        system_hold_back(s);
    if (__builtin_expect(s->timers != 0, 0))
        timers_come_late(s);
}

/* p has moved, and those who use the same object may be affected. Mostly that is one other or none (and then p is looked at
 * twice: cheaper than a branch that cannot be foretold). */
STEP_INLINE void step_refresh_after(struct system *s, int p, uint32_t slot)
{
    int pair = s->pairs[slot], q = p ^ pair;
    if (__builtin_expect(pair < 0, 0)) {
        step_refresh(s, s->users[slot] | BIT(p));
        return;
    }
    uint64_t enabled = s->enabled & ~BIT(p) & ~BIT(q);
    enabled |= (uint64_t)step_can_go(s, s->at[p]) << p;
    enabled |= (uint64_t)step_can_go(s, s->at[q]) << q;
    s->enabled = enabled;
}

static inline void step_place(struct system *s, int p, uint32_t node)
{
    s->node[p] = node;
    s->at[p] = &s->nodes[p][node];
}

/* p has come to its end, and its parent may see that; or it stops everybody. */
static inline void step_arrive(struct system *s, int p, const struct node *n)
{
    if (__builtin_expect(n->flags & NODE_ABORT, 0)) {
        system_abort(s, p);
        return;
    }
    s->alive &= ~BIT(p);
    s->ends[p] = n->ended;
    uint64_t parents = s->users[s->table];
    if (parents)
        step_refresh(s, parents);
}

/* Is the next transition of p, if enabled, one that adds to a word and goes over a known edge? */
static inline bool step_plain(const struct system *s, int p)
{
    const struct node *n = system_pending(s, p);
    return n->plain && s->words[n->guard.word] < GUARD_PLAIN;
}

STEP_INLINE void step_begin(const struct system *s, int p, uint32_t choice, struct step *step)
{
    step->process = (uint32_t)p;
    step->choice = choice;
    step->node = s->node[p];
    step->enabled = s->enabled;
    step->result = step->log = 0;
}

/* Its operation is done, on the object in this slot, and leads to `next`. */
STEP_INLINE void step_finish(struct system *s, int p, struct step *step, uint32_t slot, uint32_t next)
{
    step->next = next;
    step_place(s, p, next);
    const struct node *n = system_pending(s, p);
    step_refresh_after(s, p, slot);
    if (n->flags & (NODE_END | NODE_ABORT))
        step_arrive(s, p, n);
}

STEP_INLINE enum took step_execute(struct system *s, int p, uint32_t choice, struct step *step, struct err *err)
{
    const struct node *n = system_pending(s, p);
    uint32_t *word = &s->words[n->guard.word];
    step_begin(s, p, choice, step);
    if (__builtin_expect(!n->plain || *word >= GUARD_PLAIN, 0))
        return system_operate(s, step, err);
    *word += n->plain;
    step_finish(s, p, step, n->slot, n->one.next);
    STEP_CHECK(s);
    return STEP_TAKEN;
}

STEP_INLINE void step_undo(struct system *s, const struct step *step)
{
    int p = (int)step->process;
    step_place(s, p, step->node);
    if (__builtin_expect(!step->log, 1))
        s->words[s->at[p]->guard.word] -= s->at[p]->plain;
    else
        system_take_back(s, step);
    s->enabled = step->enabled;
    s->alive |= BIT(p);              /* who goes has not ended before */
    s->ends[p] = 0;
    STEP_CHECK(s);
}

#endif
