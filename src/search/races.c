/* SPDX-License-Identifier: MIT */
#include "search/races.h"

#include "base/memory.h"
#include "search/mission.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- room ---- */

void races_init(struct races *r, struct past *past, struct trees *trees)
{
    *r = (struct races){ .past = past, .trees = trees, .sequence.past = past, .sleepers.stride = past->stride };
    clocks_init_suspects(&r->suspects);
    survey_init(&r->survey, past);
    races_make_room(r);
}

void races_fini(struct races *r)
{
    clocks_fini_suspects(&r->suspects);
    survey_fini(&r->survey);
    free(r->all);
    free(r->sleepers.all);
    free(r->sleepers.known);
    free(r->sequence.events);
    free(r->near);
    free(r->reversed);
}

void races_make_room(struct races *r)
{
    struct sleepers *s = &r->sleepers;
    uint32_t old = s->room, room = r->past->room;
    clocks_make_suspects_room(&r->suspects, room);
    survey_make_room(&r->survey);
    s->room = room;
    s->all = memory_resize(s->all, (size_t)room * s->stride * sizeof *s->all);
    s->known = memory_resize(s->known, room * sizeof *s->known);
    memset(s->known + old, 0, (room - old) * sizeof *s->known);
    r->near = memory_resize(r->near, room * sizeof *r->near);
    r->sequence.events = memory_resize(r->sequence.events, (room + 1) * sizeof *r->sequence.events);
}

static bool checking(const struct races *r) { return r->past->search->settings->check; }

/* ---- what sleeps ---- */

/* States after the last known step may be others now. */
static void forget_sleepers(struct races *r)
{
    uint32_t same = r->past->known ? r->past->known + 1 : 0, depth = r->past->search->depth;
    if (same < depth)
        memset(r->sleepers.known + same, 0, (depth - same) * sizeof *r->sleepers.known);
}

/* There are more processes than before. */
static void widen_sleepers(struct sleepers *s, uint32_t stride)
{
    if (s->stride == stride)
        return;
    assert(stride > s->stride);
    s->stride = stride;
    s->all = memory_resize(s->all, (size_t)s->room * stride * sizeof *s->all);
    memset(s->known, 0, s->room * sizeof *s->known);
}

/* What a process that sleeps before the step would do there. The state stays what it is as long as it is on the path. */
static struct move sleeping_event(struct races *r, uint32_t at, uint32_t process)
{
    struct sleepers *s = &r->sleepers;
    const struct system *system = r->past->system;
    struct sleeper *known = &s->all[(size_t)at * s->stride + process];
    if (!(s->known[at] & BIT(process))) {
        survey_stand_at(&r->survey, at);
        *known = (struct sleeper){ system->node[process], dependence_stamp(system, (int)process), dependence_expected(system, (int)process) };
        s->known[at] |= BIT(process);
    }
    struct move e = { .process = process, .node = known->node, .stamp = known->stamp, .result = known->expected, .at = NOT_TAKEN };
    clocks_complete(r->past, &e);
    return e;
}

/* As wakeup_initial, when the sequence is all that is free and then the second step. */
static bool is_initial(struct races *r, const struct move *e)
{
    const struct past *past = r->past;
    uint32_t next = r->survey.next_of[e->process];
    if (next && is_free(&r->survey, next - 1))
        return past->levels[next - 1].last <= r->survey.first;
    if (in_conflict(past, e, &r->moved))
        return false;
    uint32_t near = survey_near(&r->survey, e, r->near);
    for (uint32_t i = 0; i < near; i++)
        if (in_conflict(past, e, on_path(past, r->near[i])))
            return false;
    return true;
}

/* Of a search that has to account for what it leaves out: did it sleep when the state was entered, and has it no step in the sequence? */
static bool only_stands_by(const struct races *r, const struct move *e)
{
    return r->past->search->settings->accountable && r->past->levels[r->sequence.first].asleep & BIT(e->process)
        && wakeup_find(&r->sequence, e->process) == r->sequence.count;
}

/* Could the sequence begin with a branch of the tree? */
static bool is_begun(const struct races *r)
{
    const struct branch *pool = r->trees->pool;
    assert(r->sequence.count && r->sequence.first < r->past->search->depth);
    for (uint32_t b = r->past->levels[r->sequence.first].tree; b; b = pool[b].next)
        if (wakeup_initial(&r->sequence, &pool[b].event, wakeup_find(&r->sequence, pool[b].event.process)))
            return true;
    return false;
}

/* Does something sleep in the state before the first step with which the sequence could begin? `whole`: the sequence is all that is
 * free and then the second step. */
static bool sleeps(struct races *r, bool whole)
{
    uint32_t first = r->sequence.first;
    bool unaccounted = false;
    for (uint64_t left = r->past->search->frames[first].sleep; left; left &= left - 1) {
        struct move e = sleeping_event(r, first, (uint32_t)__builtin_ctzll(left));
        bool quick = whole && e.process != r->moved.process;
        bool initial = quick ? is_initial(r, &e) : wakeup_initial(&r->sequence, &e, wakeup_find(&r->sequence, e.process));
        if (quick && checking(r))
            assert(initial == wakeup_initial(&r->sequence, &e, wakeup_find(&r->sequence, e.process)));
        if (initial && !only_stands_by(r, &e))
            return true;
        unaccounted |= initial;
    }
    return unaccounted && is_begun(r);
}

/* Does something sleep that is the beginning of all that does not depend on the step? */
static bool beginning_sleeps(const struct races *r, uint32_t first)
{
    const struct past *past = r->past;
    for (uint64_t left = past->search->frames[first].sleep; left; left &= left - 1) {
        uint32_t next = r->survey.next_of[__builtin_ctzll(left)];
        if (next && past->levels[next - 1].last <= first && !before(past, first, clock_of(past, next - 1)))
            return true;
    }
    return false;
}

/* ---- reversing a race ---- */

static void begin_sequence(struct races *r, uint32_t first)
{
    assert(first < r->past->search->depth);
    r->sequence.first = first;
    r->sequence.count = 0;
}

static void add(struct sequence *s, const struct move *e) { s->events[s->count++] = e; }

static bool carries(const struct past *past, uint32_t at, uint32_t process)
{
    return past->system->hides && hidden_carried(past->system, &past->search->steps[at]) & BIT(process);
}

/* All that is free, without what the reversal leaves out, and then the second step. */
static void make_sequence(struct races *r, const struct race *race)
{
    const struct past *past = r->past;
    const struct second *second = &race->second;
    struct survey *v = &r->survey;
    struct sequence *s = &r->sequence;
    begin_sequence(r, race->first);
    r->moved = second->event;
    r->moved.at = NOT_TAKEN;
    r->moved.choice = 0;
    r->moved.stamp = race->reversal.stamp;
    survey_in_way(v, second);
    memcpy(s->last_clock, clock_before(past, second->previous), past->stride * sizeof *s->last_clock);
    bool apart = !v->in_way_count && r->moved.stamp == second->event.stamp;      /* the second is in conflict with none of them */
    for (uint32_t i = 0; i < v->free_count; i++) {
        uint32_t at = v->free[i];
        if (v->in_way_count && survey_left_out(v, at, second, race->reversal.drops))
            continue;
        add(s, on_path(past, at));
        if ((!apart && conflict(past, on_path(past, at), &r->moved)) || carries(past, at, r->moved.process))
            join(past, s->last_clock, clock_of(past, at));
    }
    add(s, &r->moved);
}

static bool reverse(struct races *r, const struct race *race)   /* false: what sleeps makes it needless */
{
    assert(race->first == r->survey.first);
    make_sequence(r, race);
    assert(r->sequence.count <= r->past->search->depth);
    if (sleeps(r, !r->survey.in_way_count))
        return false;
    aside_keep(r->aside, &r->sequence);
    if (r->mission)
        mission_inserts(r->mission, &r->sequence);
    enum inserted inserted = wakeup_insert(r->trees, &r->past->levels[race->first].tree, &r->sequence);
    aside_tell(r->aside, &r->sequence, inserted);
    if (inserted == INSERTED_BESIDE)
        aside_note_beside(&r->past->levels[race->first], &r->moved);
    return true;
}

/* The other results of a step where something sleeps: what sleeps may make them needless. */
static void other_results(struct races *r, uint32_t at)
{
    const struct past *past = r->past;
    struct trees *trees = r->trees;
    struct level *l = &past->levels[at];
    survey_free(&r->survey, at);
    survey_stand_at(&r->survey, at);
    uint32_t choices = system_choices(past->system, (int)l->event.process);
    struct move other = l->event;
    begin_sequence(r, at);
    add(&r->sequence, &other);
    for (uint32_t i = 0; i < r->survey.free_count; i++)
        add(&r->sequence, on_path(past, r->survey.free[i]));
    assert(choices <= MOST_PICKED);
    if (sleeps(r, false))
        return;
    for (uint32_t c = 0, last; c < choices; c++) {
        other.choice = c;
        if (l->done & BIT(c) || wakeup_same_result(trees, l->tree, &other, &last))
            continue;
        uint32_t chain = wakeup_chain(trees, &r->sequence);
        trees->pool[chain].next = l->tree;
        l->tree = chain;
        aside_spoil(r->aside, at);
        if (r->mission)
            mission_adds(r->mission, at);
        aside_note_beside(l, &other);
    }
}

/* ---- steps that were not taken ---- */

/* Because they stayed blocked, or because the path was cut. */
static void add_undone(struct races *r, uint64_t processes, uint32_t limit)
{
    for (processes &= ~hidden_standing(r->past->system); processes; processes &= processes - 1) {
        uint32_t p = (uint32_t)__builtin_ctzll(processes);
        struct move e = clocks_next_event(r->past, p);
        clocks_add_second(&r->suspects, &e, r->past->latest.of[p], limit);
    }
}

/* In a group: those that were ended by another's step. */
static void add_killed(struct races *r)
{
    const struct past *past = r->past;
    for (uint32_t i = past->search->depth; system_shares(past->system) && i-- > 0 && past->levels[i].kills;) {
        uint64_t killed = past->levels[i].alive & ~past->levels[i + 1].alive & ~BIT(on_path(past, i)->process);
        if (!killed)
            continue;
        survey_stand_at(&r->survey, i);
        add_undone(r, killed, i + 1);
    }
    survey_go_on_to(&r->survey, past->search->depth);
}

/* They come before those that were taken. */
static void pair_undone(struct races *r)
{
    struct suspects *s = &r->suspects;
    for (uint32_t i = s->second_count; i-- > s->taken_count;) {
        const struct second *second = &s->seconds[i];
        uint32_t near = clocks_near(r->past, &second->event, second->previous, second->limit, r->near);
        for (uint32_t k = 0; k < near; k++)
            clocks_prepend_pair(s, r->near[k], i);
    }
}

static void make_reversed_room(struct races *r)
{
    size_t need = (size_t)r->suspects.second_count * r->past->stride;
    if (need > r->reversed_room) {
        r->reversed_room = 2 * need;
        r->reversed = memory_resize(r->reversed, r->reversed_room * sizeof *r->reversed);
    }
}

/* The steps on the path are there already. */
static void collect_seconds(struct races *r)
{
    const struct search *s = r->past->search;
    const struct system *system = r->past->system;
    add_undone(r, system->alive & ~(system->enabled & s->frames[s->depth].sleep), s->depth);
    add_killed(r);
    pair_undone(r);
    make_reversed_room(r);
}

/* ---- the races that are known ---- */

static void note(struct races *r, uint32_t first, const struct second *second, struct reversal reversal)
{
    uint32_t *list = &r->past->levels[first].first_race;
    assert(first < second->limit && first < second->event.at);
    ARRAY_GROW(r->all, r->count, r->room);
    r->all[r->count++] = (struct race){ .second = *second, .first = first, .reversal = reversal, .next = *list };
    *list = r->count;
}

/* Those of steps that are not known any more; those of steps that were not taken are at the end. */
static void forget(struct races *r)
{
    while (r->count && r->all[r->count - 1].second.event.at >= r->past->known) {
        uint32_t number = r->count--, *list = &r->past->levels[r->all[number - 1].first].first_race;
        assert(*list == number);     /* the last one that was found is the first of its list */
        *list = r->all[number - 1].next;
    }
}

static void link_from(struct races *r, uint32_t number)
{
    for (uint32_t i = number; i < r->count; i++) {
        struct race *race = &r->all[i];
        race->next = r->past->levels[race->first].first_race;
        r->past->levels[race->first].first_race = i + 1;
    }
}

void races_forget_all(struct races *r)
{
    r->past->known = r->count = 0;
    for (uint32_t i = 0; i < r->past->room; i++)
        r->past->levels[i].first_race = 0;
}

static int by_second(const void *a, const void *b)
{
    const struct race *x = a, *y = b;
    uint32_t i = x->second.event.at, k = y->second.event.at;
    return i != k ? (i > k) - (i < k) : (x->found > y->found) - (x->found < y->found);
}

/* Puts the races that were found on this path in order. */
static void sort_new(struct races *r, uint32_t old)
{
    for (uint32_t i = r->count; i-- > old;) {
        struct race *race = &r->all[i];
        r->past->levels[race->first].first_race = race->next;
        race->found = i;
    }
    if (old < r->count)
        qsort(r->all + old, r->count - old, sizeof *r->all, by_second);
    link_from(r, old);
}

/* ---- all of them ---- */

/* Does the second step go after all that is free? Not when it was ended on the way: then what is in its way after that is left out. */
static bool goes_with_all(const struct races *r, const struct race *race)
{
    return !race->reversal.drops && (race->second.event.at != NOT_TAKEN || race->second.limit == r->past->search->depth);
}

static void reverse_all(struct races *r, uint32_t first)
{
    bool asleep = beginning_sleeps(r, first);
    for (uint32_t number = r->past->levels[first].first_race; number; number = r->all[number - 1].next) {
        const struct race *race = &r->all[number - 1];
        if (asleep && goes_with_all(r, race) && !checking(r))
            continue;
        survey_free(&r->survey, first);
        bool inserted = reverse(r, race);
        assert(!inserted || !asleep || !goes_with_all(r, race));
    }
}

/* A first step that happens before one whose race is being reversed need not be looked at: that race shows it. */
static bool is_shown(const struct races *r, uint32_t first, uint32_t second)
{
    return r->suspects.seconds[second].races && before(r->past, first, r->reversed + (size_t)second * r->past->stride);
}

static void note_reversed(struct races *r, uint32_t first, uint32_t second)
{
    struct second *s = &r->suspects.seconds[second];
    uint32_t *reversed = r->reversed + (size_t)second * r->past->stride;
    if (!s->races)
        memset(reversed, 0, r->past->stride * sizeof *reversed);
    s->races = true;
    join(r->past, reversed, clock_of(r->past, first));
}

static void find_races(struct races *r, uint32_t first)
{
    struct survey *v = &r->survey;
    for (uint32_t i = r->suspects.first[first]; i; i = r->suspects.all[i].next) {
        const struct suspect *pair = &r->suspects.all[i];
        const struct second *second = &r->suspects.seconds[pair->second];
        if (is_shown(r, first, pair->second) || !(pair->sure || clocks_conflict(r->past, on_path(r->past, first), &second->event)))
            continue;
        if (search_stopped_by(r->past->search->settings->interrupt)) {
            search_look_up(r->past->search);             /* a long path has many of them, and each may take long: the search is over */
            return;
        }
        survey_find(v, first, second);
        for (uint32_t k = 0; k < v->reversal_count; k++)
            note(r, first, second, v->reversals[k]);
        if (v->reversal_count && !v->reversals[0].drops)
            note_reversed(r, first, pair->second);
    }
}

static void look_at(struct races *r, uint32_t first)
{
    if (r->suspects.first[first])
        find_races(r, first);
    if (r->past->levels[first].first_race)
        reverse_all(r, first);
    if (r->past->levels[first].picky)
        other_results(r, first);
}

/* Of which known steps is a new one free? */
static void find_ordered(struct races *r)
{
    const struct past *past = r->past;
    uint32_t last[MAX_PROCESSES], least[MAX_PROCESSES];          /* known step of each process, as 1 + position; number in a new clock */
    uint32_t stride = past->stride;
    memcpy(last, past->latest.of, sizeof last);
    memset(least, 0xff, sizeof least);
    for (uint32_t i = past->search->depth; i-- > past->known;) {
        const uint32_t *clock = clock_of(past, i);
        last[past->who[i]] = past->levels[i].previous;
        for (uint32_t p = 0; p < stride; p++)
            least[p] = clock[p] < least[p] ? clock[p] : least[p];
    }
    r->lowest_free = UINT32_MAX;
    for (uint32_t p = 0; p < stride; p++)
        if (least[p] < last[p] && least[p] < r->lowest_free)
            r->lowest_free = least[p];
    memcpy(r->ordered, least, sizeof least);
}

/* Was the step looked at on a path before this one, from which it differs only in steps that all depend on it? Then its races are the
 * same, and what reverses them is that of before or a beginning of it: it sleeps, or is in the tree, whose branches stay there while
 * the step is on the path. */
static bool is_ordered(const struct races *r, uint32_t first)
{
    return first < r->past->known && !r->suspects.first[first] && first < r->ordered[r->past->who[first]];
}

/* For tests: to look at it again changes nothing. */
static void check_ordered(struct races *r, uint32_t first)
{
    uint32_t branches = r->trees->pool_count, unused = r->trees->unused;
    reverse_all(r, first);
    assert(r->trees->pool_count == branches && r->trees->unused == unused);
}

/* All steps before this one are ordered. */
static uint32_t where_to_end(const struct races *r)
{
    uint32_t end = checking(r) ? 0 : r->past->known;
    end = r->suspects.lowest < end ? r->suspects.lowest : end;
    return r->lowest_free < end ? r->lowest_free : end;
}

/* ---- checking ---- */

static void check_race(const struct races *r, uint32_t number)
{
    const struct past *past = r->past;
    const struct race *race = &r->all[number];
    uint32_t second = race->second.event.at;
    assert(race->first < race->second.limit && race->next <= number);
    assert(!number || r->all[number - 1].second.event.at <= second);
    if (second == NOT_TAKEN || second >= past->known)
        return;                      /* its path is over: it is forgotten when the next one is looked at */
    assert(race->second.limit == second && past->who[second] == race->second.event.process);
    assert(before(past, race->first, clock_of(past, second)));
}

/* As wakeup_initial, by definition: who is before whom is asked of each pair. The steps may come from paths that are over. */
static bool begins_with(const struct races *r, const struct move *e)
{
    const struct sequence *s = &r->sequence;
    uint32_t found = wakeup_find(s, e->process);
    const struct move *own = found < s->count ? s->events[found] : e;
    for (uint32_t i = 0; i < found; i++)
        if (own == e ? in_conflict(r->past, e, s->events[i]) : conflict(r->past, s->events[i], own))
            return false;
    return true;
}

/* Properties 1 and 2 (wakeup.h): nobody who sleeps before step `at` is a weak initial of a sequence of the tree there. */
static void check_tree(struct races *r, uint32_t at, uint32_t list)
{
    for (uint32_t b = list; b; b = r->trees->pool[b].next) {
        if (r->trees->pool[b].implied)
            continue;
        add(&r->sequence, &r->trees->pool[b].event);
        if (r->trees->pool[b].child)
            check_tree(r, at, r->trees->pool[b].child);
        for (uint64_t left = r->trees->pool[b].child ? 0 : r->past->search->frames[at].sleep; left; left &= left - 1) {
            struct move e = sleeping_event(r, at, (uint32_t)__builtin_ctzll(left));
            assert(!begins_with(r, &e));
        }
        r->sequence.count--;
    }
}

/* Not in a group: when the program turns out to do something else than foreseen, the trees are kept all the same. */
static void check_trees(struct races *r)
{
    survey_go_on_to(&r->survey, r->past->search->depth);
    bool may_be_in_vain = system_shares(r->past->system) || r->past->search->settings->accountable;
    for (uint32_t i = may_be_in_vain ? 0 : r->past->search->depth; i-- > 0;) {
        begin_sequence(r, i);
        check_tree(r, i, r->past->levels[i].tree);
    }
}

void races_check(const struct races *r)
{
    uint32_t listed = 0;
    clocks_check(r->past);
    for (uint32_t i = 0; i < r->count; i++)
        check_race(r, i);
    for (uint32_t i = 0; i < r->past->room; i++)
        for (uint32_t number = r->past->levels[i].first_race; number; number = r->all[number - 1].next, listed++)
            assert(number <= r->count && r->all[number - 1].first == i);
    assert(listed == r->count);
}

/* ---- a path ---- */

void races_look(struct races *r)
{
    struct past *past = r->past;
    survey_begin(&r->survey);
    forget_sleepers(r);
    clocks_make(past, &r->suspects);
    widen_sleepers(&r->sleepers, past->stride);
    find_ordered(r);
    forget(r);
    collect_seconds(r);
    uint32_t old = r->count, end = where_to_end(r);
    for (uint32_t i = past->search->depth; i-- > end;) {
        if (!is_ordered(r, i))
            look_at(r, i);
        else if (checking(r))
            check_ordered(r, i);
        r->survey.next_of[past->who[i]] = i + 1;
    }
    sort_new(r, old);
    past->known = past->search->depth;
    if (checking(r)) {
        races_check(r);
        check_trees(r);
    }
}
