/* SPDX-License-Identifier: MIT */
#include "search/ahead.h"

#include "base/memory.h"

#include <assert.h>
#include <string.h>

/* Of those that stand in the way of a step: how many are looked at, and how many subsets of them are tried. */
enum { MOST_IN_WAY = 64, MOST_TRIES = 4096 };

/* ---- going back and forth on the path, to look at its states ---- */

void ahead_stand_at(struct optimal *o, uint32_t at)
{
    while (o->standing > at)
        system_undo(o->system, &o->search->steps[--o->standing]);
}

/* All steps are known: the program need not run. */
void ahead_go_on_to(struct optimal *o, uint32_t at)
{
    for (; o->standing < at; o->standing++) {
        struct step *s = &o->search->steps[o->standing];
        int rc = system_execute_again(o->system, s, s, NULL);
        assert(rc == 0);
    }
}

/* ---- what goes along, and what is in the way ---- */

void ahead_free(struct optimal *o, uint32_t first)
{
    if (o->free_first == first)
        return;
    uint32_t count = 0, depth = o->search->depth;
    const uint32_t *clock = clock_of(o, first + 1) + o->who[first];
    bool spreads = false;
    for (uint32_t i = first + 1; i < depth; i++, clock += o->stride) {
        if (*clock > first)
            continue;
        spreads |= o->levels[i].spreads;
        o->free_of[count++] = i;
    }
    o->free_first = first;
    o->free_count = count;
    o->free_spreads = spreads;
}

static void sort(uint32_t *positions, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        uint32_t p = positions[i], k = i;
        for (; k && positions[k - 1] > p; k--)
            positions[k] = positions[k - 1];
        positions[k] = p;
    }
}

/* Of the free steps, those that may be in conflict with this one, in the order of the path: on its object, or with a reach. */
static uint32_t collect_beside(const struct optimal *o, const struct event *e, uint32_t *beside)
{
    uint32_t count = 0, end = o->search->depth, first = o->free_first, at;
    bool on_object = e->slot != o->system->nothing;
    for (uint32_t i = on_object ? o->latest[e->slot] : 0; i > first + 1; i = o->levels[i - 1].same)
        if (is_free(o, i - 1))
            beside[--end] = i - 1;
    count = o->search->depth - end;
    memmove(beside, beside + end, count * sizeof *beside);
    uint32_t of_object = count;
    for (uint32_t k = o->reached[e->process]; k && (at = o->reachers[k].position) > first; k = o->reachers[k].next)
        if (is_free(o, at) && !(on_object && on_path(o, at)->slot == e->slot))
            beside[count++] = at;
    if (count > of_object)
        sort(beside, count);
    return count;
}

uint32_t ahead_near(const struct optimal *o, const struct event *e, uint32_t *near)
{
    uint32_t count = 0;
    if (!e->reach)
        return collect_beside(o, e, near);
    for (uint32_t i = 0; i < o->free_count; i++)
        if (may_conflict(o, on_path(o, o->free_of[i]), e))
            near[count++] = o->free_of[i];
    return count;
}

void ahead_in_way(struct optimal *o, const struct second *second)
{
    uint32_t count = ahead_near(o, &second->event, o->in_way);
    o->in_way_count = 0;
    for (uint32_t i = 0; i < count; i++)
        if (clocks_conflict(o, on_path(o, o->in_way[i]), &second->event))
            o->in_way[o->in_way_count++] = o->in_way[i];
}

bool ahead_left_out(const struct optimal *o, uint32_t at, const struct second *second, uint64_t drops)
{
    for (uint32_t i = 0; i < o->in_way_count; i++)
        if ((o->in_way[i] >= second->limit || (i < MOST_IN_WAY && drops & BIT(i))) && before(o, o->in_way[i], clock_of(o, at)))
            return true;
    return false;
}

/* ---- can it go? ---- */

/* Executes what does not depend on the first step, and asks whether the second could go now; takes everything back. */
static bool works(struct optimal *o, const struct second *second, uint64_t drops, uint32_t *stamp)
{
    struct system *system = o->system;
    uint32_t done = 0, p = second->event.process;
    bool could = true;
    for (uint32_t i = 0; i < o->free_count && could; i++) {
        const struct step *old = &o->search->steps[o->free_of[i]];
        if (o->in_way_count && ahead_left_out(o, o->free_of[i], second, drops))
            continue;
        could = system->node[old->process] == old->node && system->enabled & BIT(old->process)
            && system_execute_again(system, old, &o->tried[done], NULL) >= 0;
        done += could;
    }
    could = could && system->enabled & BIT(p) && system->node[p] == second->event.node;
    if (could)
        *stamp = system_stamp(system, (int)p);
    while (done-- > 0)
        system_undo(system, &o->tried[done]);
    return could;
}

static bool moves_itself(const struct optimal *o, uint32_t process)
{
    uint32_t next = o->next_of[process];         /* after the first step */
    return next && !before(o, o->free_first, clock_of(o, next - 1));
}

/* Is what happens to its own object, whose words before the first step are remembered, all that matters to the second? */
static bool is_local(const struct optimal *o, const struct event *e, const struct node *n)
{
    const struct level *l = &o->levels[o->free_first];
    if (o->seen[o->free_first].take != l->take || l->event.slot != e->slot)
        return false;
    if (e->reach || o->free_spreads || !system_is_local(o->system, n))
        return false;
    for (uint32_t i = 0; i < o->in_way_count; i++)
        if (on_path(o, o->in_way[i])->reach)
            return false;
    return true;
}

enum answer { NO, YES, UNKNOWN };

/* As `works`, with nothing dropped, but looks only at a copy of the words of the object. UNKNOWN: something is odd. */
static enum answer works_there(struct optimal *o, const struct second *second, const struct node *n, uint32_t *stamp)
{
    uint32_t words[FEW_WORDS];
    struct log log = { o->changes };
    memcpy(words, o->seen[o->free_first].words, sizeof words);
    for (uint32_t i = 0; i < o->free_count; i++) {
        const struct event *e = on_path(o, o->free_of[i]);
        if (e->slot != second->event.slot || (o->in_way_count && ahead_left_out(o, e->at, second, 0)))
            continue;
        const struct node *other = &o->system->nodes[e->process][e->node];
        if (!system_is_local(o->system, other) || other->type->choices(words, &other->op) <= e->choice
            || other->type->execute(&log, words, &other->op, e->choice) != e->result)
            return UNKNOWN;
    }
    if (!n->type->choices(words, &n->op))
        return NO;
    *stamp = n->type->stamp ? n->type->stamp(words, &n->op) : 0;
    return YES;
}

/* Can it be told from what happens on its object or, where nothing that moves along matters, from the state before? */
static enum answer could_go_clearly(struct optimal *o, const struct second *second, uint32_t *stamp)
{
    const struct system *system = o->system;
    const struct event *e = &second->event;
    const struct node *n = &system->nodes[e->process][e->node];
    const struct step *steps = o->search->steps;
    uint32_t next = o->next_of[e->process];
    if (!o->in_way_count && !n->type->stamp && !moves_itself(o, e->process))
        return steps[o->free_first].enabled & BIT(e->process) && (!next || steps[next - 1].node == e->node) ? YES : NO;
    return is_local(o, e, n) ? works_there(o, second, n, stamp) : UNKNOWN;
}

static bool could_go(struct optimal *o, const struct second *second, uint32_t *stamp)
{
    enum answer clear = could_go_clearly(o, second, stamp);
    if (clear != UNKNOWN)
        return clear == YES;
    ahead_stand_at(o, o->free_first);
    return works(o, second, 0, stamp);
}

/* ---- races ---- */

/* What a step is in conflict with may change when it is moved: then the order of the two did not matter in the first place. */
static bool still_in_conflict(const struct optimal *o, uint32_t first, const struct second *second, uint32_t stamp)
{
    const struct event *e = on_path(o, first);
    struct event moved = second->event;
    moved.stamp = stamp;
    return conflict(o, e, &moved) || conflict(o, &moved, e);
}

static void note_race(struct optimal *o, uint32_t first, const struct second *second, uint64_t drops, uint32_t stamp)
{
    ARRAY_GROW(o->races, o->race_count, o->race_room);
    o->races[o->race_count++] = (struct race){ .second = *second, .first = first, .drops = drops, .stamp = stamp,
                                               .next = o->levels[first].first_race };
    o->levels[first].first_race = o->race_count;
}

/* Several steps that do not depend on each other may block the second, each of them: they have to be left out together. As few
 * as possible are; where fewer have to stay, the races of the second step with the others show it later. */
struct tries {
    const struct second *second;
    struct log           log;
    uint32_t             left, count, found_count;
    bool                 quick;      /* all that matters is on one object: it is enough to try there */
    uint64_t             found[MOST_IN_WAY];
};

static bool fewer_are_enough(const struct tries *t, uint64_t drops)
{
    for (uint32_t i = 0; i < t->found_count; i++)
        if (!(t->found[i] & ~drops))
            return true;
    return false;
}

static void try_drops(struct optimal *o, struct tries *t, uint64_t drops)
{
    uint32_t stamp;
    const struct event *e = &t->second->event;
    t->left--;
    if (t->found_count == MOST_IN_WAY || fewer_are_enough(t, drops))
        return;
    if (t->quick ? step_can_go(o->system, &o->system->nodes[e->process][e->node]) : works(o, t->second, drops, &stamp))
        t->found[t->found_count++] = drops;
}

static void try_step(struct optimal *o, struct log *log, const struct event *e)
{
    const struct node *n = &o->system->nodes[e->process][e->node];
    n->type->execute(log, o->system->words + n->state, &n->op, e->choice);
}

/* Which of those in the way it is; MOST_IN_WAY: none, or one that cannot be left out. */
static uint32_t droppable(const struct optimal *o, const struct second *second, uint32_t at)
{
    for (uint32_t i = 0; i < o->in_way_count && i < MOST_IN_WAY; i++)
        if (o->in_way[i] == at)
            return before(o, at, clock_before(o, second->previous)) ? MOST_IN_WAY : i;
    return MOST_IN_WAY;
}

/* Each step is taken along or, if it is in the way, left out with all that depends on it. */
static void try_from(struct optimal *o, struct tries *t, uint32_t i, uint64_t drops)
{
    if (!t->left)
        return;
    if (i == t->count) {
        try_drops(o, t, drops);
        return;
    }
    uint32_t at = o->trying[i], which = droppable(o, t->second, at);
    if (ahead_left_out(o, at, t->second, drops)) {
        try_from(o, t, i + 1, drops);
        return;
    }
    struct change *end = t->log.top;
    if (t->quick)
        try_step(o, &t->log, on_path(o, at));
    try_from(o, t, i + 1, drops);
    while (t->log.top > end) {
        t->log.top--;
        *t->log.top->word = t->log.top->old;
    }
    if (which < MOST_IN_WAY)
        try_from(o, t, i + 1, drops | BIT(which));
}

static void race_with_many(struct optimal *o, uint32_t first, const struct second *second)
{
    struct tries t = { .second = second, .log = { o->changes }, .left = MOST_TRIES, .quick = !second->event.reach };
    t.quick &= system_is_local(o->system, &o->system->nodes[second->event.process][second->event.node]);
    uint32_t stamp;
    for (uint32_t i = 0; i < o->in_way_count; i++)
        t.quick &= !on_path(o, o->in_way[i])->reach;
    for (uint32_t i = 0; i < o->free_count; i++)
        if (t.quick ? on_path(o, o->free_of[i])->slot == second->event.slot
                    : conflict(o, on_path(o, o->free_of[i]), &second->event))
            o->trying[t.count++] = o->free_of[i];
    try_from(o, &t, 0, 0);
    if (!t.left || t.found_count == MOST_IN_WAY || o->in_way_count > MOST_IN_WAY)
        o->search->counts.untried++; /* some order may be missed: the search does not claim to be complete then */
    for (uint32_t i = 0; i < t.found_count; i++)
        if (works(o, second, t.found[i], &stamp) && still_in_conflict(o, first, second, stamp))
            note_race(o, first, second, t.found[i], stamp);
}

void ahead_look(struct optimal *o, uint32_t first, struct second *second, uint32_t *reversed)
{
    uint32_t stamp = second->event.stamp;
    ahead_free(o, first);
    ahead_in_way(o, second);
    if (could_go(o, second, &stamp)) {
        if (!still_in_conflict(o, first, second, stamp))
            return;
        note_race(o, first, second, 0, stamp);
        if (!second->races)
            memcpy(reversed, o->zero, o->stride * sizeof *reversed);
        second->races = true;
        join(o, reversed, clock_of(o, first));
    } else if (o->in_way_count) {
        ahead_stand_at(o, first);
        race_with_many(o, first, second);
    }
}
