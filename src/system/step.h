/* The inner loop: executing a transition and undoing it, inline. system.h says what these do; include this file only where
 * the calls would cost.
 * SPDX-License-Identifier: MIT */
#ifndef STEP_H
#define STEP_H

#include "system/system.h"

#define BIT(p) (UINT64_C(1) << (p))

/* The rare parts, in system.c. */
void system_grow_log(struct system *);
/* The slow way over an edge: the program may have to run, and the node learns where its edges lead. */
int  system_new_edge(struct system *, int process, uint32_t result, uint32_t *next, struct err *);
void system_arrive_specially(struct system *, int process, const struct node *);    /* at an end, or before an abort */

static inline bool step_can_go(const struct system *s, int p)
{
    const struct node *n = system_pending(s, p);
    if (n->choices)
        return s->words[n->guard.word] - n->guard.lo <= n->guard.span;
    return n->type->choices(s->words + n->state, &n->op) != 0;
}

static inline void step_refresh_one(struct system *s, int p)
{
    s->enabled = (s->enabled & ~BIT(p)) | (uint64_t)step_can_go(s, p) << p;
}

static inline void step_refresh(struct system *s, uint64_t processes)
{
    for (; processes; processes &= processes - 1)
        step_refresh_one(s, __builtin_ctzll(processes));
}

/* p has moved, and the others may be affected. Mostly there is one other or none, and which cannot be foretold: so p is
 * looked at twice rather than branching on it. */
static inline void step_refresh_after(struct system *s, int p, uint64_t others)
{
    step_refresh_one(s, p);
    step_refresh_one(s, __builtin_ctzll(others ? others : BIT(p)));
    step_refresh(s, others & (others - 1));
}

static inline void step_stand_at(struct system *s, int p, const struct node *n)
{
    s->pending[n->slot] |= (uint64_t)n->on_object << p;
    s->waiting = (s->waiting & ~BIT(p)) | (uint64_t)n->waits << p;
}

static inline void step_place(struct system *s, int p, uint32_t node)
{
    s->node[p] = node;
    s->at[p] = &s->graphs[p].nodes[node];
}

static inline void step_play_back(struct system *s, uint32_t length)
{
    struct change *end = s->log_start + length;
    while (s->log.top > end) {
        s->log.top--;
        *s->log.top->word = s->log.top->old;
    }
}

static inline __attribute__((always_inline)) int step_execute(struct system *s, int p, uint32_t choice, struct step *step, struct err *err)
{
    const struct node *n = system_pending(s, p);
    uint32_t slot = n->slot, next;
    step->log = (uint32_t)(s->log.top - s->log_start);
    if (step->log + OBJECT_CHANGES + 1 > s->log_room)
        system_grow_log(s);
    step->process = (uint32_t)p;
    step->choice = choice;
    step->node = s->node[p];
    step->enabled = s->enabled;
    step->result = n->type->execute(&s->log, s->words + n->state, &n->op, choice);
    next = n->one.next;
    if (n->one.result != step->result || next == NO_NODE) {
        int rc = system_new_edge(s, p, step->result, &next, err);
        if (rc < 0) {
            step_play_back(s, step->log);
            return rc;
        }
    }
    step_place(s, p, next);
    uint64_t others = s->pending[slot] &= ~BIT(p);
    n = system_pending(s, p);
    step_stand_at(s, p, n);
    step_refresh_after(s, p, others);
    if (n->flags & (NODE_END | NODE_ABORT))
        system_arrive_specially(s, p, n);
    return 0;
}

static inline void step_undo(struct system *s, const struct step *step)
{
    int p = (int)step->process;
    s->pending[system_pending(s, p)->slot] &= ~BIT(p);
    step_place(s, p, step->node);
    step_stand_at(s, p, system_pending(s, p));
    step_play_back(s, step->log);
    s->enabled = step->enabled;
    s->alive |= BIT(p);              /* who goes has not ended */
}

#endif
