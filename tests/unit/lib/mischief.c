/* SPDX-License-Identifier: MIT */
#include "mischief.h"

#include "random.h"
#include "system/group.h"
#include "system/guess.h"

static struct random mischief;
static int mischief_percent;

void mischief_begin(uint64_t seed, int percent)
{
    mischief = (struct random){ seed };
    mischief_percent = percent;
}

static uint32_t distance(const struct system *s, uint32_t process, uint32_t node)
{
    uint32_t count = 0;
    for (; node != NO_NODE && s->nodes[process][node].parent != NO_NODE; node = s->nodes[process][node].parent)
        count++;
    return count;
}

static bool has_past(const struct system *s, const struct leg *leg, uint32_t node)
{
    return s->nodes[leg->process][node].fingerprint[0] == group_past(s, leg);
}

static bool is_as_far(const struct system *s, const struct leg *leg, uint32_t node)
{
    return distance(s, leg->process, node) == distance(s, leg->process, leg->from) + 1;
}

/* UINT32_MAX: this time the guess is left as it is. */
static uint32_t wrong_node(const struct system *s, const struct leg *leg, bool (*may_be)(const struct system *, const struct leg *, uint32_t))
{
    enum { FIRST = 3 };                          /* those before it are of no past: not created, started, killed */
    const struct graph *g = &s->graphs[leg->process];
    if (!random_percent(&mischief, mischief_percent) || g->count <= FIRST)
        return UINT32_MAX;
    uint32_t node = (uint32_t)random_between(&mischief, FIRST, (int)g->count - 1);
    for (uint32_t i = FIRST; i < g->count; i++, node = node + 1 < g->count ? node + 1 : FIRST)
        if (may_be(s, leg, node))
            return node;
    return UINT32_MAX;
}

uint32_t __real_guess_where(const struct guess *, const struct system *, const struct leg *, uint32_t);
uint32_t __wrap_guess_where(const struct guess *, const struct system *, const struct leg *, uint32_t);
uint32_t __wrap_guess_where(const struct guess *g, const struct system *s, const struct leg *path, uint32_t at)
{
    uint32_t wrong = wrong_node(s, &path[at], has_past);
    return wrong == UINT32_MAX ? __real_guess_where(g, s, path, at) : wrong;
}

const struct node *__real_guess_common(const struct guess *, const struct system *, uint64_t, const struct leg *);
const struct node *__wrap_guess_common(const struct guess *, const struct system *, uint64_t, const struct leg *);
const struct node *__wrap_guess_common(const struct guess *g, const struct system *s, uint64_t sum, const struct leg *leg)
{
    uint32_t wrong = wrong_node(s, leg, is_as_far);
    return wrong == UINT32_MAX ? __real_guess_common(g, s, sum, leg) : &s->nodes[leg->process][wrong];
}

uint32_t __real_guess_like(const struct guess *, const struct system *, const struct leg *);
uint32_t __wrap_guess_like(const struct guess *, const struct system *, const struct leg *);
uint32_t __wrap_guess_like(const struct guess *g, const struct system *s, const struct leg *leg)
{
    uint32_t wrong = wrong_node(s, leg, is_as_far);
    return wrong == UINT32_MAX ? __real_guess_like(g, s, leg) : wrong;
}
