/* Which number a new process of a sharing group gets.
 *
 * There are MAX_PROCESSES numbers, for those that are alive at a time. A number must not depend on the order of steps that are
 * independent: else executions would differ that are the same. So it is a function of what the creator knows, that is, of what
 * happens before the creation:
 *   - by its birth (who creates it, and which of his creations it is) it gets the number that it had in other executions;
 *   - else one that nobody ever had;
 *   - when these are used up, that of a thread which the creator has joined himself: its end happens before.
 * If none of these is free, the number of any thread that has ended, detached or joined by somebody else. Then it does matter
 * whether that end came before the creation: from then on the group is `crowded`, and creations, ends and joins of the threads of a
 * UNIX process depend on each other (dependence.c); the search begins again with that.
 *
 * Where states are compared (`states`) it is the least number that is free, crowded from the first: equal states go on alike.
 *
 * A thread that ended holding a lock keeps its number: its successor would be taken for the holder. UNIX processes keep theirs,
 * too: each has a place in the memory that it shares with the controller.
 * SPDX-License-Identifier: MIT */
#include "system/group.h"
#include "system/numbers.h"

#include "base/memory.h"

#include <assert.h>

static void add_number(struct system *s)
{
    assert(s->processes < MAX_PROCESSES);
    group_add_first_nodes(s, s->processes++);
}

/* ---- is it free? ---- */

static bool is_named(const struct system *s, int p)
{
    for (const struct object *o = s->objects; o < s->objects + s->object_count; o++)
        if (o->type->names && o->type->names(s->words + o->state, p))
            return true;
    return false;
}

static bool is_like(const struct group *g, const struct birth *b, int p)
{
    return g->kinds[p] == b->kind && (b->kind == A_UNIX_PROCESS || g->host[p] == g->host[b->parent]);
}

/* Of a number that had an owner in some execution. */
static bool is_free(const struct system *s, const struct birth *b, int p)
{
    if (!is_like(s->group, b, p))
        return false;
    if (!process_was_born(group_table(s), p))
        return true;
    bool over = s->group->crowded ? process_is_over(group_table(s), p) : process_joined_by(group_table(s), p, b->parent);
    return over && b->kind == A_THREAD && !is_named(s, p) && process_generation(group_table(s), p) < PROCESS_MOST_CREATED;
}

/* ---- giving one ---- */

static int remembered(const struct system *s, const struct birth *b)
{
    const struct group *g = s->group;
    for (const struct birth *i = g->births; i < g->births + g->birth_count; i++)
        if (i->parent == b->parent && i->kind == b->kind && i->nth == b->nth && is_free(s, b, i->number))
            return i->number;
    return -1;
}

/* Where states are compared, the number is a function of the state: the least that is free. */
static int least(const struct system *s, const struct birth *b)
{
    for (int p = 1; p < s->processes; p++)
        if (s->group->kinds[p] != NEVER && is_free(s, b, p))
            return p;
    return -1;
}

/* The one that a scenario names, if it can be had. */
static int wished(struct system *s, const struct birth *b)
{
    struct group *g = s->group;
    int p = g->next_child;
    g->next_child = -1;
    if (p < 1 || p >= MAX_PROCESSES)
        return -1;
    while (s->processes <= p)
        add_number(s);
    return g->kinds[p] == NEVER || (process_was_born(group_table(s), p) && is_free(s, b, p)) ? p : -1;
}

static int unused(struct system *s)
{
    for (int p = 1; p < s->processes; p++)
        if (s->group->kinds[p] == NEVER)
            return p;
    if (s->processes == MAX_PROCESSES)
        return -1;
    add_number(s);
    return s->processes - 1;
}

static int used_before(const struct system *s, const struct birth *b)
{
    for (int p = 1; p < s->processes; p++)
        if (process_was_born(group_table(s), p) && is_free(s, b, p))
            return p;
    return -1;
}

/* What it takes for granted until then does not hold any more; so it is told, and the search begins again (dependence_premises). */
static int from_the_crowd(struct system *s, const struct birth *b)
{
    s->group->crowded = true;
    for (int p = 1; p < s->processes; p++)
        if (is_free(s, b, p))
            return p;
    return -1;
}

static void own(struct group *g, struct birth b)
{
    int p = b.number;
    assert(p > 0 && p < MAX_PROCESSES);
    if (g->kinds[p] == NEVER) {
        g->kinds[p] = (uint8_t)b.kind;
        g->families[g->host[p]] &= ~BIT(p);
        g->host[p] = b.kind == A_UNIX_PROCESS ? p : g->host[b.parent];
        g->families[g->host[p]] |= BIT(p);
        g->parent[p] = b.kind == A_UNIX_PROCESS ? g->host[b.parent] : -1;
    }
    ARRAY_GROW(g->births, g->birth_count, g->birth_room);
    g->births[g->birth_count++] = b;
}

uint32_t numbers_child_of(struct system *s, const struct op *op)
{
    struct birth b = { op->process, op->arg[0] ? A_UNIX_PROCESS : A_THREAD, process_children(group_table(s), op->process), -1 };
    if (b.nth == PROCESS_MOST_CREATED)
        return UINT32_MAX;
    b.number = s->group->states ? least(s, &b) : remembered(s, &b);
    if (b.number >= 0)
        return (uint32_t)b.number;
    b.number = wished(s, &b);
    if (b.number < 0)
        b.number = unused(s);
    if (b.number < 0)
        b.number = used_before(s, &b);
    if (b.number < 0)
        b.number = from_the_crowd(s, &b);
    if (b.number < 0)
        return UINT32_MAX;
    assert(b.number < s->processes && !(s->alive & BIT(b.number)));
    own(s->group, b);
    return (uint32_t)b.number;
}

/* ---- in another run ---- */

uint32_t numbers_count(const struct system *s) { return s->group ? s->group->birth_count : 0; }

struct system_birth numbers_birth(const struct system *s, uint32_t number)
{
    assert(number < numbers_count(s));
    const struct birth *b = &s->group->births[number];
    return (struct system_birth){ (uint32_t)b->parent, b->nth, (uint32_t)b->number, b->kind == A_UNIX_PROCESS };
}

bool numbers_expect(struct system *s, const struct system_birth *b)
{
    struct group *g = s->group;
    if (!g || !b->number || b->number >= MAX_PROCESSES || b->creator >= (uint32_t)s->processes || b->nth >= PROCESS_MOST_CREATED
        || (b->creator && g->kinds[b->creator] == NEVER))
        return false;
    while ((uint32_t)s->processes <= b->number)
        add_number(s);
    for (uint32_t i = 0; i < g->birth_count; i++) {
        struct system_birth known = numbers_birth(s, i);
        if (known.creator == b->creator && known.nth == b->nth && known.unix_process == b->unix_process)
            return known.number == b->number;
    }
    if (g->kinds[b->number] != NEVER)
        return false;
    own(g, (struct birth){ (int)b->creator, b->unix_process ? A_UNIX_PROCESS : A_THREAD, b->nth, (int)b->number });
    return true;
}
