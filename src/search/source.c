/* SPDX-License-Identifier: MIT */
#include "search/source.h"

#include "base/memory.h"
#include "search/mission.h"
#include "system/hidden.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct source {
    struct search *search;
    uint32_t       processes, room;
    uint32_t      *clocks;           /* `processes` numbers for each step of the path */
    uint32_t      *stamps;
    uint32_t      *moved;            /* scratch: the steps that would come before the second of a race */
};

/* A step that was executed, or one that was not: `at` is its place on the path or, if not executed, the path's length. */
struct later {
    uint32_t at;
    int      process;
    uint32_t clock[MAX_PROCESSES];
};

void *source_begin(struct search *search)
{
    struct source *s = memory_get(sizeof *s);
    s->search = search;
    s->processes = system_shares(search->system) ? MAX_PROCESSES : (uint32_t)search->system->processes;  /* more may come */
    return s;
}

bool source_end(void *self, const struct system *system)
{
    struct source *s = self;
    (void)system;
    free(s->clocks);
    free(s->stamps);
    free(s->moved);
    free(s);
    return true;
}

static void make_room(struct source *s)
{
    if (s->room > s->search->depth)
        return;
    s->room = s->search->room;
    s->clocks = memory_resize(s->clocks, (size_t)s->room * s->processes * sizeof *s->clocks);
    s->stamps = memory_resize(s->stamps, s->room * sizeof *s->stamps);
    s->moved = memory_resize(s->moved, s->room * sizeof *s->moved);
    assert(s->room > s->search->depth);
}

static uint32_t *clock_of(const struct source *s, uint32_t step)
{
    return s->clocks + (size_t)step * s->processes;
}

static bool happens_before(const struct source *s, uint32_t first, const uint32_t *clock)
{
    return clock[s->search->steps[first].process] > first;
}

static void join(const struct source *s, uint32_t *clock, const uint32_t *other)
{
    for (uint32_t p = 0; p < s->processes; p++)
        if (clock[p] < other[p])
            clock[p] = other[p];
}

/* The clock of the process before the second step: that of its last step before `at`, and of those that carried it since. */
static void clock_before(const struct source *s, struct later *second)
{
    memset(second->clock, 0, s->processes * sizeof *second->clock);
    for (uint32_t i = second->at; i-- > 0;) {
        bool own = s->search->steps[i].process == (uint32_t)second->process;
        if (own || (s->search->system->hides && hidden_carried(s->search->system, &s->search->steps[i]) & BIT(second->process)))
            join(s, second->clock, clock_of(s, i));
        if (own)
            return;
    }
}

static bool conflicts(const struct source *s, uint32_t first, const struct later *second)
{
    const struct search *search = s->search;
    if (second->at < search->depth)
        return dependence_conflict(search->system, &search->steps[first], s->stamps[first],
                               &search->steps[second->at], s->stamps[second->at]);
    return dependence_conflict_next(search->system, &search->steps[first], s->stamps[first], second->process);
}

/* ---- could the second have gone before the first? ---- */

static bool needs(const struct source *s, uint32_t first, const struct later *second)
{
    const struct search *search = s->search;
    return second->at < search->depth && dependence_enables(search->system, &search->steps[first], &search->steps[second->at]);
}

/* Collects into `moved` the steps after `first` that do not depend on it, up to the second. */
static uint32_t collect(struct source *s, uint32_t first, const struct later *second)
{
    uint32_t count = 0;
    assert(first < second->at);
    for (uint32_t i = first + 1; i < second->at; i++)
        if (!happens_before(s, first, clock_of(s, i)))
            s->moved[count++] = i;
    return count;
}

/* Tries it: goes back to before the first step, executes what does not depend on it, looks, and restores the path. The program does
 * not run for that: these steps lead where they led. */
static bool works(struct source *s, uint32_t first, const struct later *second, uint32_t count)
{
    struct search *search = s->search;
    struct system *system = search->system;
    struct step undo;
    struct step *tried = memory_get((count + 1) * sizeof *tried);
    uint32_t done = 0;
    uint32_t node = second->at < search->depth ? search->steps[second->at].node : system->node[second->process];
    for (uint32_t i = search->depth; i-- > first;)
        system_undo(system, &search->steps[i]);
    for (; done < count; done++) {
        const struct step *old = &search->steps[s->moved[done]];
        if (system->node[old->process] != old->node || !(system->enabled & BIT(old->process))
            || !system_execute_again(system, old, &tried[done]))
            break;
    }
    bool could = done == count && system->enabled & BIT(second->process) && system->node[second->process] == node;
    while (done-- > 0)
        system_undo(system, &tried[done]);
    for (uint32_t i = first; i < search->depth; i++) {
        bool same = system_execute_again(system, &search->steps[i], &undo);
        assert(same);
    }
    free(tried);
    return could;
}

enum answer { NO, YES, NOT_WITH_OTHERS };        /* the last: others that move along are in its way, maybe each of them */

/* Most answers need no trial: nothing that moves along matters to the second step, so it can go exactly if it could before
 * the first; and where it could, to say yes is never wrong. */
static enum answer could_go_before(struct source *s, uint32_t first, const struct later *second, uint32_t count)
{
    bool own_step_moves = false, matters = false;
    for (uint32_t i = 0; i < count; i++) {
        own_step_moves |= s->search->steps[s->moved[i]].process == (uint32_t)second->process;
        matters = matters || conflicts(s, s->moved[i], second);
    }
    if (!own_step_moves && s->search->steps[first].enabled & BIT(second->process))
        return YES;
    if ((own_step_moves || matters) && works(s, first, second, count))
        return YES;
    return matters ? NOT_WITH_OTHERS : NO;
}

/* ---- reversing a race ---- */

/* The processes with which the moved steps and then the second can begin. */
static uint64_t initials(const struct source *s, uint32_t count, const struct later *second)
{
    uint32_t first_step[MAX_PROCESSES];
    uint64_t seen = 0, initial = 0;
    for (uint32_t i = 0; i <= count; i++) {
        uint32_t step = i < count ? s->moved[i] : second->at;
        uint32_t p = i < count ? s->search->steps[step].process : (uint32_t)second->process;
        const uint32_t *clock = i < count ? clock_of(s, step) : second->clock;
        if (seen & BIT(p))
            continue;
        bool free = true;
        for (uint64_t others = seen; others && free; others &= others - 1) {
            int q = __builtin_ctzll(others);
            free = clock[q] <= first_step[q];
        }
        first_step[p] = step;
        seen |= BIT(p);
        initial |= free ? BIT(p) : 0;
    }
    assert(initial);                 /* the first of them is one */
    return initial;
}

void source_add(struct search *s, uint32_t first, uint64_t initial)
{
    struct frame *f = &s->frames[first];
    uint64_t enabled = s->steps[first].enabled;
    assert(first < s->depth && enabled & BIT(s->steps[first].process));
    if (initial & (f->tried | f->todo | f->sleep))
        return;
    initial &= enabled;
    f->todo |= initial ? initial & -initial : enabled & ~f->tried & ~f->sleep;
    assert(!(f->todo & (f->tried | f->sleep)) && !(f->todo & ~enabled));
}

static void add_to_state(const struct source *s, uint32_t first, uint64_t initial)
{
    if (!s->search->mission || !mission_asks(s->search->mission, first, initial))
        source_add(s->search, first, initial);
}

/* Two readers shut a writer out, each of them: it comes to go when both are late. Which steps have to be left out together is not
 * looked for: all that can go before the first of them is tried. */
static void add_all_to_state(const struct source *s, uint32_t first) { add_to_state(s, first, 0); }

/* Looks for races of the second step with those before it, from the last to the first, and completes its clock. A first
 * step that happens before one whose race is being reversed need not be looked at: that race shows it. */
static void races(struct source *s, struct later *second)
{
    uint32_t before[MAX_PROCESSES], reversed[MAX_PROCESSES] = { 0 };
    memcpy(before, second->clock, s->processes * sizeof *before);
    for (uint32_t i = second->at; i-- > 0;) {
        if (s->search->steps[i].process == (uint32_t)second->process || happens_before(s, i, before)
            || !conflicts(s, i, second))
            continue;
        join(s, second->clock, clock_of(s, i));
    }
    for (uint32_t i = second->at; i-- > 0;) {
        if (s->search->steps[i].process == (uint32_t)second->process || happens_before(s, i, before)
            || happens_before(s, i, reversed) || !conflicts(s, i, second) || needs(s, i, second))
            continue;
        uint32_t count = collect(s, i, second);
        enum answer could = could_go_before(s, i, second, count);
        if (could == NOT_WITH_OTHERS)
            add_all_to_state(s, i);
        if (could != YES)
            continue;
        add_to_state(s, i, initials(s, count, second));
        join(s, reversed, clock_of(s, i));
    }
}

/* ---- what the search calls ---- */

/* Who is ended by the next step might have gone before it, or before something earlier. */
static void others_first(struct source *s, uint64_t others)
{
    struct search *search = s->search;
    struct frame *f = &search->frames[search->depth];
    f->todo |= others & search->system->enabled & ~f->tried & ~f->sleep;
    for (others &= ~hidden_standing(search->system); others; others &= others - 1) {
        struct later second = { .at = search->depth, .process = __builtin_ctzll(others) };
        clock_before(s, &second);
        races(s, &second);
    }
}

void source_before(void *self, int process)
{
    struct source *s = self;
    make_room(s);
    others_first(s, system_ends_with(s->search->system, process));
    s->stamps[s->search->depth] = dependence_stamp(s->search->system, process);
}

void source_after(void *self)
{
    struct source *s = self;
    uint32_t at = s->search->depth - 1;
    assert(at < s->room);
    struct later second = { .at = at, .process = (int)s->search->steps[at].process };
    clock_before(s, &second);
    races(s, &second);
    assert(second.clock[second.process] <= at);
    second.clock[second.process] = at + 1;
    memcpy(clock_of(s, at), second.clock, s->processes * sizeof *second.clock);
}

void source_path_end(void *self)
{
    struct source *s = self;
    const struct search *search = s->search;
    uint64_t asleep = search->system->enabled & search->frames[search->depth].sleep;
    for (uint64_t left = search->system->alive & ~asleep & ~hidden_standing(search->system); left; left &= left - 1) {
        int p = __builtin_ctzll(left);
        struct later second = { .at = search->depth, .process = p };
        make_room(s);
        clock_before(s, &second);
        races(s, &second);
    }
}
