/* The invariants that headers of this folder name, one by one. For tests.
 * SPDX-License-Identifier: MIT */
#include "system/group.h"

#include <assert.h>
#include <string.h>

/* ---- the graphs, and where processes stand in them ---- */

static void check_places(const struct system *s)
{
    for (int p = 0; p < s->processes; p++) {
        graph_check(&s->graphs[p]);
        assert(s->nodes[p] == s->graphs[p].nodes);
        assert(s->node[p] < s->graphs[p].count);
        assert(s->at[p] == &s->nodes[p][s->node[p]]);
        assert(s->at[p]->op.process == p);
    }
    for (int p = s->processes; p < MAX_PROCESSES; p++)
        assert(!s->graphs[p].count);
}

/* Who was ever seen before an operation on an object is one of its users, and pairs says the same of two. */
static void check_users(const struct system *s)
{
    for (int p = 0; p < s->processes; p++)
        for (uint32_t i = 0; i < s->graphs[p].count; i++) {
            const struct node *n = &s->nodes[p][i];
            assert(n->slot <= s->nothing);
            if (n->slot < s->nothing && !(n->flags & NODE_END))
                assert(s->users[n->slot] & BIT(p));
        }
    for (uint32_t o = 0; o <= s->nothing && !s->group; o++) {
        uint64_t users = s->users[o], others = users & (users - 1);
        int pair = !others ? 0 : others & (others - 1) ? -1 : __builtin_ctzll(users) ^ __builtin_ctzll(others);
        assert(s->pairs[o] == pair);
    }
    assert(!s->users[s->nothing]);
}

/* ---- who can go ---- */

static void check_enabled(const struct system *s)
{
    uint64_t alive = 0, enabled = 0, leaving = 0, stop = 0;
    for (int p = 0; p < s->processes; p++) {
        const struct node *n = s->at[p];
        alive |= n->flags & NODE_END ? 0 : BIT(p);
        stop |= n->flags & NODE_ABORT ? BIT(p) : 0;      /* who stops everybody is alive or not: nobody asks */
        enabled |= step_can_go(s, n) ? BIT(p) : 0;
        leaving |= s->group && is_process(&n->op, PROCESS_ALONE) ? BIT(p) : 0;
        assert(!(n->flags & NODE_END) || !step_can_go(s, n));
        assert(n->flags & NODE_END || !n->choices || step_can_go(s, n) == (system_ask_choices(s, n) != 0));
    }
    assert((s->alive & ~stop) == (alive & ~stop) && s->leaving == leaving);
    assert(s->alert == (s->carried || s->invariants));
    if (system_aborted(s)) {
        assert(!s->enabled);
        return;
    }
    struct system held = *s;                     /* ends.c writes nothing but `enabled` */
    held.enabled = enabled;
    if (s->hides)
        system_hide(&held);
    if (s->timed)
        time_hold_back(&held);
    if (leaving)
        system_hold_back(&held);
    if (s->timers)
        timers_come_late(&held);
    assert(s->enabled == held.enabled);
}

static void check_ends(const struct system *s)
{
    for (int p = 0; p < s->processes && !s->group; p++)
        assert(!(s->at[p]->flags & NODE_END) || s->at[p]->flags & NODE_ABORT || s->ends[p] == s->at[p]->ended || s->users[s->table]);
}

/* A node is plain when its first edge is the one over 0; and it leads to an end only if an edge does. */
static void check_node(const struct system *s, int p, const struct node *n)
{
    bool to_end = n->one.next != NO_NODE && s->nodes[p][n->one.next].flags & NODE_END;
    for (uint32_t i = 0; i < n->more_count; i++)
        to_end |= (s->nodes[p][n->more[i].next].flags & NODE_END) != 0;
    assert(!n->plain || (n->plain == n->guard.adds && !s->group));
    assert(!n->plain || (n->one.next != NO_NODE && n->one.result == 0));
    assert(!(n->flags & LEADS_TO_END) || to_end || s->group);
    assert(n->type == types_get(n->op.type));
}

/* ---- words, and the log of them ---- */

static void check_object(const struct system *s, const struct object *o)
{
    assert(o->type && o->state + o->words <= s->word_count);
    if (o->type->check)
        o->type->check(s->words + o->state);
}

static void check_words(const struct system *s)
{
    assert(s->log_start <= s->log.top && s->log.top <= s->log_end);
    assert(!s->group || s->word_count <= s->group_room);
    for (uint32_t i = 0; i < s->object_count; i++)
        check_object(s, &s->objects[i]);
    check_object(s, &s->objects[s->table]);
    for (const struct change *c = s->log_start; c < s->log.top; c++) {
        bool of_objects = c->word >= s->words && c->word < s->words + s->word_count;
        bool of_places = c->word >= s->node && c->word < s->node + MAX_PROCESSES;
        bool of_outsiders = s->group && c->word >= s->group->outsider && c->word < s->group->outsider + MAX_PROCESSES;
        assert(of_objects || (s->group && of_places) || of_outsiders);
    }
}

/* ---- the path of a group ---- */

/* Each leg begins where the one before of its process led, or where its process comes to be; the last one of each led to where it
 * stands, unless others ended it. */
static void check_path(const struct system *s)
{
    const struct group *g = s->group;
    uint32_t last[MAX_PROCESSES] = { [0] = NODE_START };
    assert(g->run <= g->count && g->count <= g->room);
    for (uint32_t i = 0; i < g->count; i++) {
        const struct leg *leg = &g->path[i];
        assert((int)leg->process < s->processes && leg->host == g->host[leg->process]);
        assert(leg->from < s->graphs[leg->process].count && leg->to < s->graphs[leg->process].count);
        assert(leg->from == last[leg->process] || is_process(&s->nodes[leg->process][leg->from].op, PROCESS_START));
        assert(i >= g->run || !(s->nodes[leg->process][leg->to].flags & NODE_UNSEEN));
        last[leg->process] = leg->to;
    }
    for (int p = 0; p < s->processes; p++)
        assert(s->node[p] == last[p] || s->node[p] == NODE_KILLED || is_process(&s->at[p]->op, PROCESS_START));
}

static void check_families(const struct system *s)
{
    const struct group *g = s->group;
    for (int p = 0; p < s->processes; p++) {
        assert(g->host[p] >= 0 && g->host[p] < MAX_PROCESSES);
        assert(g->kinds[p] == NEVER || g->families[g->host[p]] & BIT(p));
        assert(g->kinds[p] != A_UNIX_PROCESS || g->host[p] == p);
        assert(s->at[p]->flags & NODE_END || process_host(group_table(s), p) == g->host[p]);
    }
}

/* Numbers are given to one at a time, and births name those that were. */
static void check_births(const struct system *s)
{
    const struct group *g = s->group;
    for (const struct birth *b = g->births; b < g->births + g->birth_count; b++) {
        assert(b->number > 0 && b->number < s->processes);
        assert(g->kinds[b->number] == b->kind);
        assert(b->parent != b->number);
    }
}

void system_check(const struct system *s)
{
    check_places(s);
    check_users(s);
    check_enabled(s);
    check_ends(s);
    check_words(s);
    for (int p = 0; p < s->processes; p++)
        for (uint32_t i = 0; i < s->graphs[p].count; i++)
            check_node(s, p, &s->nodes[p][i]);
    if (!s->group)
        return;
    check_path(s);
    check_families(s);
    check_births(s);
}
