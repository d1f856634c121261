/* About how many executions there are, told by a search of executions on its way.
 *
 * Random walks tell without bias (random.c). A depth-first search looks at its path only, so that it costs next to nothing until somebody asks.
 *
 * Where every interleaving is searched, each of the n branches of a state is taken for an n-th of what is below the state (Knuth 1975;
 * the weighted backtrack estimator of Kilby, Slaney, Thiebaux and Walsh 2006). With sleep sets that is no use: what one branch has searched the
 * next need not, so later branches are smaller by far, and the reductions that find branches on the way do not even know how many there will
 * be. There the states that were left already tell: below one where so many processes could go there were so many times as many
 * executions as below its first branch. For the states of the path, from the last to the first, that makes an estimate of each. It is too
 * large, for it supposes that in each of them more will be found to try; and too small where it is supposed that nothing will, where
 * nothing is known. What is told is between the two: mostly too small, by far, in the first third of a search, and right to a factor of two or three after it.
 * SPDX-License-Identifier: MIT */
#ifndef SHARE_H
#define SHARE_H

#include "search/internal.h"

struct share_estimate {
    double executions;               /* 0: nobody knows */
    double error;                    /* its standard error, as far as the walks tell; 0: not known */
};
struct share_estimate share_executions(const struct search *);

/* For SEARCH_RANDOM: a walk has ended, and counts for so many executions. */
void share_drawn(struct search *, double weight);

/* For depth-first searches with all but REDUCTION_NONE. A state is entered; its first branch is done; it is left. */
static inline void share_enter(const struct search *s, struct frame *f)
{
    f->before = s->counts.executions;
    f->first = 0;
}

static inline void share_next(const struct search *s, struct frame *f)   /* before `tried` changes */
{
    uint64_t so_far = s->counts.executions - f->before;
    if (f->tried && !(f->tried & (f->tried - 1)))
        f->first = so_far < UINT32_MAX ? (uint32_t)so_far : UINT32_MAX;
}

static inline void share_leave(struct search *s, struct frame *f, uint64_t enabled)
{
    if (!(enabled & (enabled - 1)))
        return;                      /* it had one branch: nothing grows there, which is what is thought where nothing is known */
    struct left *l = &s->left[__builtin_popcountll(enabled)];
    share_next(s, f);
    l->first += f->first;
    l->all += s->counts.executions - f->before;
}

#endif
