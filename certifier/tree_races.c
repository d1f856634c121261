/* SPDX-License-Identifier: MIT */
#include "certifier/tree_races.h"

#include "base/memory.h"
#include "system/step.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_IN_WAY = 64, MOST_TRIES = 4096 };    /* of the steps that one may be left out for: those with a bit; subsets that are tried */

/* ---- the path ---- */

void tree_path_init(struct tree_path *p, struct system *system) { *p = (struct tree_path){ .system = system, .depth = UINT32_MAX }; }

void tree_path_fini(struct tree_path *p)
{
    for (uint32_t i = 0; i < p->room; i++) {
        free(p->all[i].results);
        free(p->all[i].races);
        free(p->all[i].debts);
    }
    free(p->all);
    free(p->clocks);
    free(p->seconds);
    free(p->reversed);
    free(p->in_way);
    free(p->tried);
}

static void make_room(struct tree_path *p, uint32_t visits)
{
    uint32_t old = p->room;
    if (visits <= old)
        return;
    while (p->room < visits)
        p->room = memory_more(p->room);
    p->all = memory_resize(p->all, p->room * sizeof *p->all);
    memset(p->all + old, 0, (p->room - old) * sizeof *p->all);
    p->clocks = memory_resize(p->clocks, (size_t)p->room * MAX_PROCESSES * sizeof *p->clocks);
    p->in_way = memory_resize(p->in_way, p->room * sizeof *p->in_way);
    p->tried = memory_resize(p->tried, p->room * sizeof *p->tried);
}

struct tree_visit *tree_path_enter(struct tree_path *p, uint64_t sleep, uint64_t entered)
{
    p->depth++;                      /* at first it is one less than 0 */
    make_room(p, p->depth + 1);
    struct tree_visit *v = &p->all[p->depth], old = *v;
    *v = (struct tree_visit){ .sleep = sleep, .entered = entered, .alive = p->system->alive, .results = old.results,
                              .results_room = old.results_room, .races = old.races, .race_room = old.race_room, .debts = old.debts,
                              .debt_room = old.debt_room };
    p->standing = p->depth;
    return v;
}

void tree_path_leave(struct tree_path *p)
{
    assert(p->depth && p->standing == p->depth);
    p->depth--;
    p->standing--;
    system_undo(p->system, &p->all[p->depth].step);
    p->known = p->known < p->depth ? p->known : p->depth;
    p->given = p->given < p->depth ? p->given : p->depth;
}

void tree_path_stand_at(struct tree_path *p, uint32_t at)
{
    while (p->standing > at)
        system_undo(p->system, &p->all[--p->standing].step);
    for (; p->standing < at; p->standing++) {
        bool same = system_execute_again(p->system, &p->all[p->standing].step, &p->all[p->standing].step);
        assert(same);
    }
}

/* ---- happens before ---- */

static uint32_t who(const struct tree_path *p, uint32_t at) { return p->all[at].step.process; }
static uint32_t *clock_of(const struct tree_path *p, uint32_t at) { return p->clocks + (size_t)at * MAX_PROCESSES; }
static bool before(const struct tree_path *p, uint32_t first, const uint32_t *clock) { return clock[who(p, first)] > first; }
static bool is_free(const struct tree_path *p, uint32_t first, uint32_t at) { return !before(p, first, clock_of(p, at)); }

static void join(uint32_t *clock, const uint32_t *other, int processes)
{
    for (int i = 0; i < processes; i++)
        clock[i] = clock[i] < other[i] ? other[i] : clock[i];
}

static bool is_about(const struct system *s, uint32_t process, uint32_t node)
{
    return dependence_about_processes(s, process, node) != NOT_ABOUT_PROCESSES || s->nodes[process][node].flags & LEADS_TO_ABORT;
}

static struct tree_event event_at(const struct tree_path *p, uint32_t at)
{
    const struct tree_visit *v = &p->all[at];
    return (struct tree_event){ v->step, v->stamp, v->about };
}

/* What the process would do next, where the system stands. */
static struct tree_event next_event(const struct system *s, int q)
{
    struct step step = { .process = (uint32_t)q, .node = s->node[q], .result = dependence_expected(s, q) };
    return (struct tree_event){ step, dependence_stamp(s, q), is_about(s, (uint32_t)q, s->node[q]) };
}

/* Steps on different objects, neither about a process nor one that may end everything, are in no conflict. */
static bool conflict(const struct system *s, const struct tree_event *a, const struct tree_event *b)
{
    const struct node *x = &s->nodes[a->step.process][a->step.node], *y = &s->nodes[b->step.process][b->step.node];
    return (a->about || b->about || x->slot == y->slot) && dependence_conflict(s, &a->step, a->stamp, &b->step, b->stamp);
}

/* The step on the path, and one after it. */
static bool conflicts_with(const struct tree_path *p, uint32_t at, const struct tree_event *e)
{
    const struct tree_visit *v = &p->all[at];
    const struct system *s = p->system;
    if (!v->about && !e->about && s->nodes[v->step.process][v->step.node].slot != s->nodes[e->step.process][e->step.node].slot)
        return false;
    return dependence_conflict(s, &v->step, v->stamp, &e->step, e->stamp);
}

static bool in_conflict(const struct system *s, const struct tree_event *a, const struct tree_event *b)
{
    return conflict(s, a, b) || conflict(s, b, a);
}

static uint32_t step_before(const struct tree_path *p, uint32_t process, uint32_t at)
{
    while (at && who(p, at - 1) != process)
        at--;
    return at;
}

static void make_clock(struct tree_path *p, uint32_t at)
{
    struct tree_visit *v = &p->all[at];
    uint32_t *clock = clock_of(p, at);
    v->about = is_about(p->system, v->step.process, v->step.node);
    struct tree_event e = event_at(p, at);
    v->previous = v->last = step_before(p, v->step.process, at);
    memset(clock, 0, MAX_PROCESSES * sizeof *clock);
    if (v->previous)
        memcpy(clock, clock_of(p, v->previous - 1), MAX_PROCESSES * sizeof *clock);
    for (uint32_t i = at; i-- > 0;) {
        if (before(p, i, clock) || !conflicts_with(p, i, &e))
            continue;
        join(clock, clock_of(p, i), p->system->processes);
        v->last = v->last > i + 1 ? v->last : i + 1;
    }
    clock[v->step.process] = at + 1;
}

/* ---- could the second go before the first? ---- */

/* Is the step left out, because it depends on one that is? What is in the way and comes after the limit always is. */
static bool left_out(const struct tree_path *p, uint32_t at, const struct tree_second *second, uint64_t drops)
{
    for (uint32_t i = 0; i < p->in_way_count; i++)
        if ((p->in_way[i] >= second->limit || (i < MOST_IN_WAY && drops >> i & 1)) && before(p, p->in_way[i], clock_of(p, at)))
            return true;
    return false;
}

/* The free steps that are in conflict with the second. */
static void find_in_way(struct tree_path *p, uint32_t first, const struct tree_second *second)
{
    p->in_way_count = 0;
    for (uint32_t i = first + 1; i < p->depth; i++)
        if (is_free(p, first, i) && conflicts_with(p, i, &second->event))
            p->in_way[p->in_way_count++] = i;
}

/* Executes what does not depend on the first step, and asks whether the second could go now; takes everything back. */
static bool works(struct tree_path *p, uint32_t first, const struct tree_second *second, uint64_t drops, uint32_t *stamp)
{
    struct system *s = p->system;
    uint32_t done = 0, q = second->event.step.process;
    bool could = true;
    tree_path_stand_at(p, first);
    for (uint32_t i = first + 1; i < p->depth && could; i++) {
        const struct step *old = &p->all[i].step;
        if (!is_free(p, first, i) || left_out(p, i, second, drops))
            continue;
        could = s->node[old->process] == old->node && s->enabled & BIT(old->process) && system_execute_again(s, old, &p->tried[done]);
        done += could;
    }
    could = could && s->enabled & BIT(q) && s->node[q] == second->event.step.node;
    if (could)
        *stamp = dependence_stamp(s, (int)q);
    while (done-- > 0)
        system_undo(s, &p->tried[done]);
    return could;
}

/* After all that is free? Where none of it matters to the second, it can exactly if it could before the first. */
static bool could_go(struct tree_path *p, uint32_t first, const struct tree_second *second, uint32_t *stamp)
{
    const struct node *n = &p->system->nodes[second->event.step.process][second->event.step.node];
    if (!p->in_way_count && !n->type->stamp && second->previous <= first)
        return p->all[first].step.enabled & BIT(second->event.step.process);
    return works(p, first, second, 0, stamp);
}

/* The second as it is when it goes before the first. */
static struct tree_event moved_to(const struct tree_second *second, uint32_t stamp)
{
    struct tree_event e = second->event;
    e.stamp = stamp;
    return e;
}

static void note_race(struct tree_path *p, uint32_t first, const struct tree_second *second, uint64_t drops, uint32_t stamp)
{
    struct tree_visit *v = &p->all[first];
    struct tree_event here = event_at(p, first), moved = moved_to(second, stamp);
    if (!in_conflict(p->system, &here, &moved))
        return;                      /* moved there, it finds something else, and its order does not matter any more */
    ARRAY_GROW(v->races, v->race_count, v->race_room);
    v->races[v->race_count++] = (struct tree_race){ *second, stamp, drops };
    p->races += second->known_from >= p->given;
}

/* Several free steps may keep the second from going, each of them: the smallest subsets are found without which it can. */
struct subsets { uint64_t found[MOST_IN_WAY]; uint32_t count, left; };

static bool fewer_are_enough(const struct subsets *s, uint64_t drops)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (!(s->found[i] & ~drops))
            return true;
    return false;
}

static void try_subsets(struct tree_path *p, uint32_t first, const struct tree_second *second, uint32_t at, uint64_t drops,
                        struct subsets *s)
{
    uint32_t stamp;
    while (at < p->in_way_count && at < MOST_IN_WAY
           && (left_out(p, p->in_way[at], second, drops)
               || (second->previous && before(p, p->in_way[at], clock_of(p, second->previous - 1)))))
        at++;
    if (!s->left || s->count == MOST_IN_WAY)
        return;
    if (at < p->in_way_count && at < MOST_IN_WAY) {
        try_subsets(p, first, second, at + 1, drops, s);
        try_subsets(p, first, second, at + 1, drops | BIT(at), s);
        return;
    }
    s->left--;
    if (!fewer_are_enough(s, drops) && works(p, first, second, drops, &stamp))
        s->found[s->count++] = drops;
}

static void leave_some_out(struct tree_path *p, uint32_t first, const struct tree_second *second)
{
    struct subsets s = { .left = MOST_TRIES };
    uint32_t stamp;
    try_subsets(p, first, second, 0, 0, &s);
    p->undecided |= !s.left || s.count == MOST_IN_WAY || p->in_way_count > MOST_IN_WAY;
    for (uint32_t i = 0; i < s.count; i++)
        if (works(p, first, second, s.found[i], &stamp))
            note_race(p, first, second, s.found[i], stamp);
}

/* ---- seconds ---- */

static void add_second(struct tree_path *p, const struct tree_second *second)
{
    ARRAY_GROW(p->seconds, p->second_count, p->second_room);
    p->seconds[p->second_count++] = *second;
}

/* What these processes would do next, where the system stands. */
static void add_undone(struct tree_path *p, uint64_t processes, uint32_t limit, uint32_t known_from)
{
    const struct system *s = p->system;
    for (; processes; processes &= processes - 1) {
        int q = __builtin_ctzll(processes);
        uint32_t previous = step_before(p, (uint32_t)q, p->standing);
        add_second(p, &(struct tree_second){ next_event(s, q), TREE_NOT_TAKEN, limit, previous, known_from });
    }
}

/* The new steps; those whose process another's new step has ended; and at the end all that stay undone, unless they sleep: these were the first
 * step of executions that were told before. */
static void collect_seconds(struct tree_path *p)
{
    const struct tree_visit *all = p->all;
    p->second_count = 0;
    for (uint32_t i = p->known; i < p->depth; i++)
        add_second(p, &(struct tree_second){ event_at(p, i), i, i, all[i].previous, i });
    add_undone(p, p->system->alive & ~(p->system->enabled & all[p->depth].sleep), p->depth, UINT32_MAX);
    for (uint32_t i = p->depth; i-- > p->known;) {
        uint64_t ended = all[i].alive & ~all[i + 1].alive & ~BIT(who(p, i));
        if (!ended)
            continue;
        tree_path_stand_at(p, i);
        add_undone(p, ended, i + 1, i);
    }
    if (p->second_count > p->reversed_room) {
        p->reversed_room = 2 * p->second_count;
        p->reversed = memory_resize(p->reversed, p->reversed_room * sizeof *p->reversed);
    }
    memset(p->reversed, 0, p->second_count * sizeof *p->reversed);
}

/* Is the pair a race, and not one that another race of this second shows? */
static bool is_suspect(const struct tree_path *p, uint32_t first, uint32_t number)
{
    const struct tree_second *second = &p->seconds[number];
    if (first >= second->limit || who(p, first) == second->event.step.process || before(p, first, p->reversed[number]))
        return false;
    if (second->previous && before(p, first, clock_of(p, second->previous - 1)))
        return false;
    return conflicts_with(p, first, &second->event)
        && !(second->at != TREE_NOT_TAKEN && dependence_enables(p->system, &p->all[first].step, &second->event.step));
}

static void find_races(struct tree_path *p, uint32_t first)
{
    for (uint32_t i = 0; i < p->second_count; i++) {
        const struct tree_second *second = &p->seconds[i];
        uint32_t stamp = second->event.stamp, count = p->all[first].race_count;
        if (!is_suspect(p, first, i))
            continue;
        find_in_way(p, first, second);
        if (could_go(p, first, second, &stamp)) {
            note_race(p, first, second, 0, stamp);
            if (p->all[first].race_count > count)
                join(p->reversed[i], clock_of(p, first), MAX_PROCESSES);
        } else if (p->in_way_count) {
            leave_some_out(p, first, second);
        }
    }
}

/* ---- what a state owes ---- */

static bool is_moved(const struct tree_path *p, uint32_t first, const struct tree_race *r, uint32_t at)
{
    return is_free(p, first, at) && !left_out(p, at, &r->second, r->drops);
}

/* The processes with which the reversal can begin: what is free, without what is left out, and then the second. */
static uint64_t initials(struct tree_path *p, uint32_t first, const struct tree_race *r)
{
    uint64_t initial = 0;
    struct tree_event moved = moved_to(&r->second, r->stamp);
    for (int i = 0; i < p->system->processes; i++) {
        uint32_t next = p->next_of[i];
        if (next && p->all[next - 1].last <= first && is_moved(p, first, r, next - 1))
            initial |= BIT(i);
    }
    bool begins = r->second.previous <= first;
    for (uint32_t i = first + 1; i < p->depth && begins; i++)
        begins = !is_moved(p, first, r, i) || !conflicts_with(p, i, &moved);
    return begins ? initial | BIT(moved.step.process) : initial;
}

/* Who could go before the first step and does not matter to the reversal, whatever becomes of it. */
static uint64_t bystanders(struct tree_path *p, uint32_t first, const struct tree_race *r)
{
    struct system *s = p->system;
    struct tree_event moved = moved_to(&r->second, r->stamp);
    tree_path_stand_at(p, first);
    uint64_t left = s->enabled & ~p->all[first].sleep & ~BIT(who(p, first)) & ~BIT(moved.step.process), apart = 0;
    for (; left; left &= left - 1) {
        int q = __builtin_ctzll(left);
        struct tree_event e = next_event(s, q);
        bool alone = !in_conflict(s, &e, &moved);
        for (uint32_t i = first + 1; i < p->depth && alone; i++) {
            struct tree_event other = event_at(p, i);
            alone = !is_moved(p, first, r, i) || (who(p, i) != (uint32_t)q && !in_conflict(s, &other, &e));
        }
        apart |= alone ? BIT(q) : 0;
    }
    return apart;
}

static bool is_owed(const struct tree_visit *v, uint64_t processes)
{
    for (uint32_t i = 0; i < v->debt_count; i++)
        if (!(v->debts[i].processes & ~processes))
            return true;
    return false;
}

static void owe(struct tree_path *p, uint32_t first, const struct tree_race *r)
{
    struct tree_visit *v = &p->all[first];
    find_in_way(p, first, &r->second);
    uint64_t processes = initials(p, first, r);
    assert(processes);
    if (processes & (v->sleep | v->earlier) || is_owed(v, processes))
        return;
    processes |= bystanders(p, first, r);
    if (processes & v->earlier || is_owed(v, processes))
        return;
    ARRAY_GROW(v->debts, v->debt_count, v->debt_room);
    v->debts[v->debt_count++] = (struct tree_debt){ processes, p->execution, who(p, first), v->step.node, r->second.event.step.process,
                                                    r->second.event.step.node };
}

const struct tree_debt *tree_debt_of(const struct tree_visit *v, uint64_t children)
{
    for (uint32_t i = 0; i < v->debt_count; i++)
        if (!(v->debts[i].processes & children))
            return &v->debts[i];
    return NULL;
}

/* ---- an execution ---- */

/* Races of steps that are not on the path any more. */
static void forget_races(struct tree_path *p, struct tree_visit *v)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < v->race_count; i++)
        if (v->races[i].second.known_from < p->known)
            v->races[kept++] = v->races[i];
    v->race_count = kept;
}

void tree_path_look(struct tree_path *p)
{
    for (uint32_t i = 0; i < p->depth; i++)
        forget_races(p, &p->all[i]);
    for (uint32_t i = p->known; i < p->depth; i++)
        make_clock(p, i);
    collect_seconds(p);
    memset(p->next_of, 0, sizeof p->next_of);
    for (uint32_t first = p->depth; first-- > 0;) {
        find_races(p, first);
        for (uint32_t i = 0; i < p->all[first].race_count; i++)
            owe(p, first, &p->all[first].races[i]);
        p->next_of[who(p, first)] = first + 1;
    }
    tree_path_stand_at(p, p->depth);
    p->known = p->depth;
}
