/* The inner loop: executing a transition and undoing it, inline. system.h says what these do; include this file only where
 * the calls would cost.
 * SPDX-License-Identifier: MIT */
#ifndef STEP_H
#define STEP_H

#include "system/system.h"

#define BIT(p) (UINT64_C(1) << (p))
#define STEP_INLINE static inline __attribute__((always_inline))

/* The rare parts, in system.c. */
void system_grow_log(struct system *);
/* The slow way over an edge: the program may have to run, and the node learns where its edges lead. */
int  system_new_edge(struct system *, int process, uint32_t result, uint32_t *next, struct err *);
bool system_ask_type(const struct system *, const struct node *);           /* is this operation enabled? */
void system_abort(struct system *, int process);                            /* it came to stand before a VS_abort(0) */

static inline bool step_can_go(const struct system *s, const struct node *n)
{
    if (__builtin_expect(!n->choices, 0))
        return system_ask_type(s, n);
    return s->words[n->guard.word] - n->guard.lo <= n->guard.span;
}

static inline void step_refresh(struct system *s, uint64_t processes)
{
    uint64_t enabled = s->enabled & ~processes;
    for (; processes; processes &= processes - 1) {
        int p = __builtin_ctzll(processes);
        enabled |= (uint64_t)step_can_go(s, s->at[p]) << p;
    }
    s->enabled = enabled;
}

/* p has moved, and the others may be affected. Mostly there is one other or none, and which cannot be foretold: so p is
 * looked at twice rather than branching on it. */
STEP_INLINE void step_refresh_after(struct system *s, int p, uint64_t others)
{
    int q = __builtin_ctzll(others ? others : BIT(p));
    uint64_t enabled = s->enabled & ~(BIT(p) | BIT(q));
    enabled |= (uint64_t)step_can_go(s, s->at[p]) << p;
    enabled |= (uint64_t)step_can_go(s, s->at[q]) << q;
    s->enabled = enabled;
    if (others & (others - 1))
        step_refresh(s, others & (others - 1));
}

static inline void step_place(struct system *s, int p, uint32_t node)
{
    s->node[p] = node;
    s->at[p] = &s->graphs[p].nodes[node];
}

/* Executes the operation itself. What it did is in the log, or plain: then it can be computed backwards. */
STEP_INLINE void step_operate(struct system *s, const struct node *n, struct step *step)
{
    uint32_t *word = &s->words[n->guard.word];
    if (n->guard.adds && *word < GUARD_PLAIN) {
        *word += n->guard.adds;
        step->result = 0;
        return;
    }
    if (s->log.top + OBJECT_CHANGES > s->log_end)
        system_grow_log(s);
    step->log = (uint32_t)(s->log.top - s->log_start);
    step->result = n->type->execute(&s->log, s->words + n->state, &n->op, step->choice);
}

STEP_INLINE void step_take_back(struct system *s, const struct node *n, const struct step *step)
{
    if (n->guard.adds && step->result == 0) {
        s->words[n->guard.word] -= n->guard.adds;
        return;
    }
    for (struct change *end = s->log_start + step->log; s->log.top > end;) {
        s->log.top--;
        *s->log.top->word = s->log.top->old;
    }
}

/* p has come to its end, and its parent may see that; or it stops everybody. */
static inline void step_arrive(struct system *s, int p, const struct node *n)
{
    if (n->flags & NODE_ABORT) {
        system_abort(s, p);
        return;
    }
    uint64_t parents = s->users[s->object_count - 1];
    s->alive &= ~BIT(p);
    s->words[s->table + (uint32_t)p] = n->ended;
    if (parents)
        step_refresh(s, parents);
}

STEP_INLINE int step_execute(struct system *s, int p, uint32_t choice, struct step *step, struct err *err)
{
    const struct node *n = system_pending(s, p);
    uint32_t slot = n->slot, next = n->one.next;
    step->process = (uint32_t)p;
    step->choice = choice;
    step->node = s->node[p];
    step->enabled = s->enabled;
    step_operate(s, n, step);
    if (n->one.result != step->result || next == NO_NODE) {
        int rc = system_new_edge(s, p, step->result, &next, err);
        if (rc < 0) {
            step_take_back(s, system_pending(s, p), step);
            return rc;
        }
    }
    step_place(s, p, next);
    n = system_pending(s, p);
    step_refresh_after(s, p, s->users[slot] & ~BIT(p));
    if (n->flags & (NODE_END | NODE_ABORT))
        step_arrive(s, p, n);
    return 0;
}

STEP_INLINE void step_undo(struct system *s, const struct step *step)
{
    int p = (int)step->process;
    step_place(s, p, step->node);
    step_take_back(s, system_pending(s, p), step);
    s->enabled = step->enabled;
    s->alive |= BIT(p);              /* who goes has not ended before */
    s->words[s->table + (uint32_t)p] = 0;
}

#endif
