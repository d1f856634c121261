/* SPDX-License-Identifier: MIT */
#include "system/glimpse.h"

#include "system/group.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct tried { struct glimpse glimpse; uint32_t process, result, at, block; };
struct set   { uint32_t depth, first, blocks; };

struct list {
    struct tried *all;
    uint32_t      count, room;
    struct noted *noted;                         /* blocks of as many as the group has: of one, and of those behind it that have the same */
    uint32_t      blocks, noted_room;
};

struct glimpses {
    uint64_t      wanted;                        /* whose steps; 0: nobody's */
    uint32_t      wanted_at;
    struct set   *sets;
    uint32_t      set_count, set_room;
    struct list   siblings;                      /* of all sets */
    struct attempt  attempts[MAX_GLIMPSES];          /* that are being gathered */
    uint32_t      attempt_count;
    struct list   next;                          /* steps that will be asked for next, in order; those before `used` were */
    uint32_t      used;
};

void glimpses_free(struct glimpses *l)
{
    if (!l)
        return;
    free(l->sets);
    free(l->siblings.all);
    free(l->siblings.noted);
    free(l->next.all);
    free(l->next.noted);
    free(l);
}

static struct glimpses *glimpses_of(struct system *s)    /* NULL: the program cannot be asked so */
{
    struct group *g = s->group;
    if (!g || !g->states || s->hides || !s->runner->glimpse)
        return NULL;
    if (!g->glimpses)
        g->glimpses = memory_get(sizeof *g->glimpses);
    return g->glimpses;
}

void glimpse_want(struct system *s, uint64_t processes)
{
    struct glimpses *l = glimpses_of(s);
    if (!l)
        return;
    assert(!(processes & ~s->enabled));
    l->wanted = processes;
    l->wanted_at = s->group->count;
}

static void drop_set(struct glimpses *l)
{
    const struct set *last = &l->sets[--l->set_count];
    l->siblings.count = last->first;
    l->siblings.blocks = last->blocks;
}

void glimpse_back(struct group *g)
{
    struct glimpses *l = g->glimpses;
    while (l->set_count && l->sets[l->set_count - 1].depth > g->count)
        drop_set(l);
}

/* ---- trying ---- */

/* The leg of a step, which is not taken. */
static struct leg leg_of(struct system *s, int p, uint32_t choice)
{
    struct step step;
    step_begin(s, p, choice, &step);
    system_log_room(s, OBJECT_CHANGES_OF_GROUP);
    group_perform(s, system_pending(s, p), &step);
    struct leg leg = s->group->path[s->group->count - 1];
    assert(leg.process == (uint32_t)p && leg.to == NO_NODE);
    step_undo(s, &step);
    return leg;
}

static void gather_some(struct system *s, uint64_t processes)
{
    struct glimpses *l = s->group->glimpses;
    for (uint64_t m = processes; m; m &= m - 1) {
        int p = __builtin_ctzll(m);
        for (uint32_t c = system_choices(s, p); c-- > 0 && l->attempt_count < MAX_GLIMPSES;)
            l->attempts[l->attempt_count++] = (struct attempt){ leg_of(s, p, c), s->group->count };
    }
}

/* Last the process that went last: there the program stands then, and there a search goes on, for what those before it would do here it has
 * seen mostly, where they went first. */
static void gather(struct system *s, uint64_t processes)
{
    const struct group *g = s->group;
    uint64_t later = g->count ? ~(2 * BIT(g->path[g->count - 1].process) - 1) : UINT64_MAX;
    g->glimpses->attempt_count = 0;
    gather_some(s, processes & later);
    gather_some(s, processes & ~later);
}

/* Most steps change nothing of it. */
static void keep_noted(struct list *list, const struct noted *noted, uint32_t count)
{
    size_t bytes = count * sizeof *noted, needed = (size_t)(list->blocks + 1) * count;
    if (list->blocks && !memcmp(list->noted + (size_t)(list->blocks - 1) * count, noted, bytes))
        return;
    if (needed > list->noted_room) {
        list->noted_room = (uint32_t)(2 * needed);
        list->noted = memory_resize(list->noted, list->noted_room * sizeof *list->noted);
    }
    memcpy(list->noted + (size_t)list->blocks++ * count, noted, bytes);
}

static void keep(struct list *list, uint32_t noted_count, const struct attempt *t, const struct glimpse *glimpse)
{
    ARRAY_GROW(list->all, list->count, list->room);
    if (glimpse->noted)
        keep_noted(list, glimpse->noted, noted_count);
    assert(!glimpse->noted || list->blocks);
    list->all[list->count++] = (struct tried){ *glimpse, t->leg.process, t->leg.result, t->at, list->blocks - 1 };
}

/* The program was run along the path, which led where it says. */
static void know_path(struct system *s)
{
    struct group *g = s->group;
    if (g->stands < g->count || g->run == g->count)
        return;
    group_seen(s, g->path, g->run, g->count);
    group_note_sets(s, g->run, g->count);
    g->run = g->count;
}

/* Has the program try what was gathered, and keeps what it says up to the first of which it says nothing, or all else. */
static int try_gathered(struct system *s, struct list *to, bool in_order, struct err *err)
{
    struct group *g = s->group;
    struct glimpses *l = g->glimpses;
    struct glimpse seen[MAX_GLIMPSES];
    int stands = s->runner->glimpse(s->runner->self, g->path, g->count, g->stands, l->attempts, l->attempt_count, seen, err);
    if (stands < 0)
        return stands;
    assert((uint32_t)stands <= g->count);
    g->stands = (uint32_t)stands;
    know_path(s);
    for (uint32_t i = 0; i < l->attempt_count && (seen[i].digest || !in_order); i++)
        if (seen[i].digest)
            keep(to, g->noted_count, &l->attempts[i], &seen[i]);
    return 0;
}

int glimpse_all(struct system *s, struct err *err)
{
    struct group *g = s->group;
    struct glimpses *l = g->glimpses;
    uint64_t wanted = l->wanted_at == g->count ? l->wanted : 0;
    l->wanted = 0;
    if (!wanted)
        return 0;
    gather(s, wanted);
    if (l->attempt_count < 2)
        return 0;
    if (l->set_count && l->sets[l->set_count - 1].depth == g->count)     /* others were wanted here before */
        drop_set(l);
    assert(!l->set_count || l->sets[l->set_count - 1].depth < g->count);
    ARRAY_GROW(l->sets, l->set_count, l->set_room);
    l->sets[l->set_count++] = (struct set){ g->count, l->siblings.count, l->siblings.blocks };
    return try_gathered(s, &l->siblings, false, err);
}

/* ---- what comes next ---- */

bool glimpse_begin(struct system *s)
{
    struct glimpses *l = glimpses_of(s);
    if (l)
        l->attempt_count = l->next.count = l->next.blocks = l->used = 0;
    return l;
}

bool glimpse_suppose(struct system *s, int p, uint32_t choice, struct step *step)
{
    struct glimpses *l = s->group->glimpses;
    const struct edge *edge = graph_edge(&s->graphs[p], s->node[p], system_preview(s, p, choice));
    if (!edge || s->nodes[p][edge->next].flags & NODE_UNSEEN || l->attempt_count == MAX_GLIMPSES)
        return false;
    system_follow(s, p, choice, edge->next, 0, step);
    l->attempts[l->attempt_count++] = (struct attempt){ s->group->path[s->group->count - 1], s->group->count - 1 };
    return true;
}

int glimpse_end(struct system *s, struct err *err)
{
    struct glimpses *l = s->group->glimpses;
    return l->attempt_count > 1 ? try_gathered(s, &l->next, true, err) : 0;
}

/* ---- using ---- */

static bool is_of(const struct tried *t, const struct leg *leg, uint32_t at)
{
    return t->process == leg->process && t->result == leg->result && t->at == at;
}

static const struct tried *find(const struct group *g, const struct leg *leg, const struct list **in)
{
    struct glimpses *l = g->glimpses;
    *in = &l->next;
    if (l->used < l->next.count && is_of(&l->next.all[l->used], leg, g->count - 1))
        return &l->next.all[l->used++];
    l->next.count = l->next.blocks = l->used = 0;        /* something else was asked for */
    *in = &l->siblings;
    uint32_t first = l->set_count && l->sets[l->set_count - 1].depth + 1 == g->count ? l->sets[l->set_count - 1].first : UINT32_MAX;
    for (uint32_t i = first; i < l->siblings.count; i++)
        if (is_of(&l->siblings.all[i], leg, g->count - 1))
            return &l->siblings.all[i];
    return NULL;
}

bool glimpse_last(struct system *s)
{
    struct group *g = s->group;
    struct leg *leg = &g->path[g->count - 1];
    const struct list *in;
    const struct tried *tried = g->run + 1 == g->count && leg->to == NO_NODE ? find(g, leg, &in) : NULL;
    if (!tried)
        return false;
    struct arrival a = { .fingerprint = { group_past(s, leg), tried->glimpse.digest }, .memory = { tried->glimpse.memory[0], tried->glimpse.memory[1] } };
    uint32_t node = graph_find(&s->graphs[leg->process], a.fingerprint);
    if (node == NO_NODE || s->nodes[leg->process][node].flags & NODE_UNSEEN)
        return false;
    a.op = s->nodes[leg->process][node].op;
    if (tried->glimpse.noted)
        a.noted = in->noted + (size_t)tried->block * g->noted_count;
    g->right = g->run = g->count - 1;
    group_note(g, &a);
    if (g->sets)
        g->sets[g->count - 1] = tried->glimpse.seen;
    leg->to = group_learn(s, leg, &a);
    assert(leg->to == node);
    return true;
}
