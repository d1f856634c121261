/* SPDX-License-Identifier: MIT */
#include "search/races.h"

#include "base/memory.h"
#include "search/ahead.h"
#include "search/clocks.h"
#include "search/wakeup.h"

#include <stdlib.h>
#include <string.h>

/* ---- what sleeps ---- */

/* What a process that sleeps before the step would do there. The state stays what it is as long as it is on the path. */
static struct event sleeping_event(struct optimal *o, uint32_t at, uint32_t process)
{
    struct sleeper *known = &o->sleepers[(size_t)at * o->stride + process];
    if (!(o->sleepers_known[at] & BIT(process))) {
        ahead_stand_at(o, at);
        *known = (struct sleeper){ o->system->node[process], system_stamp(o->system, (int)process),
                                   system_expected(o->system, (int)process) };
        o->sleepers_known[at] |= BIT(process);
    }
    struct event e = { .process = process, .node = known->node, .stamp = known->stamp, .result = known->expected, .at = NOT_TAKEN };
    clocks_complete(o, &e);
    return e;
}

/* As wakeup_initial, when the sequence is all that is free and then the second step. */
static bool is_initial(struct optimal *o, const struct event *e)
{
    uint32_t next = o->next_of[e->process];
    if (next && is_free(o, next - 1))
        return o->levels[next - 1].last <= o->free_first;
    if (in_conflict(o, e, &o->moved))
        return false;
    uint32_t near = ahead_near(o, e, o->near);
    for (uint32_t i = 0; i < near; i++)
        if (in_conflict(o, e, on_path(o, o->near[i])))
            return false;
    return true;
}

/* `whole`: the sequence is all that is free and then the second step. */
static bool sleeps(struct optimal *o, uint32_t first, const struct event *const *sequence, uint32_t count, bool whole)
{
    for (uint64_t left = o->search->frames[first].sleep; left; left &= left - 1) {
        struct event e = sleeping_event(o, first, (uint32_t)__builtin_ctzll(left));
        if (whole && e.process != o->moved.process ? is_initial(o, &e)
            : wakeup_initial(o, sequence, count, &e, wakeup_find(sequence, count, e.process)))
            return true;
    }
    return false;
}

/* Does something sleep that is the beginning of all that does not depend on the step? */
static bool beginning_sleeps(const struct optimal *o, uint32_t first)
{
    for (uint64_t left = o->search->frames[first].sleep; left; left &= left - 1) {
        uint32_t next = o->next_of[__builtin_ctzll(left)];
        if (next && o->levels[next - 1].last <= first && !before(o, first, clock_of(o, next - 1)))
            return true;
    }
    return false;
}

/* ---- reversing a race ---- */

static uint32_t make_sequence(struct optimal *o, const struct race *r)
{
    const struct second *second = &r->second;
    uint32_t count = 0;
    o->moved = second->event;
    o->moved.at = NOT_TAKEN;
    o->moved.choice = 0;
    o->moved.stamp = r->stamp;
    ahead_in_way(o, second);
    memcpy(o->second_clock, clock_before(o, second->previous), o->stride * sizeof *o->second_clock);
    bool apart = !o->in_way_count && r->stamp == second->event.stamp;    /* the second is in conflict with none of them */
    for (uint32_t i = 0; i < o->free_count; i++) {
        uint32_t at = o->free_of[i];
        if (o->in_way_count && ahead_left_out(o, at, second, r->drops))
            continue;
        o->sequence[count++] = on_path(o, at);
        if (!apart && conflict(o, on_path(o, at), &o->moved))
            join(o, o->second_clock, clock_of(o, at));
    }
    o->sequence[count] = &o->moved;
    return count + 1;
}

static void reverse(struct optimal *o, const struct race *r)
{
    uint32_t count = make_sequence(o, r);
    if (!sleeps(o, r->first, o->sequence, count, !o->in_way_count))
        wakeup_insert(o, r->first, o->sequence, count);
}

/* The other results of a step where something sleeps: what sleeps may make them needless. */
static void other_results(struct optimal *o, uint32_t at)
{
    struct level *l = &o->levels[at];
    uint32_t last = 0;
    ahead_free(o, at);
    ahead_stand_at(o, at);
    uint32_t choices = system_choices(o->system, (int)l->event.process), count = 0;
    struct event other = l->event;
    o->sequence[count++] = &other;
    for (uint32_t i = 0; i < o->free_count; i++)
        o->sequence[count++] = on_path(o, o->free_of[i]);
    if (sleeps(o, at, o->sequence, count, false))
        return;
    for (uint32_t c = 0; c < choices; c++) {
        if (l->done & BIT(c) || (l->tree && o->pool[l->tree].event.process == l->event.process
                                 && wakeup_same_result(o, l->tree, c, &last)))
            continue;
        other.choice = c;
        uint32_t chain = wakeup_chain(o, o->sequence, count);
        o->pool[chain].next = l->tree;
        l->tree = chain;
    }
}

/* ---- all of them ---- */

/* Steps that were not taken, because they stayed blocked or because the path was cut. */
static void add_undone(struct optimal *o, uint64_t processes, uint32_t limit)
{
    for (; processes; processes &= processes - 1) {
        uint32_t p = (uint32_t)__builtin_ctzll(processes);
        struct event e = clocks_next_event(o, p);
        clocks_add_second(o, &e, o->last[p], limit);
    }
}

/* In a group: those that were ended by another's step. */
static void add_killed(struct optimal *o)
{
    for (uint32_t i = o->search->depth; o->system->group && i-- > 0 && o->levels[i].kills;) {
        uint64_t killed = o->levels[i].alive & ~o->levels[i + 1].alive & ~BIT(on_path(o, i)->process);
        if (!killed)
            continue;
        ahead_stand_at(o, i);
        add_undone(o, killed, i + 1);
    }
    ahead_go_on_to(o, o->search->depth);
}

static void prepend_pair(struct optimal *o, uint32_t first, uint32_t second)
{
    o->first_pair[first] = clocks_new_pair(o, second, o->first_pair[first], false);
    o->lowest_pair = first < o->lowest_pair ? first : o->lowest_pair;
}

/* Those that were not taken come before those that were. */
static void pair_undone(struct optimal *o)
{
    for (uint32_t i = o->second_count; i-- > o->taken_count;) {
        const struct second *s = &o->seconds[i];
        uint32_t near = clocks_near(o, &s->event, s->previous, s->limit);
        for (uint32_t k = 0; k < near; k++)
            prepend_pair(o, o->near[k], i);
    }
}

static void make_reversed_room(struct optimal *o)
{
    size_t need = (size_t)o->second_count * o->stride;
    if (need > o->reversed_room) {
        o->reversed_room = 2 * need;
        o->reversed = memory_resize(o->reversed, o->reversed_room * sizeof *o->reversed);
    }
}

/* The steps on the path are there already. */
static void collect_seconds(struct optimal *o)
{
    const struct search *s = o->search;
    add_undone(o, o->system->alive & ~(o->system->enabled & s->frames[s->depth].sleep), s->depth);
    add_killed(o);
    pair_undone(o);
    make_reversed_room(o);
}

/* The races are in the order of their second steps; those of steps that were not taken are at the end. */
void races_forget(struct optimal *o)
{
    while (o->race_count && o->races[o->race_count - 1].second.event.at >= o->known) {
        const struct race *r = &o->races[--o->race_count];
        o->levels[r->first].first_race = r->next;
    }
}

static void link_from(struct optimal *o, uint32_t first)
{
    for (uint32_t i = first; i < o->race_count; i++) {
        struct race *r = &o->races[i];
        r->next = o->levels[r->first].first_race;
        o->levels[r->first].first_race = i + 1;
    }
}

void races_link(struct optimal *o, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        o->levels[i].first_race = 0;
    link_from(o, 0);
}

static int by_second(const void *a, const void *b)
{
    const struct race *x = a, *y = b;
    uint32_t i = x->second.event.at, k = y->second.event.at;
    return i != k ? (i > k) - (i < k) : (x->found > y->found) - (x->found < y->found);
}

/* Puts the races that were found on this path in order. */
static void sort_new(struct optimal *o, uint32_t first)
{
    for (uint32_t i = o->race_count; i-- > first;) {
        struct race *r = &o->races[i];
        o->levels[r->first].first_race = r->next;
        r->found = i;
    }
    if (first < o->race_count)
        qsort(o->races + first, o->race_count - first, sizeof *o->races, by_second);
    link_from(o, first);
}

static void reverse_all(struct optimal *o, uint32_t first)
{
    uint32_t r = o->levels[first].first_race;
    bool asleep = r && beginning_sleeps(o, first);
    for (; r; r = o->races[r - 1].next) {
        const struct race *race = &o->races[r - 1];
        if (asleep && !race->drops && (race->second.event.at != NOT_TAKEN || race->second.limit == o->search->depth))
            continue;
        ahead_free(o, first);
        reverse(o, race);
    }
}

/* Was the step looked at on a path before this one, from which it differs only in steps that all depend on it? Then its races are the
 * same, and what reverses them is that of before or a beginning of it: it sleeps, or is in the tree, whose branches stay there while
 * the step is on the path. */
static bool is_settled(const struct optimal *o, uint32_t first)
{
    return first < o->known && !o->first_pair[first] && first < o->settled[o->who[first]];
}

/* A first step that happens before one whose race is being reversed need not be looked at: that race shows it. */
static void look_at(struct optimal *o, uint32_t first)
{
    for (uint32_t i = o->first_pair[first]; i; i = o->pairs[i].next) {
        struct second *s = &o->seconds[o->pairs[i].second];
        uint32_t *reversed = o->reversed + (size_t)o->pairs[i].second * o->stride;
        if (!(s->races && before(o, first, reversed)) && (o->pairs[i].sure || clocks_conflict(o, on_path(o, first), &s->event)))
            ahead_look(o, first, s, reversed);
    }
    reverse_all(o, first);
    if (o->levels[first].picky)
        other_results(o, first);
}

void races_look(struct optimal *o)
{
    uint32_t depth = o->search->depth;
    o->standing = depth;
    o->free_first = NOT_TAKEN;
    uint32_t same = o->known ? o->known + 1 : 0;         /* states that are as they were */
    if (same < depth)
        memset(o->sleepers_known + same, 0, (depth - same) * sizeof *o->sleepers_known);
    clocks_make(o);
    races_forget(o);
    collect_seconds(o);
    memset(o->next_of, 0, o->stride * sizeof *o->next_of);
    uint32_t old = o->race_count, end = o->known;
    end = o->lowest_pair < end ? o->lowest_pair : end;
    end = o->lowest_free < end ? o->lowest_free : end;
    for (uint32_t i = depth; i-- > end;) {
        if (!is_settled(o, i))
            look_at(o, i);
        o->next_of[on_path(o, i)->process] = i + 1;
    }
    sort_new(o, old);
    o->known = depth;
}
