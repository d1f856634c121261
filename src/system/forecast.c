/* What is foreseen of a sharing group, and what the program says to it.
 *
 * Where a step leads is taken from what the process did last time (its graph) or, where that varies or nobody has been, guessed
 * (guess.h). The program then runs the path: at once, or in sets of paths that are believed until it has.
 * SPDX-License-Identifier: MIT */
#include "system/group_internal.h"

#include "base/memory.h"
#include "objects/types.h"

#include <errno.h>
#include <string.h>
#include <xxhash.h>

enum { MANY = 16 };                  /* paths of a set: worth going on while the program runs it */
enum { MOST_MISTAKES = 32 };         /* in a row, before the program is asked at every step: guesses may run in circles */
enum { MOST_UNSEEN = 12 };           /* steps of a path that are supposed before the program is asked */

void group_foresee(struct group *g, bool on) { g->foresee = on; }
uint32_t group_right(const struct group *g) { return g->right; }
uint32_t group_length(const struct group *g) { return g->count; }

/* ---- what the program says ---- */

static uint64_t sum_of(const struct system *s, const struct leg *path, uint32_t count)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum = guess_add(s, sum, &path[i]);
    return sum;
}

/* The steps of the path from `from` on, up to `right`, led where they should: a better guess next time. */
static void remember(struct system *s, const struct leg *path, uint32_t from, uint32_t right)
{
    struct guess *guess = s->group->guess;
    uint64_t sum = s->group->varies ? sum_of(s, path, from) : 0;
    for (uint32_t i = from; i < right; i++) {
        struct node *nodes = s->graphs[path[i].process].nodes;
        nodes[path[i].to].flags &= ~(uint32_t)NODE_UNSEEN;
        if (!s->group->varies)
            continue;
        if (nodes[path[i].from].flags & NODE_VARIES) {
            guess_remember(guess, s, path, i, path[i].to);
            guess_remember_common(guess, s, sum, &path[i], path[i].to);
        }
        sum = guess_add(s, sum, &path[i]);
    }
}

/* What a process did so far, in whatever order, not where in memory it is, makes it the same node. Two pasts that differ only in
 * their order mostly lead on alike; and no node comes twice on a path, for the past grows. */
enum certainty { SUPPOSED, SEEN };
static uint32_t arrive_at(struct system *s, const struct leg *f, struct arrival *a, enum certainty how)
{
    struct graph *g = &s->graphs[f->process];
    uint32_t count = g->count;
    uint64_t past[2] = { f->result, g->nodes[f->from].fingerprint[1] };
    a->fingerprint[0] = g->nodes[f->from].fingerprint[0] + XXH3_64bits(past, sizeof past);
    a->mergeable = true;
    uint32_t next = system_add_node(s, (int)f->process, a, f->from, f->result);
    if (how == SEEN || !graph_edge(g, f->from, f->result))
        graph_lead(g, f->from, f->result, next, a->notes);
    if (how == SEEN)
        g->nodes[next].flags &= ~(uint32_t)NODE_UNSEEN;
    else if (g->count > count)
        g->nodes[next].flags |= NODE_UNSEEN;
    if (g->nodes[next].flags & NODE_ABORT && !(g->nodes[f->from].flags & LEADS_TO_ABORT)) {
        g->nodes[f->from].flags |= LEADS_TO_ABORT;
        s->leads++;
    }
    return next;
}

/* Step number `at` of the path leads to this arrival. */
static uint32_t learn(struct system *s, const struct leg *path, uint32_t at, struct arrival *a)
{
    const struct leg *f = &path[at];
    struct graph *g = &s->graphs[f->process];
    const struct edge *edge = graph_edge(g, f->from, f->result);
    bool known = edge && !(g->nodes[edge->next].flags & NODE_UNSEEN);
    uint32_t next = arrive_at(s, f, a, SEEN);
    guess_remember_like(s->group->guess, s, f, next);
    s->group->mistakes += f->to != NO_NODE;
    if (known) {
        g->nodes[f->from].flags |= NODE_VARIES;
        s->group->varies = true;
    }
    if (g->nodes[f->from].flags & NODE_VARIES) {
        guess_remember(s->group->guess, s, path, at, next);
        guess_remember_common(s->group->guess, s, sum_of(s, path, at), f, next);
    }
    return next;
}

/* ---- sets of paths that are believed for now ---- */

bool group_believes(const struct group *g) { return g->sent || g->sets[g->gathered].count; }
uint32_t group_wrong_set(const struct group *g) { return g->wrong; }

/* What was sent off was awaited before it turned out wrong. */
void group_forget_deferred(struct group *g)
{
    g->sets[g->gathered].count = g->sets[g->gathered].used = 0;
    g->wrong = 0;
}

static uint64_t hash_path(const struct leg *path, uint32_t count) { return XXH3_64bits(path, count * sizeof *path); }

/* Paths that were run, in vain because of one that came after them, are looked at again: they are right. */
bool group_proven(const struct system *s)
{
    struct group *g = s->group;
    if (g->proven_at == g->proven_count || g->proven[g->proven_at] != hash_path(g->path, g->count))
        return false;
    g->proven_at++;
    return true;
}

static void keep_proven(struct group *g, const struct set *set, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        g->proven[i] = hash_path(set->ways[i].path, set->ways[i].count);
    g->proven_count = count;
    g->proven_at = 0;
}

/* How many steps two ways have in common, in whole lines of memory. */
static uint32_t common(const struct way *a, const struct way *b)
{
    enum { BLOCK = 16 };
    uint32_t same = 0, least = a->count < b->count ? a->count : b->count;
    while (same + BLOCK <= least && !memcmp(a->path + same, b->path + same, BLOCK * sizeof *a->path))
        same += BLOCK;
    return same;
}

/* What became of the set that was sent off. -ESTALE: a path was wrong. */
static int await_sent(struct system *s, struct err *err)
{
    struct group *g = s->group;
    const struct set *set = &g->sets[!g->gathered];
    uint32_t wrong = 0, right = 0;
    struct arrival a = { 0 };
    if (!g->sent)
        return 0;
    g->sent = false;
    int rc = s->runner->await(s->runner->self, &wrong, &right, &a, err);
    if (rc < 0)
        return rc;
    if (wrong < set->count)
        learn(s, set->ways[wrong].path, right, &a);
    for (uint32_t i = 0; i < wrong; i++)
        remember(s, set->ways[i].path, i ? common(&set->ways[i - 1], &set->ways[i]) : 0, set->ways[i].count);
    if (wrong == set->count) {
        g->mistakes = 0;
        return 0;
    }
    remember(s, set->ways[wrong].path, 0, right);
    keep_proven(g, set, wrong);
    g->wrong = set->number;
    return -ESTALE;
}

static int send_gathered(struct system *s, enum sending how, struct err *err)
{
    struct group *g = s->group;
    struct set *set = &g->sets[g->gathered];
    if (!set->count)
        return 0;
    for (uint32_t i = 0, at = 0; i < set->count; at += set->ways[i++].count)
        set->ways[i].path = set->steps + at;
    int rc = s->runner->send(s->runner->self, set->ways, set->count, how, err);
    g->sent = rc >= 0;
    g->gathered = !g->gathered;
    g->sets[g->gathered].count = g->sets[g->gathered].used = 0;
    return rc;
}

static int settle_deferred(struct system *s, struct err *err)
{
    if (s->group->wrong)
        return -ESTALE;
    int rc = await_sent(s, err);
    if (rc >= 0)
        rc = send_gathered(s, SEND_AND_WAIT, err);
    return rc >= 0 ? await_sent(s, err) : rc;
}

static void gather(struct group *g)
{
    struct set *set = &g->sets[g->gathered];
    if (set->used + g->count > set->room) {
        set->room = 2 * (set->used + g->count);
        set->steps = memory_resize(set->steps, set->room * sizeof *set->steps);
    }
    if (!set->count)
        set->number = ++g->numbered;
    memcpy(set->steps + set->used, g->path, g->count * sizeof *g->path);
    set->used += g->count;
    set->ways[set->count++].count = g->count;
}

int group_defer(struct system *s, uint32_t most, uint32_t *set, struct err *err)
{
    struct group *g = s->group;
    if (g->wrong)
        return -ESTALE;
    gather(g);
    *set = g->numbered;
    if (g->sets[g->gathered].count < most && g->sets[g->gathered].count < MOST_DEFERRED)
        return 0;
    int rc = 0;
    if (g->sets[g->gathered].count < MANY) {             /* mostly because some were wrong: who goes on in vain wastes time */
        rc = settle_deferred(s, err);
    } else {
        rc = await_sent(s, err);
        if (rc >= 0)
            rc = send_gathered(s, SEND_AND_GO_ON, err);
    }
    return rc < 0 ? rc : 1;
}

/* ---- one path ---- */

int group_settle(struct system *s, uint32_t *right, struct err *err)
{
    struct group *g = s->group;
    struct arrival a = { 0 };
    int stale = settle_deferred(s, err);
    if (stale < 0)
        return stale;
    *right = g->count;
    if (g->settled == g->count)
        return 0;
    int rc = s->runner->run(s->runner->self, g->path, g->count, right, &a, err);
    if (rc < 0)
        return rc;
    if (*right < g->settled && !types_mishap(&a.op)) {
        learn(s, g->path, *right, &a);
        g->right = g->settled = *right;
        return -ENOTRECOVERABLE;
    }
    if (*right < g->count)
        g->path[*right].to = learn(s, g->path, *right, &a);
    else
        g->mistakes = 0;
    remember(s, g->path, g->settled < *right ? g->settled : *right, *right);
    g->settled = *right;
    return 0;
}

int forecast_run(struct system *s, struct err *err)
{
    struct group *g = s->group;
    int rc = group_settle(s, &g->right, err);
    if (rc < 0)
        return rc;
    if (g->right + 1 < g->count)
        return -EAGAIN;
    g->settled = g->count;
    return 0;
}

/* ---- where a step should lead ---- */

/* So many steps of the path may lead where nobody has been before the program is asked. */
static bool too_many_unseen(const struct system *s)
{
    const struct group *g = s->group;
    uint32_t unseen = 0;
    for (uint32_t i = g->count; i-- > g->settled && unseen < MOST_UNSEEN;)
        unseen += (s->nodes[g->path[i].process][g->path[i].to].flags & NODE_UNSEEN) != 0;
    return unseen == MOST_UNSEEN;
}

/* The step is supposed to lead to a node like this one. */
static uint32_t suppose(struct system *s, const struct leg *f, const struct node *like)
{
    struct arrival a = { .op = like->op, .fingerprint = { 0, like->fingerprint[1] } };
    a.op.process = (uint8_t)f->process;
    return too_many_unseen(s) ? NO_NODE : arrive_at(s, f, &a, SUPPOSED);
}

/* One result has led to different nodes. */
static uint32_t guess(struct system *s, const struct step *step)
{
    struct group *g = s->group;
    forecast_push(g, step, NO_NODE);
    struct leg f = g->path[--g->count];
    uint32_t to = guess_where(g->guess, s, g->path, g->count);
    const struct node *like = to == NO_NODE ? guess_common(g->guess, s, sum_of(s, g->path, g->count), &f) : NULL;
    return like ? suppose(s, &f, like) : to;
}

/* Nobody took this step yet. */
static uint32_t guess_unknown(struct system *s, const struct step *step)
{
    struct leg f = { .process = step->process, .from = step->node, .result = step->result };
    uint32_t like = guess_like(s->group->guess, s, &f);
    return like == NO_NODE ? NO_NODE : suppose(s, &f, &s->nodes[f.process][like]);
}

uint32_t forecast_to(struct system *s, const struct step *step)
{
    const struct graph *g = &s->graphs[step->process];
    if (s->group->mistakes > MOST_MISTAKES)
        return NO_NODE;
    uint32_t guessed = g->nodes[step->node].flags & NODE_VARIES ? guess(s, step) : NO_NODE;
    if (guessed != NO_NODE)
        return guessed;
    const struct node *n = &g->nodes[step->node];
    if (n->one.result == step->result && n->one.next != NO_NODE)
        return n->one.next;
    const struct edge *edge = graph_edge(g, step->node, step->result);
    return edge ? edge->next : guess_unknown(s, step);
}
