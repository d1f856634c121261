/* SPDX-License-Identifier: MIT */
#include "search/share.h"

#include <math.h>

enum { KNOWN_AFTER = 2 };            /* executions below a state after which it is known, mostly, what else is to be tried there */

static double bits(uint64_t set) { return (double)__builtin_popcountll(set); }
static double larger(double a, double b) { return a > b ? a : b; }

/* By the weights of branches: the share of the tree that is done. */
static double by_weights(const struct search *s)
{
    double weight = 1, done = 0;
    for (uint32_t at = 0; at < s->depth; at++) {
        const struct frame *f = &s->frames[at];
        double all = bits(s->steps[at].enabled);
        done += weight * (all - bits(f->todo) - 1) / all;
        weight /= all;
        if (f->choices > 1) {
            done += weight * f->choice / f->choices;
            weight /= f->choices;
        }
    }
    return done > 0 ? (double)s->counts.executions / done : 0;
}

/* How many times as many executions as below its first branch there are below a state of this kind. */
static double growth(const struct search *s, uint32_t enabled)
{
    const struct left *l = &s->left[enabled];
    return l->first ? (double)l->all / (double)l->first : 1;
}

/* How many there are below a state of the path, when `below` are behind its step, `here` of all are done and `so_far` of those behind. */
static double below_state(const struct frame *f, double grows, double below, double here, double so_far)
{
    bool first = !(f->tried & (f->tried - 1));
    return first ? below * (grows > 0 ? grows : 1) : larger(f->first * grows, larger(here - so_far, 0) + below);
}

/* By those that were left: from the end of the path to its begin, how many there are below each of its states. Once as it is, once supposing
 * that where some were searched and nothing is left to be tried, nothing will be; what is between the two. */
static double by_others(const struct search *s)
{
    double open = 1, closed = 1, so_far = 1;
    for (uint32_t at = s->depth; at-- > 0;) {
        const struct frame *f = &s->frames[at];
        double here = (double)(s->counts.executions - f->before), grows = growth(s, (uint32_t)bits(s->steps[at].enabled));
        bool pending = s->pending ? s->pending(s->pending_of, at) : f->todo != 0;
        open = below_state(f, grows, open, here, so_far);
        closed = below_state(f, !pending && here >= KNOWN_AFTER ? 0 : grows, closed, here, so_far);
        so_far = here;
    }
    return sqrt(open * closed);
}

/* ---- random walks ---- */

void share_drawn(struct search *s, double weight)
{
    s->drawn.walks++;
    s->drawn.sum += weight;
    s->drawn.squares += weight * weight;
}

static struct share_estimate by_walks(const struct search *s)
{
    if (s->drawn.walks < 2)
        return (struct share_estimate){ 0 };     /* nobody knows how far off that is */
    double walks = (double)s->drawn.walks, mean = s->drawn.sum / walks;
    double spread = larger(s->drawn.squares / walks - mean * mean, 0) / (walks - 1);
    return (struct share_estimate){ .executions = mean, .error = sqrt(spread) };
}

struct share_estimate share_executions(const struct search *s)
{
    if (s->settings->strategy == SEARCH_RANDOM)
        return by_walks(s);
    double all = s->settings->reduction == REDUCTION_NONE ? by_weights(s) : by_others(s);
    if (!s->counts.executions || all < 1)
        return (struct share_estimate){ 0 };
    return (struct share_estimate){ .executions = larger(all, (double)s->counts.executions) };
}
