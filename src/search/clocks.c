/* SPDX-License-Identifier: MIT */
#include "search/clocks.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- room ---- */

void clocks_init(struct past *p, struct search *search)
{
    const struct system *system = search->system;
    *p = (struct past){ .search = search, .system = search->system };
    p->stride = ((uint32_t)system->processes + 7) & ~7u;
    p->latest.on_object = memory_get((system->nothing + 1) * sizeof *p->latest.on_object);
    ARRAY_GROW(p->latest.reachers, p->latest.reacher_count, p->latest.reacher_room);
    p->latest.reacher_count = 1;     /* number 0 is none */
    clocks_make_room(p);
}

void clocks_fini(struct past *p)
{
    free(p->levels);
    free(p->seen);
    free(p->clocks);
    free(p->who);
    free(p->latest.on_object);
    free(p->latest.reachers);
    free(p->latest.notes);
}

bool clocks_make_room(struct past *p)
{
    uint32_t old = p->room, room = p->search->room + 2;
    if (room <= old)
        return false;
    p->room = room;
    p->levels = memory_resize(p->levels, room * sizeof *p->levels);
    memset(p->levels + old, 0, (room - old) * sizeof *p->levels);
    p->seen = memory_resize(p->seen, room * sizeof *p->seen);
    memset(p->seen + old, 0, (room - old) * sizeof *p->seen);
    p->clocks = memory_resize(p->clocks, (size_t)room * p->stride * sizeof *p->clocks);
    p->who = memory_resize(p->who, room);
    p->latest.notes = memory_resize(p->latest.notes, room * sizeof *p->latest.notes);
    return true;
}

/* ---- events ---- */

void clocks_complete(const struct past *past, struct move *e)
{
    STEP_ASSERT(e->node < past->system->graphs[e->process].count);
    const struct node *n = &past->system->nodes[e->process][e->node];
    struct step step = { .process = e->process, .choice = e->choice, .node = e->node, .result = e->result };
    e->slot = n->slot == past->system->table ? past->system->nothing : n->slot;
    e->reach = dependence_reach(past->system, &step);
}

static struct move event_of(const struct past *past, uint32_t at)
{
    const struct step *s = &past->search->steps[at];
    struct move e = { .process = s->process, .choice = s->choice, .node = s->node, .stamp = past->levels[at].stamp,
                       .result = s->result, .at = at };
    clocks_complete(past, &e);
    return e;
}

struct move clocks_next_event(const struct past *past, uint32_t process)
{
    struct move e = { .process = process, .node = past->system->node[process], .at = NOT_TAKEN };
    e.result = dependence_expected(past->system, (int)process);
    e.stamp = dependence_stamp(past->system, (int)process);
    clocks_complete(past, &e);
    return e;
}

bool clocks_conflict(const struct past *past, const struct move *a, const struct move *b)
{
    struct step first = { .process = a->process, .choice = a->choice, .node = a->node, .result = a->result };
    struct step second = { .process = b->process, .choice = b->choice, .node = b->node, .result = b->result };
    return dependence_conflict(past->system, &first, a->stamp, &second, b->stamp);
}

/* ---- what may be in conflict with what ---- */

/* All steps of others on its object, up to this position, happen before the step that has the clock. */
static uint32_t known_of_users(const struct past *past, const struct move *e, const uint32_t *clock)
{
    uint32_t known = UINT32_MAX;
    for (uint64_t users = past->system->users[e->slot] & ~BIT(e->process); users; users &= users - 1) {
        uint32_t q = (uint32_t)__builtin_ctzll(users);
        if (q < past->stride && past->latest.of[q] > clock[q] && clock[q] < known)
            known = clock[q];
    }
    return known;
}

uint32_t clocks_near(const struct past *past, const struct move *e, uint32_t previous, uint32_t limit, uint32_t *near)
{
    const uint32_t *clock = clock_before(past, previous);
    STEP_ASSERT(limit <= past->search->depth);
    uint32_t count = 0, p = e->process;
    bool on_object = e->slot != past->system->nothing;
    uint32_t known = on_object ? known_of_users(past, e, clock) : 0;
    for (uint32_t i = on_object ? past->latest.on_object[e->slot] : 0; i > known; i = past->levels[i - 1].previous_on_object)
        if (i <= limit && past->who[i - 1] != p && !before(past, i - 1, clock))
            near[count++] = i - 1;
    for (uint32_t k = past->latest.reached[p]; k; k = past->latest.reachers[k].next) {
        uint32_t i = past->latest.reachers[k].position;
        if (i < limit && past->who[i] != p && !before(past, i, clock) && !(on_object && on_path(past, i)->slot == e->slot))
            near[count++] = i;
    }
    bool narrow = e->reach && dependence_about_processes(past->system, e->process, e->node) == ONLY_PROCESSES;
    const uint32_t *last = narrow ? past->latest.about : past->latest.of;
    for (uint64_t left = e->reach & ~BIT(p); left; left &= left - 1) {
        uint32_t q = (uint32_t)__builtin_ctzll(left);
        for (uint32_t i = q < past->stride ? last[q] : 0; i && i > clock[q];
             i = narrow ? past->levels[i - 1].previous_about : past->levels[i - 1].previous) {
            const struct move *other = on_path(past, i - 1);
            if (i <= limit && !(other->reach >> p & 1) && !(on_object && other->slot == e->slot))
                near[count++] = i - 1;
        }
    }
    return count;
}

/* ---- pairs ---- */

void clocks_init_suspects(struct suspects *s)
{
    *s = (struct suspects){ .count = 1 };           /* number 0 is none */
}

void clocks_fini_suspects(struct suspects *s)
{
    free(s->seconds);
    free(s->all);
    free(s->first);
    free(s->last);
    free(s->near);
}

void clocks_make_suspects_room(struct suspects *s, uint32_t steps)
{
    s->first = memory_resize(s->first, steps * sizeof *s->first);
    s->last = memory_resize(s->last, steps * sizeof *s->last);
    s->near = memory_resize(s->near, steps * sizeof *s->near);
}

static uint32_t new_pair(struct suspects *s, struct suspect pair)      /* gives its number */
{
    while (s->count >= s->room) {
        s->room = s->room ? 2 * s->room : 16;
        s->all = memory_resize(s->all, s->room * sizeof *s->all);
    }
    s->all[s->count] = pair;
    return s->count++;
}

static void append_pair(struct suspects *s, uint32_t first, uint32_t second, bool sure)
{
    STEP_ASSERT(first < s->seconds[second].limit);
    s->lowest = first < s->lowest ? first : s->lowest;
    uint32_t n = new_pair(s, (struct suspect){ .second = second, .sure = sure });
    if (s->first[first])
        s->all[s->last[first]].next = n;
    else
        s->first[first] = n;
    s->last[first] = n;
}

void clocks_prepend_pair(struct suspects *s, uint32_t first, uint32_t second)
{
    assert(second >= s->taken_count && first < s->seconds[second].limit);
    s->lowest = first < s->lowest ? first : s->lowest;
    s->first[first] = new_pair(s, (struct suspect){ .second = second, .next = s->first[first] });
}

void clocks_add_second(struct suspects *s, const struct move *e, uint32_t previous, uint32_t limit)
{
    ARRAY_GROW(s->seconds, s->second_count, s->second_room);
    STEP_ASSERT(limit >= previous);                   /* its own steps come before it */
    s->seconds[s->second_count++] = (struct second){ .event = *e, .previous = previous, .limit = limit };
}

static void begin_pairs(struct suspects *s, uint32_t depth)
{
    s->count = 1;
    s->second_count = 0;
    s->lowest = UINT32_MAX;
    memset(s->first, 0, depth * sizeof *s->first);
}

/* ---- clocks ---- */

/* Processes may come while a group is searched. */
static void widen(struct past *past)
{
    uint32_t processes = (uint32_t)past->system->processes;
    if (processes <= past->stride)
        return;
    assert(processes <= MAX_PROCESSES);
    past->stride = (processes + 7) & ~7u;
    past->known = 0;
    past->clocks = memory_resize(past->clocks, (size_t)past->room * past->stride * sizeof *past->clocks);
}

/* Has the step changed words that belong to another object? */
static bool has_spread(const struct past *past, uint32_t at)
{
    const struct step *steps = past->search->steps;
    uint32_t next = at + 1;
    if (!steps[at].log)
        return false;
    while (next < past->search->depth && !steps[next].log)
        next++;
    return apart_has_spread(past->system, &steps[at], next < past->search->depth ? &steps[next] : NULL);
}

enum { LEADS = LEADS_TO_END | LEADS_TO_ABORT };          /* flags that say what a step may be in conflict with */

/* Who was moved by what others left to be done outside goes on after them (system/hidden.h). */
static void join_carriers(const struct past *past, uint32_t at, uint32_t *clock)
{
    struct level *l = &past->levels[at];
    for (uint32_t i = past->system->hides ? at : 0; i-- > l->previous;)
        if (hidden_carried(past->system, &past->search->steps[i]) & BIT(l->event.process) && !before(past, i, clock)) {
            join(past, clock, clock_of(past, i));
            l->last = l->last > i ? l->last : i + 1;
        }
}

/* Also notes with which steps it may be in a race. */
static void make_clock(struct past *past, uint32_t at, struct suspects *pairs)
{
    struct level *l = &past->levels[at];
    const struct step *steps = past->search->steps;
    uint32_t *clock = clock_of(past, at);
    l->event = event_of(past, at);
    past->who[at] = (uint8_t)l->event.process;
    const struct node *n = &past->system->nodes[l->event.process][l->event.node];
    l->flags = n->flags & LEADS;
    l->spreads = l->renews || has_spread(past, at);
    l->last = l->previous;           /* no clock has a number that is larger than its own step's */
    memcpy(clock, clock_before(past, l->previous), past->stride * sizeof *clock);
    join_carriers(past, at, clock);
    uint32_t near = clocks_near(past, &l->event, l->previous, at, pairs->near), second = pairs->second_count;
    clocks_add_second(pairs, &l->event, l->previous, at);
    for (uint32_t k = 0; k < near; k++) {
        uint32_t i = pairs->near[k];
        bool open = !before(past, i, clock);
        if (open && !clocks_conflict(past, on_path(past, i), &l->event))
            continue;
        if (open) {
            join(past, clock, clock_of(past, i));
            l->last = l->last > i ? l->last : i + 1;
        }
        if (!(on_path(past, i)->reach | l->event.reach) || !dependence_enables(past->system, &steps[i], &steps[at]))
            append_pair(pairs, i, second, open);
    }
    assert(l->last <= at);
    clock[l->event.process] = at + 1;
}

/* Makes the step at `at` the last one of its process and on its object. */
static void note_latest(struct past *past, uint32_t at)
{
    struct level *l = &past->levels[at];
    struct latest *latest = &past->latest;
    uint32_t p = l->event.process, slot = l->event.slot;
    assert(at == latest->noted);
    latest->notes[at] = (struct note){ slot, p, latest->on_object[slot], latest->of[p], latest->about[p], latest->reacher_count };
    l->previous_on_object = latest->on_object[slot];
    l->previous_about = latest->about[p];
    if (slot == past->system->nothing && dependence_about_processes(past->system, p, l->event.node))
        latest->about[p] = at + 1;
    latest->on_object[slot] = latest->of[p] = at + 1;
    uint64_t reach = l->event.reach & UINT64_MAX >> (MAX_PROCESSES - past->system->processes);
    for (; reach; reach &= reach - 1) {
        uint32_t q = (uint32_t)__builtin_ctzll(reach);
        ARRAY_GROW(latest->reachers, latest->reacher_count, latest->reacher_room);
        latest->reachers[latest->reacher_count] = (struct reacher){ at, latest->reached[q], q };
        latest->reached[q] = latest->reacher_count++;
    }
    bool kills = l->alive & ~past->levels[at + 1].alive & ~BIT(p);
    l->kills = (at ? past->levels[at - 1].kills : 0) + kills;
    latest->noted = at + 1;
}

static void unnote(struct latest *latest, uint32_t count)
{
    while (latest->noted > count) {
        const struct note *n = &latest->notes[--latest->noted];
        latest->on_object[n->slot] = n->on_object;
        latest->of[n->process] = n->of;
        latest->about[n->process] = n->about;
        while (latest->reacher_count > n->reachers) {
            const struct reacher *r = &latest->reachers[--latest->reacher_count];
            latest->reached[r->process] = r->next;
        }
    }
}

/* What a step leads to may have been seen since, and with it what it is in conflict with. */
static void forget_outdated(struct past *past)
{
    if (past->leads == past->system->leads)
        return;
    past->leads = past->system->leads;
    for (uint32_t i = 0; i < past->known; i++) {
        const struct move *e = on_path(past, i);
        if ((past->system->nodes[e->process][e->node].flags & LEADS) != past->levels[i].flags)
            past->known = i;
    }
}

/* The known steps, and only they, are in `latest` then. */
static void note_known(struct past *past)
{
    struct latest *latest = &past->latest;
    assert((uint32_t)past->system->processes <= past->stride);
    unnote(latest, latest->noted_for == past->system->processes ? past->known : 0);      /* whom a step reaches may be new */
    latest->noted_for = past->system->processes;
    while (latest->noted < past->known)
        note_latest(past, latest->noted);
}

void clocks_make(struct past *past, struct suspects *pairs)
{
    uint32_t depth = past->search->depth;
    assert(past->known <= depth && depth < past->room);
    widen(past);
    forget_outdated(past);
    note_known(past);
    begin_pairs(pairs, depth);
    for (uint32_t i = past->known; i < depth; i++) {
        past->levels[i].previous = past->latest.of[past->search->steps[i].process];
        make_clock(past, i, pairs);
        note_latest(past, i);
    }
    pairs->taken_count = pairs->second_count;
    assert(past->latest.noted == depth);
}

/* ---- checking ---- */

/* The clock of a step by definition: all earlier steps are asked. */
static void define_clock(const struct past *past, uint32_t at, uint32_t *clock)
{
    const struct step *steps = past->search->steps;
    memset(clock, 0, past->stride * sizeof *clock);
    for (uint32_t i = 0; i < at; i++)
        if (steps[i].process == steps[at].process
            || dependence_conflict(past->system, &steps[i], past->levels[i].stamp, &steps[at], past->levels[at].stamp))
            join(past, clock, clock_of(past, i));
    clock[steps[at].process] = at + 1;
}

/* What was learned of the program since may have changed what is in conflict. In a group that may be without a word. */
static bool conflicts_are_as_then(const struct past *past) { return past->leads == past->system->leads && !system_shares(past->system); }

static void check_step(const struct past *past, uint32_t at)
{
    const struct level *l = &past->levels[at];
    uint32_t defined[MAX_PROCESSES];
    const uint32_t *clock = clock_of(past, at);
    assert(past->who[at] == past->search->steps[at].process && l->event.process == past->who[at] && l->event.at == at);
    assert(clock[past->who[at]] == at + 1 && l->last <= at && l->previous <= at && l->previous_on_object <= at);
    assert(!l->previous || past->who[l->previous - 1] == past->who[at]);
    for (uint32_t p = 0; p < past->stride; p++)
        assert(clock[p] <= at + 1 && (!clock[p] || past->who[clock[p] - 1] == p));
    if (!conflicts_are_as_then(past))
        return;
    define_clock(past, at, defined);
    assert(!memcmp(defined, clock, past->stride * sizeof *clock));
}

void clocks_check(const struct past *past)
{
    assert(past->known <= past->search->depth && past->search->depth < past->room);
    for (uint32_t i = 0; i < past->known; i++)
        check_step(past, i);
}
