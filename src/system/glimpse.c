/* SPDX-License-Identifier: MIT */
#include "system/glimpse.h"

#include "system/group.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct tried { struct glimpse glimpse; uint32_t process, result; };
struct set   { uint32_t depth, first; };

struct glimpses {
    uint64_t      wanted;                        /* whose steps; 0: nobody's */
    uint32_t      wanted_at;
    struct set   *sets;
    uint32_t      set_count, set_room;
    struct tried *all;
    uint32_t      count, room;
    struct noted *noted;                         /* of each, as many as the group has */
    uint32_t      noted_room;
};

void glimpses_free(struct glimpses *l)
{
    if (!l)
        return;
    free(l->sets);
    free(l->all);
    free(l->noted);
    free(l);
}

void glimpse_want(struct system *s, uint64_t processes)
{
    struct group *g = s->group;
    if (!g || !g->states || s->hides || !s->runner->glimpse)
        return;
    if (!g->glimpses)
        g->glimpses = memory_get(sizeof *g->glimpses);
    assert(!(processes & ~s->enabled));
    g->glimpses->wanted = processes;
    g->glimpses->wanted_at = g->count;
}

void glimpse_back(struct group *g)
{
    struct glimpses *l = g->glimpses;
    while (l->set_count && l->sets[l->set_count - 1].depth > g->count)
        l->count = l->sets[--l->set_count].first;
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

static uint32_t gather_some(struct system *s, uint64_t processes, struct leg *legs, uint32_t many)
{
    for (uint64_t m = processes; m; m &= m - 1) {
        int p = __builtin_ctzll(m);
        for (uint32_t c = system_choices(s, p); c-- > 0 && many < MAX_GLIMPSES;)
            legs[many++] = leg_of(s, p, c);
    }
    return many;
}

/* Last the process that went last: there the program stands then, and there a search goes on, for what those before it would do here it has
 * seen mostly, where they went first. */
static uint32_t gather(struct system *s, uint64_t processes, struct leg *legs)
{
    const struct group *g = s->group;
    uint64_t later = g->count ? ~(2 * BIT(g->path[g->count - 1].process) - 1) : UINT64_MAX;
    uint32_t many = gather_some(s, processes & later, legs, 0);
    return gather_some(s, processes & ~later, legs, many);
}

static void keep(struct group *g, const struct leg *leg, const struct glimpse *glimpse)
{
    struct glimpses *l = g->glimpses;
    ARRAY_GROW(l->all, l->count, l->room);
    l->all[l->count] = (struct tried){ *glimpse, leg->process, leg->result };
    uint32_t needed = (l->count + 1) * g->noted_count;
    if (needed > l->noted_room) {
        l->noted_room = 2 * needed;
        l->noted = memory_resize(l->noted, l->noted_room * sizeof *l->noted);
    }
    if (glimpse->noted)
        memcpy(l->noted + (size_t)l->count * g->noted_count, glimpse->noted, g->noted_count * sizeof *l->noted);
    l->count++;
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

int glimpse_all(struct system *s, struct err *err)
{
    struct group *g = s->group;
    struct glimpses *l = g->glimpses;
    struct leg legs[MAX_GLIMPSES];
    struct glimpse seen[MAX_GLIMPSES];
    uint64_t wanted = l->wanted_at == g->count ? l->wanted : 0;
    l->wanted = 0;
    uint32_t many = wanted ? gather(s, wanted, legs) : 0;
    if (many < 2)
        return 0;
    int stands = s->runner->glimpse(s->runner->self, g->path, g->count, g->stands, legs, many, seen, err);
    if (stands < 0)
        return stands;
    assert((uint32_t)stands <= g->count);
    g->stands = (uint32_t)stands;
    know_path(s);
    if (l->set_count && l->sets[l->set_count - 1].depth == g->count)     /* others were wanted here before */
        l->count = l->sets[--l->set_count].first;
    assert(!l->set_count || l->sets[l->set_count - 1].depth < g->count);
    ARRAY_GROW(l->sets, l->set_count, l->set_room);
    l->sets[l->set_count++] = (struct set){ g->count, l->count };
    for (uint32_t i = 0; i < many; i++)
        if (seen[i].digest)
            keep(g, &legs[i], &seen[i]);
    return 0;
}

/* ---- using ---- */

static const struct tried *find(const struct group *g, const struct leg *leg)
{
    const struct glimpses *l = g->glimpses;
    if (!l->set_count || l->sets[l->set_count - 1].depth + 1 != g->count)
        return NULL;
    for (uint32_t i = l->sets[l->set_count - 1].first; i < l->count; i++)
        if (l->all[i].process == leg->process && l->all[i].result == leg->result)
            return &l->all[i];
    return NULL;
}

bool glimpse_last(struct system *s)
{
    struct group *g = s->group;
    struct leg *leg = &g->path[g->count - 1];
    const struct tried *tried = g->run + 1 == g->count && leg->to == NO_NODE ? find(g, leg) : NULL;
    if (!tried)
        return false;
    struct arrival a = { .fingerprint = { group_past(s, leg), tried->glimpse.digest }, .memory = { tried->glimpse.memory[0], tried->glimpse.memory[1] } };
    uint32_t node = graph_find(&s->graphs[leg->process], a.fingerprint);
    if (node == NO_NODE || s->nodes[leg->process][node].flags & NODE_UNSEEN)
        return false;
    a.op = s->nodes[leg->process][node].op;
    if (tried->glimpse.noted)
        a.noted = g->glimpses->noted + (size_t)(tried - g->glimpses->all) * g->noted_count;
    g->right = g->run = g->count - 1;
    group_note(g, &a);
    if (g->sets)
        g->sets[g->count - 1] = tried->glimpse.seen;
    leg->to = group_learn(s, leg, &a);
    assert(leg->to == node);
    return true;
}
