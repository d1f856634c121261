/* SPDX-License-Identifier: MIT */
#include "search/survey.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- room ---- */

void survey_init(struct survey *v, struct past *past)
{
    *v = (struct survey){ .past = past, .first = NOT_TAKEN };
    survey_make_room(v);
}

void survey_fini(struct survey *v)
{
    free(v->free);
    free(v->in_way);
    free(v->trying);
    free(v->tried);
    free(v->changes);
}

void survey_make_room(struct survey *v)
{
    uint32_t room = v->past->room;
    v->free = memory_resize(v->free, room * sizeof *v->free);
    v->in_way = memory_resize(v->in_way, room * sizeof *v->in_way);
    v->trying = memory_resize(v->trying, room * sizeof *v->trying);
    v->tried = memory_resize(v->tried, room * sizeof *v->tried);
    v->changes = memory_resize(v->changes, (size_t)room * APART_CHANGES * sizeof *v->changes);
}

void survey_begin(struct survey *v)
{
    v->standing = v->past->search->depth;
    assert(v->standing < v->past->room);
    v->first = NOT_TAKEN;
    memset(v->next_of, 0, sizeof v->next_of);
}

/* ---- going back and forth on the path, to look at its states ---- */

void survey_stand_at(struct survey *v, uint32_t at)
{
    const struct past *past = v->past;
    assert(at <= v->past->search->depth);
    while (v->standing > at)
        system_undo(past->system, &past->search->steps[--v->standing]);
}

/* All steps are known: the program need not run. */
void survey_go_on_to(struct survey *v, uint32_t at)
{
    const struct past *past = v->past;
    for (; v->standing < at; v->standing++) {
        struct step *s = &past->search->steps[v->standing];
        bool same = system_execute_again(past->system, s, s);
        assert(same);
    }
}

/* ---- what goes along, and what is in the way ---- */

void survey_free(struct survey *v, uint32_t first)
{
    const struct past *past = v->past;
    if (v->first == first)
        return;
    uint32_t count = 0, depth = past->search->depth;
    assert(first < depth);
    const uint32_t *clock = clock_of(past, first + 1) + past->who[first];
    bool spreads = false;
    for (uint32_t i = first + 1; i < depth; i++, clock += past->stride) {
        if (*clock > first)
            continue;
        spreads |= past->levels[i].spreads;
        v->free[count++] = i;
    }
    v->first = first;
    v->free_count = count;
    v->free_spreads = spreads;
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
static uint32_t collect_beside(const struct survey *v, const struct move *e, uint32_t *beside)
{
    const struct past *past = v->past;
    uint32_t count = 0, end = past->search->depth, first = v->first, at;
    bool on_object = e->slot != past->system->nothing;
    for (uint32_t i = on_object ? past->latest.on_object[e->slot] : 0; i > first + 1; i = past->levels[i - 1].previous_on_object)
        if (is_free(v, i - 1))
            beside[--end] = i - 1;
    count = past->search->depth - end;
    memmove(beside, beside + end, count * sizeof *beside);
    uint32_t of_object = count;
    const struct reacher *reachers = past->latest.reachers;
    for (uint32_t k = past->latest.reached[e->process]; k && (at = reachers[k].position) > first; k = reachers[k].next)
        if (is_free(v, at) && !(on_object && on_path(past, at)->slot == e->slot))
            beside[count++] = at;
    if (count > of_object)
        sort(beside, count);
    return count;
}

uint32_t survey_near(const struct survey *v, const struct move *e, uint32_t *near)
{
    const struct past *past = v->past;
    uint32_t count = 0;
    if (!e->reach)
        return collect_beside(v, e, near);
    for (uint32_t i = 0; i < v->free_count; i++)
        if (may_conflict(past, on_path(past, v->free[i]), e))
            near[count++] = v->free[i];
    return count;
}

void survey_in_way(struct survey *v, const struct second *second)
{
    const struct past *past = v->past;
    uint32_t count = survey_near(v, &second->event, v->in_way);
    v->in_way_count = 0;
    for (uint32_t i = 0; i < count; i++)
        if (clocks_conflict(past, on_path(past, v->in_way[i]), &second->event))
            v->in_way[v->in_way_count++] = v->in_way[i];
}

bool survey_left_out(const struct survey *v, uint32_t at, const struct second *second, uint64_t drops)
{
    const struct past *past = v->past;
    for (uint32_t i = 0; i < v->in_way_count; i++)
        if ((v->in_way[i] >= second->limit || (i < MOST_IN_WAY && drops & BIT(i))) && before(past, v->in_way[i], clock_of(past, at)))
            return true;
    return false;
}

/* ---- can it go? ---- */

/* Executes what does not depend on the first step, and asks whether the second could go now; takes everything back. */
static bool works(struct survey *v, const struct second *second, uint64_t drops, uint32_t *stamp)
{
    const struct past *past = v->past;
    struct system *system = past->system;
    uint32_t done = 0, p = second->event.process;
    bool could = true;
    assert(v->standing == v->first);
    for (uint32_t i = 0; i < v->free_count && could; i++) {
        const struct step *old = &past->search->steps[v->free[i]];
        if (v->in_way_count && survey_left_out(v, v->free[i], second, drops))
            continue;
        could = system->node[old->process] == old->node && system->enabled & BIT(old->process)
            && system_execute_again(system, old, &v->tried[done]);
        done += could;
    }
    could = could && system->enabled & BIT(p) && system->node[p] == second->event.node;
    if (could)
        *stamp = dependence_stamp(system, (int)p);
    while (done-- > 0)
        system_undo(system, &v->tried[done]);
    return could;
}

static bool moves_itself(const struct survey *v, uint32_t process)
{
    const struct past *past = v->past;
    uint32_t next = v->next_of[process];         /* after the first step */
    return next && !before(past, v->first, clock_of(past, next - 1));
}

/* Is what happens to its own object, whose words before the first step are remembered, all that matters to the second? */
static bool is_local(const struct survey *v, const struct move *e, const struct node *n)
{
    const struct past *past = v->past;
    const struct level *first = &past->levels[v->first];
    if (past->seen[v->first].take != first->take || first->event.slot != e->slot)
        return false;
    if (e->reach || v->free_spreads || !dependence_is_local(past->system, n))
        return false;
    for (uint32_t i = 0; i < v->in_way_count; i++)
        if (on_path(past, v->in_way[i])->reach)
            return false;
    return true;
}

enum answer { NO, YES, UNKNOWN };

/* As `works`, with nothing dropped, but looks only at a copy of the words of the object. UNKNOWN: something is odd. */
static enum answer works_there(struct survey *v, const struct second *second, const struct node *n, uint32_t *stamp)
{
    const struct past *past = v->past;
    uint32_t words[APART_WORDS];
    struct log log = { v->changes };
    memcpy(words, past->seen[v->first].words, sizeof words);
    for (uint32_t i = 0; i < v->free_count; i++) {
        const struct move *e = on_path(past, v->free[i]);
        if (e->slot != second->event.slot || (v->in_way_count && survey_left_out(v, e->at, second, 0)))
            continue;
        const struct node *other = &past->system->nodes[e->process][e->node];
        if (!dependence_is_local(past->system, other) || !apart_execute(other, words, &log, e->choice, e->result))
            return UNKNOWN;
    }
    return apart_could_go(n, words, stamp) ? YES : NO;
}

/* Can it be told from what happens on its object or, where nothing that moves along matters, from the state before? */
static enum answer could_go_clearly(struct survey *v, const struct second *second, uint32_t *stamp)
{
    const struct past *past = v->past;
    const struct system *system = past->system;
    const struct move *e = &second->event;
    const struct node *n = &system->nodes[e->process][e->node];
    const struct step *steps = past->search->steps;
    uint32_t next = v->next_of[e->process];
    if (system->hides)               /* others may have to go first */
        return UNKNOWN;
    if (!v->in_way_count && !apart_is_stamped(n) && !moves_itself(v, e->process))
        return steps[v->first].enabled & BIT(e->process) && (!next || steps[next - 1].node == e->node) ? YES : NO;
    return is_local(v, e, n) ? works_there(v, second, n, stamp) : UNKNOWN;
}

/* For tests: a trial must say the same. */
static void check_answer(struct survey *v, const struct second *second, enum answer clear, uint32_t stamp)
{
    uint32_t tried = stamp;
    survey_stand_at(v, v->first);
    bool could = works(v, second, 0, &tried);
    assert(could == (clear == YES) && (!could || stamp == tried));
}

static bool could_go(struct survey *v, const struct second *second, uint32_t *stamp)
{
    enum answer clear = could_go_clearly(v, second, stamp);
    if (clear != UNKNOWN) {
        if (v->past->search->settings->check)
            check_answer(v, second, clear, *stamp);
        return clear == YES;
    }
    survey_stand_at(v, v->first);
    return works(v, second, 0, stamp);
}

/* ---- ways ---- */

/* What a step is in conflict with may change when it is moved: then the order of the two did not matter in the first place. */
static bool still_in_conflict(const struct survey *v, const struct second *second, uint32_t stamp)
{
    const struct past *past = v->past;
    const struct move *e = on_path(past, v->first);
    struct move moved = second->event;
    moved.stamp = stamp;
    return conflict(past, e, &moved) || conflict(past, &moved, e);
}

static void note_reversal(struct survey *v, uint64_t drops, uint32_t stamp)
{
    assert(v->reversal_count < MOST_IN_WAY);
    v->reversals[v->reversal_count++] = (struct reversal){ .drops = drops, .stamp = stamp };
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

static void try_drops(struct survey *v, struct tries *t, uint64_t drops)
{
    const struct past *past = v->past;
    uint32_t stamp;
    const struct move *e = &t->second->event;
    t->left--;
    if (t->found_count == MOST_IN_WAY || fewer_are_enough(t, drops))
        return;
    if (t->quick ? step_can_go(past->system, &past->system->nodes[e->process][e->node]) : works(v, t->second, drops, &stamp))
        t->found[t->found_count++] = drops;
}

static void try_step(struct survey *v, struct log *log, const struct move *e)
{
    const struct past *past = v->past;
    const struct node *n = &past->system->nodes[e->process][e->node];
    apart_try(past->system, n, log, e->choice);
}

/* Which of those in the way it is; MOST_IN_WAY: none, or one that cannot be left out. */
static uint32_t droppable(const struct survey *v, const struct second *second, uint32_t at)
{
    const struct past *past = v->past;
    for (uint32_t i = 0; i < v->in_way_count && i < MOST_IN_WAY; i++)
        if (v->in_way[i] == at)
            return before(past, at, clock_before(past, second->previous)) ? MOST_IN_WAY : i;
    return MOST_IN_WAY;
}

/* Where to go on when a step that was taken along is left out: with which step, what is left out then, what was changed before. */
struct turn { uint32_t next; uint64_t drops; struct change *end; };

/* Takes the steps along, from there on, but for those that are left out; notes those that could be, too. */
static void take_along(struct survey *v, struct tries *t, struct turn from, struct turn open[MOST_IN_WAY], uint32_t *open_count)
{
    for (uint32_t i = from.next; i < t->count; i++) {
        uint32_t at = v->trying[i], which = droppable(v, t->second, at);
        if (survey_left_out(v, at, t->second, from.drops))
            continue;
        if (which < MOST_IN_WAY) {
            assert(*open_count < MOST_IN_WAY);
            open[(*open_count)++] = (struct turn){ i + 1, from.drops | BIT(which), t->log.top };
        }
        if (t->quick)
            try_step(v, &t->log, on_path(v->past, at));
    }
}

/* Each step is taken along or, if it is in the way, left out with all that depends on it. No recursion: a path may be longer than the
 * stack has room for. */
static void try_all(struct survey *v, struct tries *t)
{
    struct turn open[MOST_IN_WAY], turn = { 0, 0, t->log.top };
    struct change *begin = t->log.top;
    uint32_t count = 0;
    for (;;) {
        take_along(v, t, turn, open, &count);
        try_drops(v, t, turn.drops);
        if (!t->left || !count)
            break;
        turn = open[--count];
        object_take_back(&t->log, turn.end);
    }
    object_take_back(&t->log, begin);
}

static void find_drops(struct survey *v, const struct second *second)
{
    const struct past *past = v->past;
    struct tries t = { .second = second, .log = { v->changes }, .left = MOST_TRIES, .quick = !second->event.reach && !past->system->hides };
    t.quick &= dependence_is_local(past->system, &past->system->nodes[second->event.process][second->event.node]);
    uint32_t stamp;
    for (uint32_t i = 0; i < v->in_way_count; i++)
        t.quick &= !on_path(past, v->in_way[i])->reach;
    for (uint32_t i = 0; i < v->free_count; i++)
        if (t.quick ? on_path(past, v->free[i])->slot == second->event.slot
                    : conflict(past, on_path(past, v->free[i]), &second->event))
            v->trying[t.count++] = v->free[i];
    try_all(v, &t);
    if (!t.left || t.found_count == MOST_IN_WAY || v->in_way_count > MOST_IN_WAY)
        past->search->counts.untried++; /* some order may be missed: the search does not claim to be complete then */
    for (uint32_t i = 0; i < t.found_count; i++)
        if (works(v, second, t.found[i], &stamp) && still_in_conflict(v, second, stamp))
            note_reversal(v, t.found[i], stamp);
}

void survey_find(struct survey *v, uint32_t first, const struct second *second)
{
    uint32_t stamp = second->event.stamp;
    assert(first < second->limit);
    survey_free(v, first);
    survey_in_way(v, second);
    v->reversal_count = 0;
    if (could_go(v, second, &stamp)) {
        if (still_in_conflict(v, second, stamp))
            note_reversal(v, 0, stamp);
    } else if (v->in_way_count) {
        survey_stand_at(v, first);
        find_drops(v, second);
    }
}
