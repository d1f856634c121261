/* The path of a sharing group, and the program run along it.
 *
 * A node here is what a process stands before and the sum of what it has done: not where in memory it is, and in whatever order.
 * Two pasts that differ only in their order mostly lead on alike; and no node comes twice on a path, for the past grows.
 * SPDX-License-Identifier: MIT */
#include "system/datarace.h"
#include "system/glimpse.h"
#include "system/group.h"

#include "base/memory.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <xxhash.h>

/* Of the leg that is to come nothing is known yet. */
static void make_memory(struct group *g)
{
    ARRAY_GROW(g->memory, g->count, g->memory_room);
    g->memory[g->count][0] = g->memory[g->count][1] = 0;
}

static void make_noted(struct group *g)
{
    if (g->count + 1 >= g->noted_room) {
        g->noted_room = memory_more(g->noted_room);
        g->noted = memory_resize(g->noted, (size_t)g->noted_room * g->noted_count * sizeof *g->noted);
    }
    memset(g->noted + (size_t)(g->count + 1) * g->noted_count, 0, g->noted_count * sizeof *g->noted);
}

void group_note_first(struct group *g, const struct arrival *a)
{
    if (!a->noted)
        return;
    g->noted_count = a->noted_count;
    g->noted_room = 128;
    g->noted = memory_get((size_t)g->noted_room * g->noted_count * sizeof *g->noted);
    memcpy(g->noted, a->noted, g->noted_count * sizeof *g->noted);
}

void group_note(struct group *g, const struct arrival *a)
{
    if (g->states)
        memcpy(g->memory[g->count - 1], a->memory, sizeof a->memory);
    if (g->noted && a->noted)
        memcpy(g->noted + (size_t)g->count * g->noted_count, a->noted, g->noted_count * sizeof *a->noted);
}

const struct noted *system_noted(const struct system *s, uint32_t steps)
{
    assert(s->group && steps <= s->group->count);
    return s->group->noted ? s->group->noted + (size_t)steps * s->group->noted_count : NULL;
}

void group_push(struct system *s, const struct step *step)
{
    struct group *g = s->group;
    if (__builtin_expect(g->count == g->room, 0))
        ARRAY_GROW(g->path, g->count, g->room);
    if (g->states)
        make_memory(g);
    if (g->noted)
        make_noted(g);
    if (g->states && g->datarace)
        ARRAY_GROW(g->sets, g->count, g->sets_room);
    g->path[g->count++] = (struct leg){ .process = step->process, .from = step->node, .result = step->result, .to = NO_NODE,
                                        .host = g->host[step->process], .choice = step->choice, .stamp = s->stamp };
}

const struct leg *group_pop(struct system *s)
{
    struct group *g = s->group;
    assert(g->count);
    g->count--;
    if (g->run > g->count)
        g->run = g->count;
    if (g->stands > g->count)
        g->stands = g->count;
    if (g->glimpses)
        glimpse_back(g);
    return &g->path[g->count];
}

/* ---- what the program says ---- */

uint64_t group_past(const struct system *s, const struct leg *leg)
{
    const struct node *from = &s->graphs[leg->process].nodes[leg->from];
    uint64_t last[2] = { leg->result, from->fingerprint[1] };
    return s->group->states ? 0 : from->fingerprint[0] + XXH3_64bits(last, sizeof last);
}

uint32_t group_node(struct system *s, const struct leg *leg, struct arrival *a, enum certainty how)
{
    struct graph *g = &s->graphs[leg->process];
    assert(leg->from < g->count && a->op.process == leg->process);
    uint32_t count = g->count;
    a->fingerprint[0] = group_past(s, leg);
    a->mergeable = true;
    hidden_mark(s, leg, &a->op);
    a->noted = NULL;                 /* they are the state's, not the node's */
    uint32_t next = system_add_node(s, (int)leg->process, a, leg->from, leg->result);
    if (how == SEEN || !graph_edge(g, leg->from, leg->result))
        graph_lead(g, leg->from, leg->result, next, a->notes);
    if (how == SEEN)
        g->nodes[next].flags &= ~(uint32_t)NODE_UNSEEN;
    else if (g->count > count)
        g->nodes[next].flags |= NODE_UNSEEN;
    if (g->nodes[next].flags & NODE_ABORT && !(g->nodes[leg->from].flags & LEADS_TO_ABORT)) {
        g->nodes[leg->from].flags |= LEADS_TO_ABORT;
        s->leads++;
    }
    return next;
}

uint32_t group_learn(struct system *s, const struct leg *leg, struct arrival *a)
{
    struct graph *g = &s->graphs[leg->process];
    const struct edge *edge = graph_edge(g, leg->from, leg->result);
    bool known = edge && !(g->nodes[edge->next].flags & NODE_UNSEEN);
    uint32_t next = group_node(s, leg, a, SEEN);
    if (known) {
        g->nodes[leg->from].flags |= NODE_VARIES;
        s->group->varies = true;
    }
    return next;
}

void group_seen(struct system *s, const struct leg *path, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++) {
        STEP_ASSERT(path[i].to < s->graphs[path[i].process].count);
        s->graphs[path[i].process].nodes[path[i].to].flags &= ~(uint32_t)NODE_UNSEEN;
    }
}

/* A death, or a loop: that may come from outside, and says nothing of what the program does by itself. But it would begin for ever
 * again: what comes as often as this is the program's. */
static bool is_mishap(struct group *g, const struct op *op)
{
    enum { OFTEN = 100 };
    bool mishap = types_mishap(op), killed = is_process(op, PROCESS_CRASH) && op->arg[0] == SIGKILL;
    g->mishaps += mishap && !killed;
    return mishap && g->mishaps < OFTEN;
}

int group_races(struct system *s, const struct leg *path, uint32_t count, uint32_t way, struct err *err)
{
    const struct runner *runner = s->runner;
    const struct group *g = s->group;
    if (hidden_begins_again(s))
        return -ERESTART;
    if (!g->datarace || !runner->seen)
        return 0;
    const uint32_t *sets = !g->sets ? runner->seen(runner->self, way) : g->tells_sets ? g->sets : NULL;
    return datarace_look(g->datarace, path, count, sets, err);
}

void group_note_sets(struct system *s, uint32_t from, uint32_t to)
{
    const uint32_t *sets = s->group->sets && s->runner->seen ? s->runner->seen(s->runner->self, (uint32_t)LAST_RUN) : NULL;
    s->group->tells_sets = sets != NULL;
    for (uint32_t i = from; i < to && sets; i++)
        s->group->sets[i] = sets[i];
}

int group_run(struct system *s, struct err *err)
{
    struct group *g = s->group;
    struct arrival a = { 0 };
    uint32_t right, run = g->run;
    g->right = g->count;
    if (run == g->count)
        return 0;
    if (g->glimpses && glimpse_last(s))
        return group_races(s, g->path, g->count, (uint32_t)LAST_RUN, err);
    right = g->states ? g->stands : 0;
    int rc = s->runner->run(s->runner->self, g->path, g->count, &right, &a, err);
    if (rc < 0)
        return rc;
    assert(right <= g->count);
    assert(right < g->count || g->path[right - 1].to != NO_NODE);        /* where nobody knew, it cannot have been right */
    g->right = g->run = g->stands = right;
    if (right + 1 >= g->count)
        group_note(g, &a);
    if (right < run && !is_mishap(g, &a.op)) {
        group_learn(s, &g->path[right], &a);
        return -ENOTRECOVERABLE;
    }
    uint32_t next = right < g->count ? group_learn(s, &g->path[right], &a) : NO_NODE;
    if (right + 1 == g->count && g->path[right].to == NO_NODE)
        g->path[right].to = next;
    group_seen(s, g->path, run < right ? run : right, right);
    bool last_known = right + 1 == g->count && g->path[right].to != NO_NODE && g->path[right].to == next;
    group_note_sets(s, run < right ? run : right, right + last_known);
    return group_races(s, g->path, right + last_known, (uint32_t)LAST_RUN, err);
}

enum took group_run_last(struct system *s, struct err *err)
{
    struct group *g = s->group;
    int rc = group_run(s, err);
    if (rc < 0)
        return system_failed(err, rc);
    if (g->right + 1 < g->count)
        return STEP_AGAIN;
    assert(g->path[g->count - 1].to != NO_NODE);
    g->run = g->count;
    return STEP_TAKEN;
}
