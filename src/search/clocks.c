/* SPDX-License-Identifier: MIT */
#include "search/clocks.h"

#include "base/memory.h"

#include <string.h>

/* ---- events ---- */

void clocks_complete(const struct optimal *o, struct event *e)
{
    const struct node *n = &o->system->nodes[e->process][e->node];
    struct step step = { .process = e->process, .choice = e->choice, .node = e->node, .result = e->result };
    e->slot = n->slot == o->system->table ? o->system->nothing : n->slot;
    e->reach = system_reach(o->system, &step);
}

static struct event event_of(const struct optimal *o, uint32_t at)
{
    const struct step *s = &o->search->steps[at];
    struct event e = { .process = s->process, .choice = s->choice, .node = s->node, .stamp = o->levels[at].stamp,
                       .result = s->result, .at = at };
    clocks_complete(o, &e);
    return e;
}

struct event clocks_next_event(const struct optimal *o, uint32_t process)
{
    struct event e = { .process = process, .node = o->system->node[process], .at = NOT_TAKEN };
    e.result = system_expected(o->system, (int)process);
    e.stamp = system_stamp(o->system, (int)process);
    clocks_complete(o, &e);
    return e;
}

bool clocks_conflict(const struct optimal *o, const struct event *a, const struct event *b)
{
    struct step first = { .process = a->process, .choice = a->choice, .node = a->node, .result = a->result };
    struct step second = { .process = b->process, .choice = b->choice, .node = b->node, .result = b->result };
    return system_conflict(o->system, &first, a->stamp, &second, b->stamp);
}

/* ---- what may be in conflict with what ---- */

/* All steps of others on its object, up to this position, happen before the step that has the clock. */
static uint32_t known_of_users(const struct optimal *o, const struct event *e, const uint32_t *clock)
{
    uint32_t known = UINT32_MAX;
    for (uint64_t users = o->system->users[e->slot] & ~BIT(e->process); users; users &= users - 1) {
        uint32_t q = (uint32_t)__builtin_ctzll(users);
        if (q < o->stride && o->last[q] > clock[q] && clock[q] < known)
            known = clock[q];
    }
    return known;
}

uint32_t clocks_near(struct optimal *o, const struct event *e, uint32_t previous, uint32_t limit)
{
    const uint32_t *clock = clock_before(o, previous);
    uint32_t count = 0, p = e->process;
    bool on_object = e->slot != o->system->nothing;
    uint32_t known = on_object ? known_of_users(o, e, clock) : 0;
    for (uint32_t i = on_object ? o->latest[e->slot] : 0; i > known; i = o->levels[i - 1].same)
        if (i <= limit && o->who[i - 1] != p && !before(o, i - 1, clock))
            o->near[count++] = i - 1;
    for (uint32_t k = o->reached[p]; k; k = o->reachers[k].next) {
        uint32_t i = o->reachers[k].position;
        if (i < limit && o->who[i] != p && !before(o, i, clock) && !(on_object && on_path(o, i)->slot == e->slot))
            o->near[count++] = i;
    }
    bool narrow = e->reach && system_about_processes(o->system, e->process, e->node) == ONLY_PROCESSES;
    const uint32_t *last = narrow ? o->last_about : o->last;
    for (uint64_t left = e->reach & ~BIT(p); left; left &= left - 1) {
        uint32_t q = (uint32_t)__builtin_ctzll(left);
        for (uint32_t i = q < o->stride ? last[q] : 0; i && i > clock[q];
             i = narrow ? o->levels[i - 1].about : o->levels[i - 1].previous) {
            const struct event *other = on_path(o, i - 1);
            if (i <= limit && !(other->reach >> p & 1) && !(on_object && other->slot == e->slot))
                o->near[count++] = i - 1;
        }
    }
    return count;
}

uint32_t clocks_new_pair(struct optimal *o, uint32_t second, uint32_t next, bool sure)
{
    ARRAY_GROW(o->pairs, o->pair_count, o->pair_room);
    o->pairs[o->pair_count] = (struct pair){ .second = second, .next = next, .sure = sure };
    return o->pair_count++;
}

static void append_pair(struct optimal *o, uint32_t first, uint32_t second, bool sure)
{
    o->lowest_pair = first < o->lowest_pair ? first : o->lowest_pair;
    uint32_t n = clocks_new_pair(o, second, 0, sure);
    if (o->first_pair[first])
        o->pairs[o->last_pair[first]].next = n;
    else
        o->first_pair[first] = n;
    o->last_pair[first] = n;
}

void clocks_add_second(struct optimal *o, const struct event *e, uint32_t previous, uint32_t limit)
{
    ARRAY_GROW(o->seconds, o->second_count, o->second_room);
    o->seconds[o->second_count++] = (struct second){ .event = *e, .previous = previous, .limit = limit };
}

/* ---- clocks ---- */

/* Processes may come while a group is searched. */
static void widen(struct optimal *o)
{
    uint32_t processes = (uint32_t)o->system->processes;
    if (processes <= o->stride)
        return;
    o->stride = (processes + 7) & ~7u;
    o->known = 0;
    memset(o->sleepers_known, 0, o->room * sizeof *o->sleepers_known);
    o->clocks = memory_resize(o->clocks, (size_t)o->room * o->stride * sizeof *o->clocks);
    o->sleepers = memory_resize(o->sleepers, (size_t)o->room * o->stride * sizeof *o->sleepers);
}

/* Has the step changed words that belong to another object? The log has it. */
static bool has_spread(const struct optimal *o, uint32_t at, const struct node *n)
{
    const struct system *system = o->system;
    const struct step *step = &o->search->steps[at];
    const struct object *table = &system->objects[system->table];
    uint32_t own = n->slot == system->nothing ? 0 : system->objects[n->slot].words, i = at + 1;
    if (!step->log)
        return false;
    while (i < o->search->depth && !o->search->steps[i].log)
        i++;
    const struct change *end = i < o->search->depth ? system->log_start + o->search->steps[i].log - 1 : system->log.top;
    for (const struct change *c = system->log_start + step->log - 1; c < end; c++) {
        uint64_t word = (uint64_t)((uintptr_t)c->word - (uintptr_t)system->words) / sizeof *c->word;
        if (word < system->word_count && word - n->state >= own && word - table->state >= table->words)
            return true;
    }
    return false;
}

enum { LEADS = LEADS_TO_END | LEADS_TO_ABORT };          /* flags that say what a step may be in conflict with */

/* Also notes with which steps it may be in a race. */
static void make_clock(struct optimal *o, uint32_t at)
{
    struct level *l = &o->levels[at];
    uint32_t *clock = clock_of(o, at);
    l->event = event_of(o, at);
    o->who[at] = (uint8_t)l->event.process;
    const struct node *n = &o->system->nodes[l->event.process][l->event.node];
    l->flags = n->flags & LEADS;
    l->spreads = l->renews || has_spread(o, at, n);
    memcpy(clock, clock_before(o, l->previous), o->stride * sizeof *clock);
    uint32_t near = clocks_near(o, &l->event, l->previous, at), second = o->second_count;
    clocks_add_second(o, &l->event, l->previous, at);
    for (uint32_t k = 0; k < near; k++) {
        uint32_t i = o->near[k];
        bool open = !before(o, i, clock);
        if (open && !clocks_conflict(o, on_path(o, i), &l->event))
            continue;
        if (open)
            join(o, clock, clock_of(o, i));
        if (!(on_path(o, i)->reach | l->event.reach) || !system_enables(o->system, &o->search->steps[i], &o->search->steps[at]))
            append_pair(o, i, second, open);
    }
    l->last = 0;
    for (uint32_t p = 0; p < o->stride; p++)
        if (l->last < clock[p])
            l->last = clock[p];
    clock[l->event.process] = at + 1;
}

/* Makes the step at `at` the last one of its process and on its object. */
static void note_latest(struct optimal *o, uint32_t at)
{
    struct level *l = &o->levels[at];
    uint32_t p = l->event.process, slot = l->event.slot;
    o->notes[at] = (struct note){ slot, p, o->latest[slot], o->last[p], o->last_about[p], o->reacher_count };
    l->same = o->latest[slot];
    l->about = o->last_about[p];
    if (system_about_processes(o->system, p, l->event.node))
        o->last_about[p] = at + 1;
    o->latest[slot] = o->last[p] = at + 1;
    uint64_t reach = l->event.reach & UINT64_MAX >> (MAX_PROCESSES - o->system->processes);
    for (; reach; reach &= reach - 1) {
        uint32_t q = (uint32_t)__builtin_ctzll(reach);
        ARRAY_GROW(o->reachers, o->reacher_count, o->reacher_room);
        o->reachers[o->reacher_count] = (struct reacher){ at, o->reached[q], q };
        o->reached[q] = o->reacher_count++;
    }
    bool kills = l->alive & ~o->levels[at + 1].alive & ~BIT(p);
    l->kills = (at ? o->levels[at - 1].kills : 0) + kills;
    o->noted = at + 1;
}

static void unnote(struct optimal *o, uint32_t count)
{
    while (o->noted > count) {
        const struct note *n = &o->notes[--o->noted];
        o->latest[n->slot] = n->same;
        o->last[n->process] = n->previous;
        o->last_about[n->process] = n->about;
        while (o->reacher_count > n->reachers) {
            const struct reacher *r = &o->reachers[--o->reacher_count];
            o->reached[r->process] = r->next;
        }
    }
}

/* What a step leads to may have been seen since, and with it what it is in conflict with. */
static void forget_outdated(struct optimal *o)
{
    if (o->leads == o->system->leads)
        return;
    o->leads = o->system->leads;
    for (uint32_t i = 0; i < o->known; i++) {
        const struct event *e = on_path(o, i);
        if ((o->system->nodes[e->process][e->node].flags & LEADS) != o->levels[i].flags)
            o->known = i;
    }
}

/* Which steps that are known may be free of a new one? */
static void find_settled(struct optimal *o, const uint32_t *last)
{
    memset(o->settled, 0xff, o->stride * sizeof *o->settled);
    o->lowest_free = UINT32_MAX;
    for (uint32_t i = o->known; i < o->search->depth; i++) {
        const uint32_t *clock = clock_of(o, i);
        for (uint32_t p = 0; p < o->stride; p++)
            o->settled[p] = clock[p] < o->settled[p] ? clock[p] : o->settled[p];
    }
    for (uint32_t p = 0; p < o->stride; p++)
        if (o->settled[p] < last[p] && o->settled[p] < o->lowest_free)
            o->lowest_free = o->settled[p];
}

void clocks_make(struct optimal *o)
{
    uint32_t depth = o->search->depth, last[MAX_PROCESSES];
    widen(o);
    forget_outdated(o);
    unnote(o, o->noted_for == o->system->processes ? o->known : 0);      /* whom a step reaches may be new */
    o->noted_for = o->system->processes;
    o->pair_count = 1;
    o->second_count = 0;
    o->lowest_pair = UINT32_MAX;
    memset(o->first_pair, 0, depth * sizeof *o->first_pair);
    while (o->noted < o->known)
        note_latest(o, o->noted);
    memcpy(last, o->last, sizeof last);
    for (uint32_t i = o->known; i < depth; i++) {
        o->levels[i].previous = o->last[o->search->steps[i].process];
        make_clock(o, i);
        note_latest(o, i);
    }
    find_settled(o, last);
    o->taken_count = o->second_count;
}
